import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Following } from '../../src/engine/pipeline/following.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, SmallProcess } from '../support/small-index.ts';

/** A shop with a cart, and a folder for its index. */
function shop(t: TestContext): { folder: string; tree: MemoryTree } {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const tree = new MemoryTree();
  tree.files.set('shop/cart.py', 'def total(items):\n    return sum(items)\n');
  return { folder, tree };
}

test('after a while without an edit what only edits need leaves memory, and the next one is followed all the same', async (t) => {
  const { folder, tree } = shop(t);
  tree.files.set(
    'shop/till.py',
    'from shop.cart import total\n\ndef pay():\n    return total([])\n',
  );
  const process = new SmallProcess(folder, tree, () => 0);
  t.after(() => process.close());
  const rested: number[] = [];
  const { indexer, snapshot } = process;
  const rest = indexer.rest.bind(indexer);
  indexer.rest = async () => {
    rested.push(performance.now());
    await rest();
  };
  const following = new Following(snapshot, indexer, process.abort.signal, { idleMs: 50 });
  await following.catchUp();
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

test('where calls take long to resolve, it is told before that search has the text, and else once', async (t) => {
  const { folder, tree } = shop(t);
  const process = new SmallProcess(folder, tree, () => 0);
  t.after(() => process.close());
  const { indexer, snapshot } = process;
  const following = new Following(snapshot, indexer, process.abort.signal, { prepare: false });
  await following.catchUp();
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
  await edit('sum_up');
  assert.equal(told.length, 0);
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

test('the first edit after opening again, which waits for the whole graph, is told of as soon as search has its text', async (t) => {
  const { folder, tree } = shop(t);
  const first = new SmallProcess(folder, tree, () => 0);
  await first.indexer.run(first.snapshot.index);
  first.close();
  const again = new SmallProcess(folder, tree, () => 0);
  t.after(() => again.close());
  const { indexer, snapshot } = again;
  const following = new Following(snapshot, indexer, again.abort.signal, { prepare: false });
  await following.catchUp();
  const told: string[] = [];
  const edit = async (name: string) => {
    tree.files.set('shop/cart.py', `def ${name}(items):\n    return sum(items)\n`);
    await following.apply({ paths: new Set(['shop/cart.py']), rescan: false }, () =>
      told.push([...snapshot.index.chunks].flatMap((chunk) => chunk?.name ?? []).join(' ')),
    );
  };
  await edit('sum_up');
  assert.deepEqual(told, ['<module> sum_up']);
  await edit('add_up');
  assert.equal(told.length, 1, 'the graph is known by then');
});
