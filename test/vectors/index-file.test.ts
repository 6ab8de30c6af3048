import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndexFile, openIndexFile } from '../../src/engine/vectors/index-file.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { unitVectors } from './unit-vectors.ts';

const DIMENSIONS = 32;
const STAMP = { model: 'm@1', generation: 7 };
/** Chunk ids are not slots. */
const idOf = (slot: number) => 1_000_000 + 3 * slot;

async function tempFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'locus-index-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function tableOf(vectors: Float32Array[]): VectorTable {
  const table = new VectorTable(DIMENSIONS, { indexFrom: 1 });
  vectors.forEach((vector, slot) => {
    table.set(slot, vector);
  });
  return table;
}

/** An index file of 6000 vectors, and a table with the same that does not use it yet. */
async function built(t: TestContext) {
  const folder = await tempFolder(t);
  const path = join(folder, 'vectors.index');
  const table = tableOf(unitVectors(6000, DIMENSIONS));
  await buildIndexFile(path, STAMP, table.indexedVectors(idOf));
  return { folder, path, table };
}

test('an index file gives back what was indexed', async (t) => {
  const { folder, path } = await built(t);
  assert.deepEqual(await readdir(folder), ['vectors.index']);
  const index = (await openIndexFile(path, STAMP))!;
  assert.equal(index.size, 6000);
  assert.deepEqual(index.has(Float64Array.of(idOf(0), idOf(5999), 5)), [true, true, false]);
  assert.deepEqual(index.has(Float64Array.of(idOf(1))), [true]);
  const [first] = unitVectors(1, DIMENSIONS);
  assert.ok(index.search(first, 10).includes(idOf(0)));
});

test('a file that is missing, of another stamp or damaged is not opened', async (t) => {
  const { folder, path } = await built(t);
  assert.equal(await openIndexFile(join(folder, 'none'), STAMP), null);
  assert.equal(await openIndexFile(path, { ...STAMP, generation: 8 }), null);
  assert.equal(await openIndexFile(path, { model: 'm@1' }), null);
  const whole = await readFile(path);
  const damaged = join(folder, 'damaged');
  for (let at = 0; at < whole.length; at += Math.floor(whole.length / 40)) {
    const flipped = Buffer.from(whole);
    flipped[at] ^= 4;
    await writeFile(damaged, flipped);
    assert.equal(await openIndexFile(damaged, STAMP), null, `bit flipped at ${at}`);
  }
  for (const length of [0, 5, 100, whole.length - 100, whole.length - 1]) {
    await writeFile(damaged, whole);
    await truncate(damaged, length);
    assert.equal(await openIndexFile(damaged, STAMP), null, `cut to ${length}`);
  }
  await writeFile(damaged, whole);
  assert.notEqual(await openIndexFile(damaged, STAMP), null);
});

test('a new file takes the place of the old one, whatever an interrupted build left', async (t) => {
  const { folder, path } = await built(t);
  await writeFile(`${path}.new`, 'half an ind');
  const table = tableOf(unitVectors(10, DIMENSIONS));
  await buildIndexFile(path, { generation: 8 }, table.indexedVectors(idOf));
  assert.deepEqual(await readdir(folder), ['vectors.index']);
  assert.equal(await openIndexFile(path, STAMP), null);
  assert.equal((await openIndexFile(path, { generation: 8 }))!.size, 10);
});

test('an empty table has an index, too', async (t) => {
  const path = join(await tempFolder(t), 'empty');
  await buildIndexFile(path, STAMP, new VectorTable(DIMENSIONS).indexedVectors(idOf));
  const index = (await openIndexFile(path, STAMP))!;
  assert.equal(index.size, 0);
  assert.deepEqual(index.has(new Float64Array(0)), []);
});

test('a build that fails or is aborted leaves no file', async (t) => {
  const folder = await tempFolder(t);
  const table = tableOf(unitVectors(100, DIMENSIONS));
  const content = () => table.indexedVectors(idOf);
  await assert.rejects(buildIndexFile(join(folder, 'no', 'folder'), STAMP, content()));
  const controller = new AbortController();
  const aborted = buildIndexFile(join(folder, 'a'), STAMP, content(), controller.signal);
  controller.abort();
  await assert.rejects(aborted, { name: 'AbortError' });
  assert.deepEqual(await readdir(folder), []);
});

test('with an index, nearest finds nearly what looking at all finds, with the same similarities', async (t) => {
  const { path, table } = await built(t);
  const queries = unitVectors(6040, DIMENSIONS).slice(6000);
  const exact = queries.map((query) => table.nearest(query, 10));
  table.attach((await openIndexFile(path, STAMP))!, idOf);
  let found = 0;
  for (const [i, query] of queries.entries()) {
    const similarities = table.similarities(query);
    const nearest = table.nearest(query, 10);
    assert.equal(nearest.slots.length, 10);
    nearest.slots.forEach((slot, rank) => {
      assert.equal(nearest.similarities[rank], similarities[slot]);
      if (exact[i].slots.includes(slot)) found++;
    });
  }
  const recall = found / (10 * queries.length);
  t.diagnostic(`recall@10: ${recall}`);
  assert.ok(recall > 0.9);
});

test('an attached index is really asked', async (t) => {
  const { path, table } = await built(t);
  const index = (await openIndexFile(path, STAMP))!;
  let asked = 0;
  const counting = {
    size: index.size,
    has: index.has,
    search: (query: Float32Array, count: number) => {
      asked++;
      return index.search(query, count);
    },
  };
  table.attach(counting, idOf);
  const [query] = unitVectors(1, DIMENSIONS);
  table.nearest(query, 10);
  assert.equal(asked, 1);
  table.nearest(query, 1000); // So many that looking at all is faster.
  assert.equal(asked, 1);
  for (let slot = 0; slot < 2000; slot++) table.remove(slot);
  table.nearest(query, 5); // So many gone that the index is of little use.
  assert.equal(asked, 1);
});

test('after changes, nearest knows the new embeddings and forgets the old', async (t) => {
  const { path, table } = await built(t);
  table.attach((await openIndexFile(path, STAMP))!, idOf);
  const [query, other] = unitVectors(2, DIMENSIONS);
  const top = () => table.nearest(query, 3).slots;
  assert.equal(top()[0], 0);
  table.remove(0);
  assert.ok(!top().includes(0));
  table.set(7000, query);
  assert.equal(top()[0], 7000);
  const [best] = [...top()].filter((slot) => slot !== 7000);
  table.set(
    best,
    other.map((value) => -value),
  );
  assert.ok(!top().includes(best));
  table.set(best, query);
  assert.deepEqual(
    [...top()].slice(0, 2).sort((a, b) => a - b),
    [best, 7000],
  );
});
