import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FLAKY } from '../../e2e/flaky.ts';
import { isBad, verdictOf } from '../../e2e/verdict.ts';

const KNOWN = [{ spec: 'a.spec.ts', test: 'late', reason: 'r', since: '2026-01-01' }];

describe('two tries of an end-to-end spec', () => {
  it('tell a failure from a flake', () => {
    const verdict = verdictOf('a.spec.ts', ['broken', 'late', 'odd'], ['broken'], KNOWN);
    assert.deepEqual(verdict, { failed: ['broken'], known: ['late'], unnamed: ['odd'] });
  });

  it('pass only if all tests that failed once are listed or within the limit', () => {
    const bad = (first: string[], second: string[], spec = 'a.spec.ts', most = 0) =>
      isBad([verdictOf(spec, first, second, KNOWN)], most);
    assert.equal(bad(['late'], []), false);
    assert.equal(bad(['late'], ['late']), true);
    assert.equal(bad(['odd'], []), true);
    assert.equal(bad(['late'], ['odd']), true);
    assert.equal(bad(['late'], [], 'b.spec.ts'), true);
    assert.equal(bad(['late'], [], 'b.spec.ts', 1), false);
    assert.equal(bad(['late', 'odd'], [], 'b.spec.ts', 1), true);
    assert.equal(bad(['odd'], ['odd'], 'b.spec.ts', 1), true);
  });
});

describe('the list of flaky tests', () => {
  it('names existing tests, each with a reason and a date', () => {
    for (const { spec, test, reason, since } of FLAKY) {
      const text = readFileSync(join(import.meta.dirname, '../../e2e', spec), 'utf8');
      assert.ok(text.includes(test), `${spec} has no test “${test}”`);
      assert.ok(reason.length > 10, test);
      assert.match(since, /^\d{4}-\d\d-\d\d$/);
    }
  });
});
