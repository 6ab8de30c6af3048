import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Following } from '../../src/engine/pipeline/following.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, SmallProcess } from '../support/small-index.ts';

test('after a while without an edit what only edits need leaves memory, and the next one is followed all the same', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const tree = new MemoryTree();
  tree.files.set('shop/cart.py', 'def total(items):\n    return sum(items)\n');
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
