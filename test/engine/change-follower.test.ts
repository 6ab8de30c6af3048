import assert from 'node:assert/strict';
import { describe, it, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Encoder } from '../../src/engine/encode/types.ts';
import { ChangeFollower } from '../../src/engine/pipeline/change-follower.ts';
import type { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import type { WatchUpdate } from '../../src/shared/indexing.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, quickEncoder, SmallProcess } from '../support/small-index.ts';

/** Creates a shop with a cart, and a folder for its index. */
function shop(t: TestContext): { folder: string; tree: MemoryTree } {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const tree = new MemoryTree();
  tree.files.set('shop/cart.py', 'def total(items):\n    return sum(items)\n');
  return { folder, tree };
}

test('after a while without edits their memory is freed, and the next edit is still followed', async (t) => {
  const { folder, tree } = shop(t);
  tree.files.set(
    'shop/till.py',
    'from shop.cart import total\n\ndef pay():\n    return total([])\n',
  );
  const process = new SmallProcess(folder, tree, () => 0);
  t.after(() => process.close());
  const rested: number[] = [];
  const { indexer, snapshot } = process;
  const rest = indexer.releaseMemory.bind(indexer);
  indexer.releaseMemory = () => {
    rested.push(performance.now());
    rest();
  };
  const following = new ChangeFollower(snapshot, indexer, process.abort.signal, { idleMs: 50 });
  await process.run(undefined, true);
  await following.prepareEdits();
  while (rested.length === 0) await sleep(10);

  tree.files.set('shop/cart.py', 'def sum_up(items):\n    return sum(items)\n');
  await following.apply({ paths: new Set(['shop/cart.py']), rescan: false });
  assert.equal(snapshot.index.edgeCount, 0);
  while (rested.length === 1) await sleep(10);
  tree.files.set('shop/cart.py', 'def total(items):\n    return sum(items)\n');
  await following.apply({ paths: new Set(['shop/cart.py']), rescan: false });
  assert.equal(snapshot.index.edgeCount, 1);
  process.abort.abort();
  const times = rested.length;
  await sleep(120);
  assert.equal(rested.length, times);
});

test('searchable text is reported first if calls take long to resolve, otherwise there is one report', async (t) => {
  const { folder, tree } = shop(t);
  const process = new SmallProcess(folder, tree, () => 0);
  t.after(() => process.close());
  const { indexer, snapshot } = process;
  const following = new ChangeFollower(snapshot, indexer, process.abort.signal, { prepare: false });
  await process.run(undefined, true);
  await following.prepareEdits();
  const told: string[][] = [];
  const edit = async (name: string) => {
    tree.files.set('shop/cart.py', `def ${name}(items):\n    return sum(items)\n`);
    const batch = { paths: new Set(['shop/cart.py']), rescan: false };
    const names = () => [...snapshot.index.chunks].flatMap((chunk) => chunk?.name ?? []);
    const update = await following.apply(batch, ({ changed }) =>
      told.push([...changed, ...names()]),
    );
    assert.deepEqual(update.changed, ['shop/cart.py']);
  };
  // However slow this machine is, the first edit takes less than the time after which it is reported.
  const start = setTimeout;
  const patient = t.mock.method(globalThis, 'setTimeout', (work: () => void, ms: number) =>
    start(work, ms === 100 ? 60_000 : ms),
  );
  await edit('sum_up');
  assert.equal(told.length, 0);
  patient.mock.restore();
  const update = indexer.update.bind(indexer);
  indexer.update = async (...args) => {
    const done = await update(...args);
    await sleep(400);
    return done;
  };
  await edit('add_up');
  assert.equal(told.length, 1);
  assert.deepEqual(told.flat(), ['shop/cart.py', '<module>', 'add_up']);
});

describe('the graph is resolved before the first edit', () => {
  /** Returns how often the searchable text of two edits is reported before their calls. */
  async function toldOfEdits(t: TestContext, readyChunks: number): Promise<number[]> {
    const { folder, tree } = shop(t);
    const process = new SmallProcess(folder, tree, () => 0, quickEncoder, readyChunks);
    t.after(() => process.close());
    await process.run(undefined, true);
    await process.following.prepareEdits();
    const told: number[] = [];
    for (const name of ['sum_up', 'add_up']) {
      tree.files.set('shop/cart.py', `def ${name}(items):\n    return sum(items)\n`);
      let times = 0;
      const batch = { paths: new Set(['shop/cart.py']), rescan: false };
      await process.following.apply(batch, () => times++);
      told.push(times);
    }
    return told;
  }

  it('in a repository of few chunks', async (t) => {
    assert.deepEqual(await toldOfEdits(t, 2), [0, 0]);
  });

  it('but not in a larger one, where an edit resolves it', async (t) => {
    assert.deepEqual(await toldOfEdits(t, 1), [1, 0]);
  });
});

describe('the first edit after a restart, which waits for the whole graph', () => {
  const edited =
    'from shop.tax import add_tax\n\ndef sum_up(items):\n    return add_tax(sum(items))\n';

  it('is reported once its text and embeddings are searchable; calls and final embeddings follow', async (t) => {
    const { snapshot, edit } = await openedAgain(t);
    const told: { names: string[]; embedded: string[]; chunksEncoded: number }[] = [];
    const tell = ({ chunksEncoded }: WatchUpdate) => {
      assert.equal(snapshot.index.edgeCount, 0);
      told.push({ ...cartOf(snapshot.index), chunksEncoded });
    };
    const whole = await edit(edited, tell);
    const names = ['<module>', 'sum_up'];
    assert.deepEqual(told, [{ names, embedded: names, chunksEncoded: 2 }]);
    assert.equal(snapshot.index.edgeCount, 1);
    assert.deepEqual([cartOf(snapshot.index).embedded, whole.chunksEncoded], [names, 2]);
    await edit(edited.replaceAll('sum_up', 'add_up'), tell);
    assert.equal(told.length, 1, 'the graph is known by then');
  });

  it('is reported even if the encoder fails, and the update then fails', async (t) => {
    const encode = () => Promise.reject(new Error('no encoder'));
    const { snapshot, edit } = await openedAgain(t, { encode });
    const told: ReturnType<typeof cartOf>[] = [];
    const update = edit(edited, () => told.push(cartOf(snapshot.index)));
    await assert.rejects(update, /no encoder/);
    assert.deepEqual(told, [{ names: ['<module>', 'sum_up'], embedded: [] }]);
    assert.equal(snapshot.index.edgeCount, 1);
  });

  it('is reported before a slow encoder has finished, and again afterwards', async (t) => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const encode: Encoder['encode'] = async (...asked) => {
      await answered;
      return quickEncoder.encode(...asked);
    };
    const { snapshot, edit } = await openedAgain(t, { encode });
    const told: string[][] = [];
    await edit(edited, () => {
      told.push(cartOf(snapshot.index).embedded);
      answer();
    });
    assert.deepEqual(told, [[], ['<module>', 'sum_up']]);
  });

  it('is reported without embeddings if it changed many functions', async (t) => {
    const { snapshot, edit } = await openedAgain(t);
    const functions = Array.from({ length: 200 }, (_, i) => `def sum${i}():\n    return ${i}\n`);
    const told: number[] = [];
    await edit(functions.join('\n'), () => told.push(cartOf(snapshot.index).embedded.length));
    assert.deepEqual(told, [0]);
    assert.equal(cartOf(snapshot.index).embedded.length, 201);
  });
});

/** Opens a shop that another process has indexed, without a resolved graph in memory. */
async function openedAgain(t: TestContext, encoder: Partial<Encoder> = {}) {
  const { folder, tree } = shop(t);
  tree.files.set('shop/tax.py', 'def add_tax(price):\n    return price * 1.19\n');
  const first = new SmallProcess(folder, tree, () => 0);
  await first.run();
  await first.close();
  const again = new SmallProcess(folder, tree, () => 0, { ...quickEncoder, ...encoder });
  t.after(() => again.close());
  const { indexer, snapshot } = again;
  const following = new ChangeFollower(snapshot, indexer, again.abort.signal, { prepare: false });
  await again.run(undefined, true);
  await following.prepareEdits();
  const edit = (text: string, onSearchable: (update: WatchUpdate) => void) => {
    tree.files.set('shop/cart.py', text);
    return following.apply({ paths: new Set(['shop/cart.py']), rescan: false }, onSearchable);
  };
  return { snapshot, edit };
}

/** Returns the names of the chunks in the cart's file, and of those with an embedding. */
function cartOf(index: RepositoryIndex): { names: string[]; embedded: string[] } {
  const name = (slot: number) => index.getChunk(slot).name;
  const slots = index.getSlotsByPath('shop/cart.py');
  return {
    names: slots.map(name),
    embedded: slots.filter((slot) => index.vectors.has(slot)).map(name),
  };
}
