import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLinearModel } from '../../src/engine/search/rank/linear.ts';
import { SIGNALS } from '../../src/engine/search/rank/rank.ts';
import type { SearchRequest } from '../../src/shared/search.ts';
import { type FileSpecs, MemoryIndex, queryVectors, search, unit } from './support.ts';

const FILES: FileSpecs = {
  'shop/cart.py': [
    {
      name: 'Cart',
      kind: 'class',
      lines: [1, 40],
      text: 'class Cart:\n    def total(self)',
      vector: [1, 1, 0],
    },
    {
      name: 'Cart.total',
      lines: [3, 9],
      text: 'class Cart:\n def total(self):\n  return sum(price(i) for i in self.items)',
      calls: ['price'],
      vector: [1, 0, 0],
    },
    {
      name: 'Cart.clear',
      lines: [11, 14],
      text: 'def clear(self): self.items = []',
      vector: [0, 1, 0],
    },
  ],
  'shop/prices.py': [
    {
      name: 'price',
      lines: [1, 9],
      text: 'def price(item): return round(item.cost)',
      vector: [1, 0, 1],
    },
    {
      name: 'discount',
      lines: [11, 19],
      text: 'def discount(total): return total / 2',
      vector: [0, 0, 1],
    },
  ],
  'shop/mail.py': [
    {
      name: 'send_receipt',
      lines: [1, 9],
      text: 'def send_receipt(to): smtp(to)',
      vector: [0, 1, 1],
    },
  ],
  'tests/test_cart.py': [
    {
      name: 'test_total',
      lines: [1, 5],
      text: 'def test_total(): assert Cart().total() == 0',
      calls: ['Cart.total'],
    },
  ],
};
const ISSUE = 'The total of a cart is rounded\n\nCart.total rounds, see shop/cart.py';

function found(
  index: MemoryIndex,
  request: Partial<SearchRequest> = {},
  vector: number[] | null = [1, 0, 0],
) {
  const query = vector && queryVectors(unit(vector));
  return search(index, query, { issue: ISSUE, ...request }).results;
}
const addresses = (...args: Parameters<typeof found>) =>
  found(...args).map(({ address }) => address);

test('the function that the issue describes comes first, with ranks from 1', () => {
  const results = found(new MemoryIndex(FILES));
  assert.equal(results[0].address, 'shop/cart.py::Cart.total');
  assert.deepEqual(
    results.map(({ rank }) => rank),
    results.map((_, i) => i + 1),
  );
});

test('names in Chinese, Japanese and Korean are found in sentences without spaces', () => {
  for (const [name, issue] of [
    ['寻路服务', '大地图上寻路服务不返回结果，请修复。'],
    ['ユーザー登録', '空のメールアドレスでユーザー登録を行うと例外が発生します。'],
    ['경로탐색서비스', '지도가 크면 경로탐색서비스가 실패합니다.'],
  ] as const) {
    const text = `class ${name}:\n    pass\n`;
    const index = new MemoryIndex({
      'shop/cart.py': [{ name: 'Cart', kind: 'class', text: 'class Cart:\n    pass\n' }],
      'shop/map.py': [{ name, kind: 'class', text }],
    });
    assert.equal(addresses(index, { issue }, null)[0], `shop/map.py::${name}`);
  }
});

test('contributions add up to the score', () => {
  for (const { score, evidence } of found(new MemoryIndex(FILES))) {
    const sum = Object.values(evidence).reduce((all, { contribution }) => all + contribution, 0);
    assert.ok(Math.abs(sum - score) < 1e-9);
  }
});

test('evidence has a reason and its location in the issue', () => {
  const results = found(new MemoryIndex(FILES));
  const total = results.find(({ name }) => name === 'total')!.evidence;
  assert.deepEqual(
    total.name.spans?.map(({ text }) => text),
    ['Cart.total'],
  );
  assert.equal(total.name.sentence, 'the issue mentions `Cart.total`');
  assert.deepEqual(total.path.spans, [
    { start: ISSUE.indexOf('shop/'), end: ISSUE.length, text: 'shop/cart.py' },
  ]);
  assert.ok(total.bm25.fields?.some(({ field }) => field === 'name'));
  assert.ok(total.bm25.words?.some(({ word }) => word === 'total'));
  const { evidence } = results.find(({ name }) => name === 'price')!;
  assert.equal(evidence.called.sentence, 'called by `Cart.total` (rank 1)');
});

test('a guessed call is not evidence', () => {
  const index = new MemoryIndex({
    'a.py': [
      { name: 'start', text: 'cart total', calls: ['stop?'] },
      { name: 'stop', text: 'cart' },
    ],
  });
  assert.equal(
    found(index, {}, null).find(({ name }) => name === 'stop')!.evidence.called,
    undefined,
  );
});

test('a frame of the traceback is evidence, and adds its chunk to the candidates', () => {
  const issue = 'zzz\n  File "/x/shop/mail.py", line 3, in send_receipt\n';
  const [first] = found(new MemoryIndex(FILES), { issue });
  assert.equal(first.name, 'send_receipt');
  assert.equal(first.evidence.frame.value, 1);
  assert.equal(
    first.evidence.frame.spans?.[0].text,
    'File "/x/shop/mail.py", line 3, in send_receipt',
  );
});

test('a frame in a file of the root, installed elsewhere, needs the function and its line', () => {
  const index = new MemoryIndex({ 'waiter.py': [{ name: 'run', text: 'wait' }], ...FILES });
  const [slot] = index.getSlotsByName('run');
  const { startLine, endLine } = index.getChunk(slot!);
  const findFrame = (line: number, name: string) => {
    const issue = `zzz\n  File "/lib/python3/waiter/waiter.py", line ${line}, in ${name}\n`;
    return found(index, { issue }).find(({ path }) => path === 'waiter.py')?.evidence.frame?.value;
  };
  assert.equal(findFrame(startLine, 'run'), 1);
  assert.equal(findFrame(endLine + 100, 'run'), undefined);
  assert.equal(findFrame(startLine, 'walk'), undefined);
});

test('without embeddings, the other signals decide', () => {
  const results = found(new MemoryIndex(FILES), {}, null);
  assert.equal(results[0].address, 'shop/cart.py::Cart.total');
  assert.ok(results.every(({ evidence }) => evidence.dense === undefined));
});

test('a missing embedding does not change the score of a chunk', () => {
  const index = new MemoryIndex(FILES);
  const results = found(index);
  const [slot] = index.getSlotsByName('test_total');
  assert.ok(!index.vectors.has(slot));
  assert.equal(results.find(({ name }) => name === 'test_total')!.evidence.dense, undefined);
  assert.notEqual(results.find(({ name }) => name === 'price')!.evidence.dense, undefined);
});

test('tests are demoted, left out, or treated as source', () => {
  const index = new MemoryIndex(FILES);
  const rank = (tests: SearchRequest['tests']) =>
    found(index, { tests, issue: 'test_total fails' }).find(({ role }) => role === 'test');
  assert.ok(rank('demote')!.evidence.role.contribution < 0);
  assert.equal(rank('exclude'), undefined);
  assert.equal(rank('include')!.evidence.role.contribution, 0);
  assert.ok(rank('include')!.rank <= rank('demote')!.rank);
});

test('filters by path and kind', () => {
  const index = new MemoryIndex(FILES);
  const paths = (...globs: string[]) =>
    [...new Set(found(index, { paths: globs }).map(({ path }) => path))].sort();
  assert.deepEqual(paths('shop/prices.py'), ['shop/prices.py']);
  assert.deepEqual(paths('tests/', './shop/m*.py'), ['shop/mail.py', 'tests/test_cart.py']);
  assert.deepEqual(paths('**/*cart*'), ['shop/cart.py', 'tests/test_cart.py']);
  assert.deepEqual(addresses(index, { kinds: ['class'] }), ['shop/cart.py::Cart']);
  const { issue, results } = search(index, null, { issue: ISSUE, paths: ['nowhere/'] });
  assert.deepEqual(results, []);
  assert.ok(issue.notes.includes('No result passes the filters.'));
});

test('the limit only cuts the list', () => {
  const index = new MemoryIndex(FILES);
  assert.deepEqual(addresses(index, { limit: 2 }), addresses(index).slice(0, 2));
});

test('the same content gives the same ranking, whatever its history', () => {
  const expected = found(new MemoryIndex(FILES));
  const index = new MemoryIndex(Object.fromEntries(Object.entries(FILES).reverse()));
  index.addFile('shop/late.py', [{ name: 'total', text: 'cart total' }]);
  index.removeFile('shop/cart.py');
  index.addFile('shop/cart.py', FILES['shop/cart.py']);
  index.removeFile('shop/late.py');
  const actual = found(index);
  assert.deepEqual(
    actual.map(({ address }) => address),
    expected.map(({ address }) => address),
  );
  for (const [i, { score }] of actual.entries())
    assert.ok(Math.abs(score - expected[i].score) < 1e-9);
});

test('equal scores are in order of path and line', () => {
  const twin = (name: string, line: number) => ({
    name,
    lines: [line, line] as [number, number],
    text: 'cart',
  });
  const index = new MemoryIndex({
    'b.py': [twin('y', 5), twin('x', 2)],
    'a.py': [twin('z', 3), twin('w', 7)],
  });
  const list = addresses(index, { issue: 'cart', kinds: ['function'] }, null);
  assert.deepEqual(list, ['a.py::z', 'a.py::w', 'b.py::x', 'b.py::y']);
});

test('an issue without content finds nothing, with a note', () => {
  const index = new MemoryIndex(FILES);
  for (const issue of ['', ' \n', '!?', 'zzz qqq']) {
    const { results, issue: report } = search(index, null, { issue });
    assert.deepEqual(results, []);
    assert.ok(report.notes.length > 0);
  }
  assert.deepEqual(
    search(index, queryVectors(Float32Array.of(0, 0, 0)), { issue: '!' }).results,
    [],
  );
  const empty = search(new MemoryIndex(), null, { issue: ISSUE });
  assert.deepEqual(
    [empty.results, empty.issue.notes.at(-1)],
    [[], 'There is no code here in a language that Locus reads.'],
  );
});

test('a query vector without a direction is ignored', () => {
  const results = search(new MemoryIndex(FILES), queryVectors(Float32Array.of(Number.NaN, 0, 0)), {
    issue: ISSUE,
  }).results;
  assert.equal(results[0].address, 'shop/cart.py::Cart.total');
});

test('another ranker gives another order', () => {
  const ranker = checkLinearModel(
    { id: 'long', version: '1', kind: 'linear', origin: 'a test', weights: { length: 1 } },
    SIGNALS,
  );
  const { results } = search(new MemoryIndex(FILES), null, { issue: ISSUE }, { ranker });
  assert.equal(results[0].address, 'shop/cart.py::Cart.total');
  assert.ok(
    Object.entries(results[0].evidence).every(
      ([name, { contribution }]) => name === 'length' || contribution === 0,
    ),
  );
});

test('a ranker with unknown signals or without weights is refused', () => {
  const ranker = { id: 'r', version: '1', kind: 'linear', origin: '' };
  const refused = (file: unknown, message: RegExp) =>
    assert.throws(() => checkLinearModel(file, SIGNALS), {
      name: 'LocusError',
      code: 'bad-model',
      message,
    });
  refused({ ...ranker, weights: { dense: 1, taste: 2 } }, /unknown signals: taste/);
  refused({ ...ranker, weights: { dense: 'much' } }, /dense/);
  refused({ ...ranker }, /no weights/);
  refused(null, /no weights/);
});
