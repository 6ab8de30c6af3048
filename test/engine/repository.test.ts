import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const FILES = {
  'shop/__init__.py': 'from shop.cart import Cart\n',
  'shop/cart.py': `from shop.prices import price_of


class Cart:
    """What a customer wants to buy."""

    def __init__(self):
        self.items = []

    def total(self):
        """The sum of all prices, discounts included."""
        return sum(price_of(item) for item in self.items)
`,
  'shop/prices.py': `PRICES = {"pen": 2}


def price_of(item):
    """The price of one item; unknown items are free."""
    return PRICES.get(item, 0)


def discount(percent):
    return 1 - percent / 100
`,
  'tests/test_cart.py': `from shop import Cart


def test_total():
    assert Cart().total() == 0
`,
  'README.md': '# Shop\n',
};
const ISSUE =
  'Cart.total ignores the discount\n\nprice_of returns 0 for unknown items, see shop/prices.py';

let root: string;
let dataDir: string;
let repository: Repository;
beforeEach(async () => {
  root = gitRepository(FILES);
  dataDir = temporaryFolder();
  installSecondModel(dataDir);
  repository = await openRepository(root, { dataDir, device: 'cpu' });
});
afterEach(async () => {
  await repository.close();
  removeFolder(root);
  removeFolder(dataDir);
});

async function reopen(options: { revision?: string } = {}): Promise<void> {
  await repository.close();
  repository = await openRepository(root, { dataDir, device: 'cpu', ...options });
}

test('a search after indexing ranks the relevant functions first, with their evidence', async () => {
  const report = await repository.index();
  assert.equal(report.files, 4);
  assert.equal(report.filesParsed, 5, 'with README.md');
  assert.equal(report.chunksEncoded > 0, true);
  const { results, issue, partial } = await repository.search({ issue: ISSUE });
  assert.equal(partial, null);
  const top = results.slice(0, 5).map((result) => result.address);
  assert.ok(top.includes('shop/cart.py::Cart.total'), top.join());
  assert.ok(top.includes('shop/prices.py::price_of'), top.join());
  assert.deepEqual(issue.paths[0].files, ['shop/prices.py']);
  for (const { score, evidence } of results) {
    const sum = Object.values(evidence).reduce((total, signal) => total + signal.contribution, 0);
    assert.ok(Math.abs(sum - score) < 1e-4, 'contributions add up to the score');
  }
});

test('before and during indexing, a search returns a partial list', async () => {
  const before = await repository.search({ issue: ISSUE });
  assert.deepEqual(before.results, []);
  assert.match(before.partial!.reason, /nothing is indexed/);
  const indexing = repository.index();
  const during = await repository.search({ issue: ISSUE });
  assert.notEqual(during.partial, null);
  await indexing;
  assert.equal((await repository.search({ issue: ISSUE })).partial, null);
});

test('an index persists when the repository is reopened, and a second run has nothing to do', async () => {
  await repository.index();
  const first = await repository.search({ issue: ISSUE });
  await reopen();
  const second = await repository.search({ issue: ISSUE });
  assert.deepEqual(
    second.results.map(({ address, score }) => [address, score]),
    first.results.map(({ address, score }) => [address, score]),
  );
  const again = await repository.index();
  assert.deepEqual([again.filesParsed, again.filesRemoved, again.chunksEncoded], [0, 0, 0]);
});

test('touching a file changes nothing; changing a function encodes it and its callers again', async () => {
  await repository.index();
  writeFileSync(join(root, 'shop/prices.py'), FILES['shop/prices.py']);
  assert.equal((await repository.index()).filesParsed, 0);
  writeFileSync(
    join(root, 'shop/prices.py'),
    FILES['shop/prices.py'].replace('.get(item, 0)', '[item]'),
  );
  const report = await repository.index();
  assert.equal(report.filesParsed, 1);
  // price_of itself, and Cart.total, whose encoder input contains the beginning of price_of.
  assert.equal(report.chunksEncoded, 2);
  assert.match((await repository.show({ chunk: 'price_of' })).code, /PRICES\[item\]/);
});

test('removed, moved and unreadable files leave the index, and their neighbors stay correct', async () => {
  await repository.index();
  renameSync(join(root, 'shop/prices.py'), join(root, 'shop/costs.py'));
  await repository.index();
  assert.deepEqual((await repository.show({ chunk: 'Cart.total' })).callees, []);
  writeFileSync(
    join(root, 'shop/cart.py'),
    FILES['shop/cart.py'].replace('shop.prices', 'shop.costs'),
  );
  await repository.index();
  assert.deepEqual(
    (await repository.show({ chunk: 'Cart.total' })).callees.map((edge) => edge.callee),
    ['shop/costs.py::price_of'],
  );
  writeFileSync(join(root, 'shop/costs.py'), Buffer.from([0x64, 0x65, 0, 1, 2]));
  const report = await repository.index();
  assert.equal(report.skipped, 1);
  assert.deepEqual(
    (await repository.skipped()).map((file) => [file.path, file.reason]),
    [['shop/costs.py', 'binary']],
  );
  assert.deepEqual((await repository.show({ chunk: 'Cart.total' })).callees, []);
});

test('show returns code, callers, callees with sites, and the exact input of the encoder', async () => {
  await repository.index();
  const total = await repository.show({ chunk: 'shop/cart.py::Cart.total' });
  assert.deepEqual([total.kind, total.startLine, total.endLine], ['method', 10, 12]);
  assert.match(total.code, /^ {4}def total\(self\):/);
  assert.match(total.docstring!, /The sum of all prices/);
  assert.deepEqual(
    total.callers.map((edge) => [edge.caller, edge.sites.length]),
    [['tests/test_cart.py::test_total', 1]],
  );
  assert.deepEqual(total.callees, [
    {
      caller: 'shop/cart.py::Cart.total',
      callee: 'shop/prices.py::price_of',
      kind: 'call',
      guess: false,
      sites: [{ line: 12, column: 19 }],
    },
  ]);
  const callee = total.context.parts.find((part) => part.role === 'callee')!;
  assert.equal(callee.address, 'shop/prices.py::price_of');
  assert.match(callee.text, /def price_of\(item\)/);
  assert.equal(total.context.embedded, true);
  const module = await repository.show({ chunk: 'shop/prices.py::<module>' });
  assert.match(module.code, /^PRICES = /);
  assert.doesNotMatch(module.code, /def price_of/);
});

test('chunks are found by address, line or unique name; otherwise the error lists candidates', async () => {
  await repository.index();
  for (const name of [
    'shop/cart.py::Cart.total',
    'cart.py::Cart.total',
    'shop/cart.py:12',
    'Cart.total',
    'total',
  ]) {
    assert.equal(
      (await repository.show({ chunk: name })).address,
      'shop/cart.py::Cart.total',
      name,
    );
  }
  const fails = (name: string, code: string) =>
    assert.rejects(
      repository.show({ chunk: name }),
      (error) => error instanceof LocusError && error.code === code,
      name,
    );
  await fails('nowhere.py::f', 'not-found');
  await fails('no_such_name', 'not-found');
  writeFiles(root, { 'shop/other.py': 'def price_of(): pass\n' });
  await repository.index();
  await fails('price_of', 'ambiguous');
});

test('neighbors are callers and callees by depth, up to a limit, with the number left out', async () => {
  await repository.index();
  const both = await repository.neighbors({ chunk: 'Cart.total' });
  assert.deepEqual(
    both.nodes.map((node) => [node.address, node.distance]),
    [
      ['shop/cart.py::Cart.total', 0],
      ['shop/prices.py::price_of', 1],
      ['tests/test_cart.py::test_total', -1],
    ],
  );
  const callers = await repository.neighbors({ chunk: 'price_of', depth: 2, direction: 'callers' });
  assert.deepEqual(
    callers.nodes.map((node) => node.distance),
    [0, -1, -2],
  );
  const limited = await repository.neighbors({ chunk: 'Cart.total', limit: 2 });
  assert.equal(limited.nodes[0].hidden, 1);
  await assert.rejects(repository.neighbors({ chunk: 'Cart.total', depth: 9 }), /depth/);
});

test('a commit is indexed from the object store, and shares work with the working tree', async () => {
  await repository.index();
  writeFileSync(join(root, 'shop/prices.py'), 'def cost_of(item):\n    return 0\n');
  git(root, 'commit', '-qam', 'Rename price_of');
  await repository.index();
  await reopen({ revision: 'HEAD~1' });
  const report = await repository.index();
  assert.deepEqual([report.filesParsed, report.chunksEncoded], [0, 0], 'nothing is parsed again');
  assert.equal((await repository.show({ chunk: 'price_of' })).path, 'shop/prices.py');
  await assert.rejects(repository.show({ chunk: 'cost_of' }));
  assert.equal((await repository.status()).revision, git(root, 'rev-parse', 'HEAD~1'));
  await reopen();
  assert.equal((await repository.show({ chunk: 'cost_of' })).path, 'shop/prices.py');
});

test('a bare repository is indexed without a checkout', async () => {
  const bare = join(temporaryFolder(), 'shop.git');
  git(root, 'clone', '-q', '--bare', root, bare);
  const opened = await openRepository(bare, { dataDir, device: 'cpu', revision: 'HEAD' });
  try {
    await opened.index();
    const { results } = await opened.search({ issue: ISSUE, tests: 'exclude' });
    assert.ok(results.length > 0);
    assert.ok(results.every((result) => result.role === 'source'));
  } finally {
    await opened.close();
    removeFolder(join(bare, '..'));
  }
});

test('indexing continues after a cancellation with the stored results', async () => {
  writeFiles(root, syntheticPackage(300));
  const abort = new AbortController();
  const run = repository.index({
    signal: abort.signal,
    onProgress: ({ phase }) => {
      if (phase === 'graph') abort.abort();
    },
  });
  await assert.rejects(run, (error) => error instanceof LocusError && error.code === 'cancelled');
  const report = await repository.index();
  assert.equal(report.filesParsed, 0);
  assert.equal((await repository.status()).state, 'complete');
  // Data that was only in memory at the cancellation is stored as well.
  const afresh = temporaryFolder();
  const other = await openRepository(root, { dataDir: afresh, device: 'cpu' });
  await other.index();
  await other.close();
  assertSameIndex(dataDir, afresh);
  removeFolder(afresh);
});

test('after random edits, an index equals a fresh one', async () => {
  writeFiles(root, syntheticPackage(30));
  await repository.index();
  const random = seeded(7);
  const path = (n: number) => join(root, `pkg/module_${n}.py`);
  for (let round = 0; round < 8; round++) {
    for (let edit = 0; edit < 4; edit++) {
      const n = Math.floor(random() * 30);
      if (!existsSync(path(n)))
        writeFileSync(path(n), `def back_${n}():\n    return check(${n})\n`);
      else if (random() < 0.3) rmSync(path(n));
      else if (random() < 0.5)
        writeFileSync(
          path(n),
          readFileSync(path(n), 'utf8').replace('return value', 'return  not value'),
        );
      else
        writeFileSync(
          path(n),
          `${readFileSync(path(n), 'utf8')}\n\ndef extra_${round}_${n}():\n    return extra_${round}_${n}()\n`,
        );
    }
    await repository.index();
  }
  await repository.close();
  const fresh = temporaryFolder();
  repository = await openRepository(root, { dataDir: fresh, device: 'cpu' });
  await repository.index();
  await repository.close();
  assertSameIndex(dataDir, fresh);
  removeFolder(fresh);
  repository = await openRepository(root, { dataDir, device: 'cpu' });
});

test('a repository that is open twice sees what the other one has indexed', async () => {
  const other = await openRepository(root, { dataDir, device: 'cpu' });
  try {
    const [first, second] = await Promise.all([repository.index(), other.index()]);
    assert.deepEqual([first.filesParsed, second.filesParsed].sort(), [0, 5]);
    assert.deepEqual(
      (await other.search({ issue: ISSUE })).results,
      (await repository.search({ issue: ISSUE })).results,
    );
  } finally {
    await other.close();
  }
});

test('unusual issues get a response and a note, never a crash', async () => {
  await repository.index();
  const odd = {
    empty: '',
    spaces: ' \n\t\n',
    'one word': 'discount',
    'no English': '合計が間違っています。割引が無視されます 🛒',
    binary: String.fromCharCode(...Array.from({ length: 3000 }, (_, i) => i % 256)),
    'lone surrogate': '\ud800 total \udfff',
    log: '2024-01-01 12:00:00 ERROR shop.prices price_of failed for item 17\n'.repeat(3000),
    'one long line': 'total'.repeat(40_000),
    'only a traceback': `Traceback (most recent call last):
  File "/home/me/shop/cart.py", line 12, in total
    return sum(price_of(item) for item in self.items)
  File "/home/me/shop/prices.py", line 6, in price_of
    return PRICES.get(item, 0)
TypeError: unhashable type: 'list'`,
  };
  for (const [name, issue] of Object.entries(odd)) {
    const { results, issue: report } = await repository.search({ issue });
    assert.ok(
      results.length > 0 || report.notes.length > 0,
      `${name}: results, or a note why there are none`,
    );
  }
  const { issue } = await repository.search({ issue: odd['only a traceback'] });
  assert.deepEqual(
    issue.frames.map((frame) => frame.address),
    ['shop/cart.py::Cart.total', 'shop/prices.py::price_of'],
  );
});

test('invalid requests are refused, and the error names the field', async () => {
  const refused = (request: object, field: RegExp) =>
    assert.rejects(
      repository.search(request as never),
      (error) => error instanceof LocusError && field.test(error.message),
    );
  await refused({ issue: 5 }, /issue/);
  await refused({ issue: 'x', limit: 0 }, /limit/);
  await refused({ issue: 'x', tests: 'maybe' }, /tests/);
  await refused({ issue: 'x', kinds: ['lambda'] }, /kinds/);
});

test('a folder that cannot be opened is refused with a remedy', async () => {
  const refused = (promise: Promise<unknown>, code: string) =>
    assert.rejects(
      promise,
      (error) => error instanceof LocusError && error.code === code && error.remedy.length > 0,
    );
  await refused(openRepository(join(root, 'nowhere'), { dataDir }), 'bad-repository');
  await refused(openRepository(join(root, 'README.md'), { dataDir }), 'bad-repository');
  await refused(openRepository(root, { dataDir, revision: 'no-such-branch' }), 'bad-repository');
  await refused(openRepository(root, { dataDir, model: 'no-such-model' }), 'bad-model');
  await refused(openRepository(root, { dataDir: join(root, 'README.md') }), 'bad-store');
});

function seeded(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a function in a file with a backslash in its name is found by its address', {
  skip: process.platform === 'win32' && 'there it separates folders',
}, async () => {
  writeFiles(root, { 'shop/back\\slash.py': 'def escape(text):\n    return text\n' });
  await repository.index();
  const [found] = await repository.find({ query: 'escape', limit: 1 });
  assert.equal(found?.address, 'shop/back\\slash.py::escape');
  for (const name of [found.address, 'shop/back\\slash.py:1'])
    assert.equal((await repository.show({ chunk: name })).address, found.address);
  assert.equal(
    (await repository.show({ chunk: 'shop\\prices.py::discount' })).path,
    'shop/prices.py',
  );
});
