import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeRarities, estimateChances } from '../../src/services/workspace/chance.ts';
import {
  findCommonFolder,
  formatTitle,
  type MemberAnswer,
  mergeAnswers,
  orderResults,
} from '../../src/services/workspace/merge.ts';
import { nameRepositories } from '../../src/services/workspace/names.ts';
import { LocusError } from '../../src/shared/errors.ts';
import {
  type CalibratedScore,
  decodeWorkspace,
  encodeWorkspace,
  splitMember,
} from '../../src/shared/workspace.ts';
import { chunk, searchResponse } from '../exchange/sample.ts';

function standing(more: Partial<CalibratedScore> = {}): CalibratedScore {
  return {
    evidence: { likeness: 0.5 },
    chunks: 100,
    words: {},
    named: [],
    probabilities: [],
    ...more,
  };
}

function part(name: string, shares: number[], more: Partial<MemberAnswer> = {}): MemberAnswer {
  const response = searchResponse(shares.map((_, i) => chunk(`${i}.py`, `${name}_${i}`, `${i}`)));
  return {
    name,
    root: `/src/${name}`,
    response,
    calibratedScore: standing({ probabilities: shares }),
    failure: null,
    ...more,
  };
}

const listed = (parts: MemberAnswer[], chances: number[]) =>
  mergeAnswers(parts, orderResults(parts, chances), chances).results.map(({ name }) => name);

test('a result’s probability is its repository’s times its share, and the list is sorted by it', () => {
  const parts = [part('a', [0.5, 0.3]), part('b', [0.6, 0.1])];
  const { results } = mergeAnswers(parts, orderResults(parts, [0.4, 0.6]), [0.4, 0.6]);
  assert.deepEqual(
    results.map(({ rank, repository, probability }) => [rank, repository, probability]),
    [
      [1, 'b', 0.36],
      [2, 'a', 0.2],
      [3, 'a', 0.12],
      [4, 'b', 0.06],
    ],
  );
});

test('the results of a repository keep their order, and ties are broken by its name', () => {
  const parts = [part('b', [0.2, 0.2, 0.2]), part('a', [0.2, 0.2])];
  assert.deepEqual(listed(parts, [0.5, 0.5]), ['a_0', 'a_1', 'b_0', 'b_1', 'b_2']);
  assert.deepEqual(listed(parts.toReversed(), [0.5, 0.5]), listed(parts, [0.5, 0.5]));
});

test('a failed repository is reported and has no results', () => {
  const failure = new LocusError('bad-repository', 'it is gone', 'put it back');
  const gone = part('gone', [], { response: null, calibratedScore: null, failure });
  const parts = [gone, part('a', [0.5])];
  const { results, repositories = [] } = mergeAnswers(parts, orderResults(parts, [0, 1]), [0, 1]);
  assert.deepEqual(
    results.map(({ repository }) => repository),
    ['a'],
  );
  assert.deepEqual(
    repositories.map(({ name, failure: told }) => [name, told?.message ?? null]),
    [
      ['a', null],
      ['gone', 'it is gone'],
    ],
  );
  assert.throws(() => mergeAnswers([gone], [], [0]), /it is gone/);
});

test('mentions recognized in any repository appear in the list, with their locations', () => {
  const parts = [part('a', [0.5]), part('b', [0.5])];
  const [a, b] = parts.map(({ response }) => response!.issue);
  a!.names = [{ start: 3, end: 7, text: 'load', definitions: 2 }];
  b!.names = [{ start: 3, end: 7, text: 'load', definitions: 1 }];
  const lines = { first: 2, last: 3 };
  a!.paths = [
    {
      ...{ start: 9, end: 13, text: 'x.py', files: ['x.py'] },
      lines: { ...lines, addresses: ['x.py::f'] },
    },
  ];
  b!.paths = [{ start: 9, end: 13, text: 'x.py', files: ['lib/x.py'] }];
  a!.notes = ['The issue is long.', 'No frame of the traceback is in this repository.'];
  b!.notes = ['The issue is long.'];
  const { issue } = mergeAnswers(parts, orderResults(parts, [0.5, 0.5]), [0.5, 0.5]);
  assert.deepEqual(issue.names, [{ start: 3, end: 7, text: 'load', definitions: 3 }]);
  assert.deepEqual(issue.paths[0]?.files, ['a/x.py', 'b/lib/x.py']);
  assert.deepEqual(issue.paths[0]?.lines, { ...lines, addresses: ['a/x.py::f'] });
  assert.deepEqual(issue.notes, ['The issue is long.']);
});

test('the list is partial while a repository is partial or being opened, and says which', () => {
  const partial = { reason: 'indexing is in progress', chunks: 10, embedded: 4 };
  const slow = part('slow', [0.5]);
  slow.response!.partial = partial;
  const failure = new LocusError('busy', 'late is still being opened', 'wait');
  const late = part('late', [], { response: null, calibratedScore: null, failure });
  const parts = [part('a', [0.5]), slow, late];
  const list = mergeAnswers(parts, orderResults(parts, [1, 0, 0]), [1, 0, 0]);
  assert.match(list.partial?.reason ?? '', /^2 of 3 repositories .*late.*slow|slow.*late/);
  assert.deepEqual([list.partial?.chunks, list.partial?.embedded], [10, 4]);
});

test('the most likely repository is the only one with the words, and the most similar one', () => {
  const contestant = (likeness: number, words: Record<string, number>) => ({
    calibratedScore: standing({ evidence: { likeness }, words }),
  });
  const chances = estimateChances([
    contestant(0.5, { cookie: 20, value: 30 }),
    contestant(0.5, { cookie: 0, value: 30 }),
    { calibratedScore: null },
  ]);
  assert.ok(chances[0]! > chances[1]!);
  assert.equal(chances[2], 0);
  assert.ok(Math.abs(chances.reduce((a, b) => a + b) - 1) < 1e-9);
  const alike = estimateChances([contestant(0.7, { value: 3 }), contestant(0.3, { value: 3 })]);
  assert.ok(alike[0]! > alike[1]!);
  assert.deepEqual(estimateChances([{ calibratedScore: null }]), [0]);
  assert.deepEqual(estimateChances([contestant(0.1, {})]), [1]);
});

test('a word that one repository has counts more than a word that all have', () => {
  const rarity = computeRarities([['a', 'b'], ['a'], ['a', 'c']]);
  assert.ok(rarity.get('b')! > 0.8 && rarity.get('a')! < 0.15);
});

test('names are folder names, extended where two are equal', () => {
  assert.deepEqual(nameRepositories(['/src/api', '/src/web']), ['api', 'web']);
  assert.deepEqual(nameRepositories(['/src/a/api', '/src/b/api', '/src/web']), [
    'a~api',
    'b~api',
    'web',
  ]);
  assert.deepEqual(nameRepositories(['/x/a/api', '/y/a/api']), ['x~a~api', 'y~a~api']);
  assert.deepEqual(nameRepositories(['/src/api.git', '/']), ['api', 'root']);
  assert.deepEqual(nameRepositories(['/home/ann/src/api', '/home/ann/src/api.git']), [
    'api',
    'api~2',
  ]);
  assert.deepEqual(nameRepositories(['/src/api', '/src/api.git', '/src/fork/api']), [
    ...['src~api', 'src~api~2', 'fork~api'],
  ]);
});

test('the root of a workspace is not a path, and does not depend on the order', () => {
  assert.equal(encodeWorkspace(['/b', '/a', '/a']), encodeWorkspace(['/a', '/b']));
  assert.deepEqual(decodeWorkspace(encodeWorkspace(['/b', '/a'])), ['/a', '/b']);
  for (const other of ['/a', '[', '[]', '[1]', '{"a":1}'])
    assert.equal(decodeWorkspace(other), null);
  assert.deepEqual(
    splitMember('api/src/x.py', (name) => name === 'api'),
    { name: 'api', path: 'src/x.py' },
  );
  assert.equal(
    splitMember('src/x.py', (name) => name === 'api'),
    null,
  );
});

test('a workspace is named after its first repository, in the common folder', () => {
  assert.equal(formatTitle(['a']), 'a');
  assert.equal(formatTitle(['a', 'b']), 'a and b');
  assert.equal(formatTitle(['a', 'b', 'c']), 'a and 2 others');
  assert.equal(findCommonFolder(['/src/a', '/src/b']), '/src');
  assert.equal(findCommonFolder(['/src/a', '/home/b']), '/');
});
