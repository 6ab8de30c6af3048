import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findReachingTests } from '../../src/engine/inspect/reaching-tests.ts';
import type { SearchIndex } from '../../src/engine/snapshot/types.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const FILES = {
  'shop/cart.py': `def price_of(item):
    return item.price


def total(items):
    return sum(price_of(item) for item in items)


def unreached():
    return 1


def ping(n):
    return pong(n - 1) if n else 0


def pong(n):
    return ping(n - 1) if n else 1


class Cart:
    def __init__(self, items):
        self.items = items

    def checkout(self):
        return total(self.items)
`,
  'tests/helpers.py': `from shop.cart import Cart


def filled_cart():
    return Cart([])
`,
  'tests/test_cart.py': `from shop.cart import Cart, ping, price_of, total
from tests.helpers import filled_cart


def test_price():
    assert price_of(None) == 0


def test_total():
    assert total([]) == 0


def test_checkout():
    assert Cart([]).checkout() == 0


def test_filled():
    cart: Cart = filled_cart()
    assert cart.checkout() == 0


def test_ping():
    assert ping(4) == 0
`,
};

describe('tests that reach a function', () => {
  let root: string;
  let dataDir: string;
  let repository: Repository;
  const reach = async (chunk: string, bounds: { steps?: number; limit?: number } = {}) => {
    const { tests, ...rest } = await repository.tests({ chunk, ...bounds });
    const listed = tests.map(({ name, distance, next }) => `${name} ${distance} ${next.name}`);
    return { listed, tests, ...rest };
  };

  before(async () => {
    root = gitRepository(FILES);
    dataDir = temporaryFolder();
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
  });
  after(async () => {
    await repository.close();
    for (const folder of [root, dataDir]) removeFolder(folder);
  });

  it('are listed with distance and next step, nearest first', async () => {
    const { listed, of, hidden, between, ended } = await reach('price_of');
    assert.equal(of.address, 'shop/cart.py::price_of');
    assert.deepEqual(listed, [
      'test_price 1 price_of',
      'test_total 2 total',
      'test_checkout 3 checkout',
      'test_filled 3 checkout',
    ]);
    assert.deepEqual({ hidden, between, ended }, { hidden: 0, between: 2, ended: null });
  });

  it('reach a class through its members too, and test helpers count as tests', async () => {
    const { listed } = await reach('Cart');
    assert.deepEqual(
      new Set(listed.map((line) => line.split(' ')[0])),
      new Set(['filled_cart', 'test_checkout', 'test_filled']),
    );
  });

  it('are found through cycles of calls, which are followed once', async () => {
    const { listed, between } = await reach('pong');
    assert.deepEqual(listed, ['test_ping 2 ping']);
    assert.equal(between, 1);
  });

  it('are empty if no test calls it, unlike for a search that stopped early', async () => {
    assert.deepEqual(await reach('unreached').then(({ listed, ended }) => ({ listed, ended })), {
      listed: [],
      ended: null,
    });
    assert.deepEqual(
      await reach('price_of', { steps: 1 }).then(({ listed, ended }) => ({ listed, ended })),
      { listed: ['test_price 1 price_of'], ended: 'steps' },
    );
    assert.equal((await reach('price_of', { steps: 3 })).ended, null);
  });

  it('are limited to the nearest, and the others are counted', async () => {
    const { listed, hidden } = await reach('price_of', { limit: 2 });
    assert.deepEqual(listed, ['test_price 1 price_of', 'test_total 2 total']);
    assert.equal(hidden, 2);
    await assert.rejects(reach('price_of', { limit: 0 }), { code: 'bad-input' });
  });
});

describe('a search for tests', () => {
  /** Creates a graph in which `callers[n]` call chunk n. Names that start with `test` are in a test file. */
  const graph = (names: string[], callers: Record<number, [slot: number, guess: boolean][]>) => {
    const chunks = names.map((name, slot) => ({
      ...{ id: slot, parent: -1, length: 1, name, qualifiedName: name, ordinal: 0 },
      ...{ kind: 'function', language: 'python', startLine: slot + 1, endLine: slot + 1 },
      ...(name.startsWith('test')
        ? { role: 'test', path: 'tests/test_a.py' }
        : { role: 'source', path: 'a.py' }),
    }));
    return {
      getChunk: (slot: number) => chunks[slot],
      getSlotsByPath: () => [],
      getCallers: (slot: number) =>
        (callers[slot] ?? []).map(([from, guess]) => ({ slot: from, guess, kind: 'call' })),
    } as unknown as SearchIndex;
  };
  const WHOLE = { steps: 10, limit: 10 };

  it('prefers the path without a guessed call among equally short ones', () => {
    const index = graph(['f', 'guessed', 'certain', 'test_f'], {
      0: [
        [1, true],
        [2, false],
      ],
      1: [[3, false]],
      2: [[3, false]],
    });
    const [test] = findReachingTests(index, 0, WHOLE).tests;
    assert.equal(test?.next.name, 'certain');
    assert.equal(test?.guess, false);
    const guessed = graph(['f', 'guessed', 'test_f'], { 0: [[1, true]], 1: [[2, false]] });
    assert.equal(findReachingTests(guessed, 0, WHOLE).tests[0]?.guess, true);
  });

  it('stops if too much reaches the function, and says so', () => {
    const names = ['f', 'a', 'b', 'test_a', 'test_b'];
    const index = graph(names, {
      0: [
        [1, false],
        [2, false],
      ],
      1: [[3, false]],
      2: [[4, false]],
    });
    const whole = findReachingTests(index, 0, WHOLE, 4);
    assert.deepEqual([whole.tests.length, whole.ended], [2, null]);
    const cut = findReachingTests(index, 0, WHOLE, 3);
    assert.deepEqual([cut.tests.map(({ name }) => name), cut.ended], [['test_a'], 'chunks']);
  });

  it('returns the same whatever the order of calls', () => {
    const names = ['f', 'a', 'b', 'test_a', 'test_b'];
    const calls = (reverse: boolean) => {
      const order = <T>(list: T[]) => (reverse ? list.toReversed() : list);
      return graph(names, {
        0: order([
          [1, false],
          [2, false],
        ]),
        1: order([
          [3, false],
          [4, false],
        ]),
        2: order([
          [4, false],
          [3, false],
        ]),
      });
    };
    assert.deepEqual(
      findReachingTests(calls(true), 0, WHOLE),
      findReachingTests(calls(false), 0, WHOLE),
    );
  });
});
