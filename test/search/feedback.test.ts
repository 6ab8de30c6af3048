import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Feedback } from '../../src/shared/search.ts';
import { type FileSpecs, MemoryIndex, queryVectors, search, unit } from './support.ts';

const FILES: FileSpecs = {
  'shop/cart.py': [
    { name: 'Cart', kind: 'class', text: 'class Cart: pass', vector: [1, 1, 0] },
    {
      name: 'Cart.total',
      text: 'def total(self): return sum(self.rounded_prices())',
      calls: ['tax'],
      vector: [1, 0, 0],
    },
    { name: 'Cart.count', text: 'def count(self): return len(self)', vector: [0, 1, 0] },
  ],
  'shop/tax.py': [{ name: 'tax', text: 'def tax(x): return rounded(x)', vector: [0, 0, 1] }],
  'shop/mail.py': [
    { name: 'send', text: 'def send(to): smtp(to)', vector: [0, 1, 1] },
    { name: 'receive', text: 'def receive(): return pop3()', vector: [0.1, 1, 1] },
  ],
  'shop/more.py': [
    { name: 'rounded_twice', text: 'def rounded_twice(prices): ...', vector: [1, 0.2, 0] },
  ],
};
const TOTAL = 'shop/cart.py::Cart.total';

function found(feedback?: Feedback, more: object = {}) {
  const request = { issue: 'The receipt of a cart is wrong', feedback, ...more };
  return search(new MemoryIndex(FILES), queryVectors(unit([0, 1, 1])), request);
}
const evidenceOf = (name: string, feedback: Feedback) =>
  found(feedback).results.find((result) => result.name === name)!.evidence;
const rankOf = (name: string, feedback?: Feedback) =>
  found(feedback).results.find((result) => result.name === name)!.rank;

test('without marks there is no evidence of marks', () => {
  for (const { evidence } of found().results) {
    assert.deepEqual(
      Object.keys(evidence).filter((name) => /marked|rejected/i.test(name)),
      [],
    );
  }
  assert.deepEqual(found({}), found());
});

test('a chunk marked `edit` is evidence for similar, nearby and connected chunks', () => {
  const marks = { edit: [TOTAL] };
  assert.ok(
    Math.abs(evidenceOf('rounded_twice', marks).likeMarked.value - 1 / Math.hypot(1, 0.2)) < 1e-3,
  );
  assert.match(
    evidenceOf('rounded_twice', marks).markedWords.sentence!,
    /^shares .*`rounded`.* with the results you marked$/,
  );
  assert.equal(evidenceOf('count', marks).markedClass.value, 1);
  assert.equal(evidenceOf('count', marks).markedFile.value, 1);
  assert.equal(evidenceOf('tax', marks).markedFile?.value ?? 0, 0);
  assert.equal(evidenceOf('tax', marks).markedCalls.sentence, 'calls or is called by `Cart.total`');
});

test('chunks similar to one marked `edit` rise, and those similar to an irrelevant one fall', () => {
  assert.ok(rankOf('rounded_twice', { edit: [TOTAL] }) < rankOf('rounded_twice'));
  const marks = { irrelevant: ['shop/mail.py::send'] };
  assert.ok(evidenceOf('receive', marks).likeRejected.contribution < 0);
  assert.ok(evidenceOf('rounded_twice', marks).likeRejected.contribution > 0);
});

test('a chunk marked `read` counts less than one marked `edit`, and does not rise itself', () => {
  const read = [TOTAL];
  const feedback = { read };
  const added = (name: string, marks: Feedback) =>
    Object.entries(evidenceOf(name, marks))
      .filter(([signal]) => /marked/i.test(signal))
      .reduce((sum, [, { contribution }]) => sum + contribution, 0);
  const half = added('rounded_twice', feedback);
  assert.ok(half > 0 && half < added('rounded_twice', { edit: [TOTAL] }));
  assert.equal(added('total', feedback), 0);
  assert.ok(added('total', { edit: [TOTAL] }) > 0);
  // Together with a chunk marked `edit`, it has half of the weight in the mean.
  const { value } = evidenceOf('rounded_twice', {
    edit: ['shop/tax.py::tax'],
    read,
  }).likeMarked;
  assert.ok(Math.abs(value - 1 / Math.hypot(1, 0.2) / 3) < 1e-3);
  assert.equal(evidenceOf('count', feedback).markedClass.value, 0.5);
  assert.deepEqual(found({ edit: [TOTAL], read }).results, found().results);
});

test('a chunk marked `read` keeps its rank, and an irrelevant one goes to the bottom', () => {
  const names = (feedback?: Feedback, more = {}) =>
    found(feedback, more).results.map(({ address }) => address);
  const plain = names();
  for (const [at, marked] of plain.entries()) {
    // Together with a mark that makes similar chunks rise.
    const edit = [plain.at(-1) === marked ? (plain[0] ?? '') : (plain.at(-1) ?? '')];
    assert.equal(names({ edit, read: [marked] }).indexOf(marked), at, marked);
    assert.equal(names({ read: [marked] }).indexOf(marked), at, marked);
    assert.equal(names({ edit, irrelevant: [marked] }).at(-1), marked);
    assert.equal(names({ irrelevant: [marked] }, { limit: 3 }).at(-1), marked);
  }
  // Irrelevant chunks leave room for others.
  const rejected = names({ irrelevant: plain.slice(0, 4) }, { limit: 4 });
  assert.equal(rejected.filter((address) => plain.slice(0, 4).includes(address)).length, 2);
});

test('results have their rank without marks', () => {
  const plain = found().results;
  for (const { rankWithoutMarks } of plain) assert.equal(rankWithoutMarks, undefined);
  const marks = { edit: [TOTAL], irrelevant: ['shop/mail.py::send'] };
  const ranks = (results: { address: string; rank: number }[], key: 'rank' | 'rankWithoutMarks') =>
    new Map(results.map((result) => [result.address, (result as Record<string, unknown>)[key]]));
  const refined = found(marks).results;
  assert.notDeepEqual(
    refined.map(({ address }) => address),
    plain.map(({ address }) => address),
  );
  for (const [address, rank] of ranks(refined, 'rankWithoutMarks')) {
    assert.equal(rank, ranks(plain, 'rank').get(address));
  }
});

test('chunks that are in the list only because of marks have no rank without them', () => {
  // More chunks that match the issue than are ranked, and one that does not match.
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [
      `shop/receipt_${i}.py`,
      [{ name: `receipt_${i}`, text: 'the receipt of a cart' }],
    ]),
  );
  const index = new MemoryIndex({ ...many, 'far/away.py': [{ name: 'away', text: 'moon' }] });
  const feedback = { edit: ['far/away.py::away'] };
  const request = { issue: 'The receipt of a cart is wrong', limit: 1000 };
  const before = search(index, null, request).results;
  assert.ok(!before.some(({ name }) => name === 'away'));
  const { results } = search(index, null, { ...request, feedback });
  assert.equal(results.find(({ name }) => name === 'away')!.rankWithoutMarks, null);
  const rankBefore = new Map(before.map(({ address, rank }) => [address, rank]));
  for (const { address, rankWithoutMarks } of results) {
    assert.equal(rankWithoutMarks, rankBefore.get(address) ?? null);
  }
});

test('contributions of marks are part of the score', () => {
  for (const { score, evidence } of found({ edit: [TOTAL] }).results) {
    const sum = Object.values(evidence).reduce((all, { contribution }) => all + contribution, 0);
    assert.ok(Math.abs(sum - score) < 1e-9);
  }
});

test('several marks are averaged', () => {
  const { value } = evidenceOf('rounded_twice', {
    edit: [TOTAL, 'shop/tax.py::tax'],
  }).likeMarked;
  assert.ok(Math.abs(value - 1 / Math.hypot(1, 0.2) / 2) < 1e-3);
});

test('missing marked chunks are ignored, with a note', () => {
  const gone = ['shop/gone.py::f', 'nonsense', '::', 'shop/cart.py::Cart.total#2'];
  const { issue, results } = found({ edit: gone });
  assert.deepEqual(results, found().results);
  assert.match(
    issue.notes.at(-1)!,
    /^4 marked results are not in this version.*shop\/gone\.py::f.* and 1 more\.$/,
  );
});

test('a marked chunk is found, whatever characters are in its name', () => {
  const files: FileSpecs = { 'a.cpp': [{ name: 'A.operator std::string', text: 'receipt' }] };
  const { results } = search(new MemoryIndex(files), null, {
    issue: 'zzz',
    feedback: { edit: ['a.cpp::A.operator std::string'] },
  });
  assert.equal(results[0]?.address, 'a.cpp::A.operator std::string');
});

test('a chunk with two marks is ignored', () => {
  assert.deepEqual(found({ edit: [TOTAL], irrelevant: [TOTAL] }).results, found().results);
});

test('marks alone are enough for a search', () => {
  const index = new MemoryIndex(FILES);
  const request = { issue: 'zzz', feedback: { edit: [TOTAL] } };
  assert.equal(search(index, null, { issue: 'zzz' }).results.length, 0);
  assert.equal(search(index, null, request).results[0].address, TOTAL);
});

test('marks obey the filters', () => {
  const { results } = found({ edit: [TOTAL] }, { paths: ['shop/tax.py'] });
  assert.deepEqual([...new Set(results.map(({ path }) => path))], ['shop/tax.py']);
});
