import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isFiltered,
  parseGlobs,
  toFeedback,
  toFilterRequest,
} from '../../src/renderer/features/search/filters.ts';
import { marks } from './support.ts';

describe('filters', () => {
  it('split globs at commas or spaces', () => {
    assert.deepEqual(parseGlobs(' src/**, *.py\tdjango/ ,'), ['src/**', '*.py', 'django/']);
    assert.deepEqual(parseGlobs(''), []);
  });

  it('become a request without unused filters, and with at most the allowed number of globs', () => {
    const none = {
      paths: ' ',
      kinds: new Set<never>(),
      repositories: new Set<string>(),
      packages: new Set<string>(),
    };
    assert.deepEqual(toFilterRequest(none), {});
    assert.deepEqual(
      toFilterRequest({ ...none, paths: 'src/', kinds: new Set(['class'] as const) }),
      {
        paths: ['src/'],
        kinds: ['class'],
      },
    );
    assert.deepEqual(toFilterRequest({ ...none, packages: new Set(['web', '@acme/api']) }), {
      packages: ['@acme/api', 'web'],
    });
    const many = Array.from({ length: 150 }, (_, at) => `f${at}`);
    assert.equal(toFilterRequest({ ...none, paths: many.join(' ') }).paths?.length, 100);
    assert.equal(toFilterRequest({ ...none, packages: new Set(many) }).packages?.length, 100);
  });

  it('are active if anything is excluded, but not if tests are ranked lower', () => {
    const none = {
      text: ' ',
      paths: ',',
      kinds: new Set<never>(),
      repositories: new Set<string>(),
      packages: new Set<string>(),
    };
    assert.equal(isFiltered(none, 'demote'), false);
    assert.equal(isFiltered(none, 'exclude'), true);
    assert.equal(isFiltered({ ...none, text: 'x' }), true);
    assert.equal(isFiltered({ ...none, paths: 'a' }), true);
    assert.equal(isFiltered({ ...none, kinds: new Set(['class'] as const) }), true);
    assert.equal(isFiltered({ ...none, repositories: new Set(['web']) }), true);
    assert.equal(isFiltered({ ...none, packages: new Set(['@acme/api']) }), true);
  });
});

describe('feedback', () => {
  it('contains marks of chunks that still exist', () => {
    const given = marks({
      'a.py::f': { mark: 'edit' },
      'a.py::g': { mark: 'read' },
      'a.py::h': { mark: 'irrelevant' },
      'a.py::i': { mark: null, note: 'hm' },
      'a.py::j': { mark: 'edit', gone: true },
    });
    assert.deepEqual(toFeedback(given), {
      edit: ['a.py::f'],
      read: ['a.py::g'],
      irrelevant: ['a.py::h'],
    });
  });

  it('is undefined without such marks', () => {
    assert.equal(toFeedback(new Map()), undefined);
    assert.equal(toFeedback(marks({ 'a.py::j': { mark: 'edit', gone: true } })), undefined);
  });

  it('has at most the allowed number of chunks for each mark', () => {
    const given = Array.from(
      { length: 250 },
      (_, at) => [`a.py::f${at}`, { mark: 'edit' }] as const,
    );
    assert.equal(toFeedback(marks(Object.fromEntries(given)))?.edit?.length, 200);
  });
});
