/** Embeddings that are released from memory are the same when they are loaded again. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { LiveSnapshot } from '../../src/engine/snapshot/live-snapshot.ts';
import { openTree } from '../../src/engine/source/open.ts';
import type { SourceTree } from '../../src/engine/source/types.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { makeVector, SmallProcess } from '../support/small-index.ts';

const QUERY = makeVector('0123456789abcdef0123456789abcdef01234567');

let root: string;
let dataDir: string;
let tree: SourceTree;
let own: SmallProcess;

beforeEach(async () => {
  root = gitRepository(syntheticPackage(6));
  dataDir = temporaryFolder();
  tree = await openTree(root, {});
  own = new SmallProcess(dataDir, tree, () => 0);
  await own.run();
});

afterEach(async () => {
  await own.close();
  await tree.close();
  for (const folder of [root, dataDir]) removeFolder(folder);
});

/** Returns the similarity of each embedded chunk to a query, by address. */
function similarities({ index }: LiveSnapshot): Map<string, number | undefined> {
  const found = index.vectors.getSimilarities(QUERY);
  return new Map(
    [...index.vectors.listSlots()].map((slot) => {
      const { path, qualifiedName, ordinal } = index.getChunk(slot);
      return [`${path} ${qualifiedName} ${ordinal}`, found[slot]];
    }),
  );
}

function rested(): LiveSnapshot['index']['vectors'] {
  own.snapshot.releaseMemory();
  const { vectors } = own.snapshot.index;
  assert.equal(vectors.isLoaded, false);
  return vectors;
}

test('released embeddings are loaded again by a search, without counting as a change', () => {
  const before = similarities(own.snapshot);
  const vectors = rested();
  const { size, changes } = vectors;
  assert.equal(size, own.snapshot.index.liveCount);
  assert.deepEqual([...vectors.listSlots()].length, size);
  assert.equal(vectors.isLoaded, false, 'which there are is known without them');
  vectors.onChange = () => assert.fail('told of a change');
  assert.deepEqual(similarities(own.snapshot), before);
  assert.deepEqual([vectors.isLoaded, vectors.size, vectors.changes], [true, size, changes]);
});

test('after an edit while embeddings are released, the index equals a fresh one', async () => {
  for (const again of [1, 2]) {
    rested();
    writeFiles(root, {
      'pkg/mod_1.py': `def other_${again}():\n    """Something else."""\n    return ${again}\n`,
      [`pkg/new_${again}.py`]: 'def fresh():\n    return other_1()\n',
    });
    await own.run();
  }
  const elsewhere = temporaryFolder();
  const fresh = new SmallProcess(elsewhere, tree, () => 0);
  try {
    await fresh.run();
    assert.deepEqual(
      new Map([...similarities(own.snapshot)].sort()),
      new Map([...similarities(fresh.snapshot)].sort()),
    );
  } finally {
    await fresh.close();
    removeFolder(elsewhere);
  }
});

test('a removed chunk stays removed', () => {
  const vectors = rested();
  const [first = 0] = vectors.listSlots();
  vectors.remove(first);
  assert.equal(similarities(own.snapshot).size, own.snapshot.index.liveCount - 1);
  assert.equal(vectors.has(first), false);
});

test('embeddings lost by damage meanwhile are encoded by the next run', async () => {
  const before = similarities(own.snapshot);
  const vectors = rested();
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    if (/\.rows8/.test(name)) writeFileSync(join(dataDir, name), 'no rows');
  assert.equal(similarities(own.snapshot).size, 0);
  assert.equal(vectors.size, 0);
  await own.run();
  assert.deepEqual(similarities(own.snapshot), before);
});

test('embeddings are not released if another process has written the index', async () => {
  const other = new SmallProcess(dataDir, tree, () => 0);
  try {
    writeFiles(root, { 'pkg/new.py': 'def fresh():\n    return 1\n' });
    await other.run();
    own.snapshot.releaseMemory();
    assert.equal(own.snapshot.index.vectors.isLoaded, true);
    other.snapshot.releaseMemory();
    assert.equal(other.snapshot.index.vectors.isLoaded, false);
  } finally {
    await other.close();
  }
});
