import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { coversRowMap, prefetchRows } from '../../src/engine/store/embedding-row-map.ts';
import { getRowBytes, HEADER_BYTES } from '../../src/engine/store/row-format.ts';
import { getGenerationPath, listGenerations } from '../../src/engine/store/row-generations.ts';
import { Store } from '../../src/engine/store/store.ts';
import { countMissingEmbeddings } from '../../src/engine/store/verify-all.ts';
import {
  copyVector,
  dequantize,
  type QuantizedVector,
  quantize,
} from '../../src/engine/vectors/quantized.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { corrupt } from '../support/corrupt.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { makeVector } from '../support/small-index.ts';

const MODEL = { key: 'm@1', dimensions: 20 };

let folder: string;
let open: Store[];
beforeEach(() => {
  folder = temporaryFolder();
  open = [];
});
afterEach(() => {
  for (const store of open) store.close();
  removeFolder(folder);
});

function opened(): Store {
  const store = new Store(folder);
  open.push(store);
  return store;
}

const keyOf = (n: number) => createHash('sha1').update(String(n)).digest('hex');
const path = () => listGenerations(folder)[0].path;
const rowAt = (n: number) => HEADER_BYTES + n * getRowBytes(MODEL);

/** Stores the missing embeddings of chunks `from` up to, but not including, `to`. */
function put(store: Store, from: number, to: number, snapshot = store.snapshots.open(null)) {
  const chunks = Array.from({ length: to - from }, (_, i) => ({
    id: from + i,
    key: keyOf(from + i),
  }));
  const keys = chunks.map(({ key }) => key);
  const known = store.embeddings.has(MODEL, keys);
  const vectors = new Map(
    keys.filter((_, i) => !known[i]).map((key) => [key, makeVector(key)] as const),
  );
  store.transaction(() => store.embeddings.put(snapshot, MODEL, chunks, vectors));
  return vectors.size;
}

/** Returns the chunks with an embedding, after checking that each has its own. */
function chunksOf(store: Store, snapshot = store.snapshots.open(null)): number[] {
  const ids: number[] = [];
  for (const { chunkId, vector } of store.embeddings.readAll(snapshot, MODEL)) {
    const { scale, numbers } = expected(chunkId);
    assert.ok(
      scale === vector.scale && numbers.every((x, i) => x === vector.numbers[i]),
      `of chunk ${chunkId}`,
    );
    ids.push(chunkId);
  }
  return ids.sort((a, b) => a - b);
}

const made = new Map<number, QuantizedVector>();
const expected = (n: number) => getOrAdd(made, n, () => quantize(makeVector(keyOf(n))));
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

test('embeddings are shared by key and separate by model', () => {
  const store = opened();
  const snapshot = store.snapshots.open(null);
  const model = { key: 'm@1', dimensions: 2 };
  const key = 'ab'.repeat(20);
  const vector = Float32Array.of(0.6, 0.8);
  assert.deepEqual(store.embeddings.has(model, [key]), [false]);
  store.embeddings.put(snapshot, model, [{ id: 1, key }], new Map([[key, vector]]));
  assert.deepEqual(store.embeddings.has(model, [key]), [true]);
  const [known] = store.embeddings.put(snapshot, model, [{ id: 2, key }], new Map());
  const row = quantize(vector);
  assert.deepEqual(known, row);
  const all = (of = model) =>
    store.embeddings
      .readAll(snapshot, of)
      .map(({ chunkId, vector }) => ({ chunkId, vector: copyVector(vector) }))
      .toArray()
      .sort((a, b) => a.chunkId - b.chunkId);
  assert.deepEqual(all(), [
    { chunkId: 1, vector: row },
    { chunkId: 2, vector: row },
  ]);
  assert.deepEqual(all({ key: 'm@2', dimensions: 2 }), []);
  store.embeddings.unlink(snapshot, [1]);
  assert.deepEqual(
    all().map(({ chunkId }) => chunkId),
    [2],
  );
});

test('embeddings are private and stored once, and survive a reopening', () => {
  put(opened(), 0, 3000);
  const again = opened();
  assert.deepEqual(chunksOf(again), upTo(3000));
  assert.equal(put(again, 0, 3001), 1);
  assert.equal(statSync(path()).size, rowAt(3001));
  assert.deepEqual(again.notes, []);
  assert.ok(again.bytes > rowAt(3001));
  if (process.platform !== 'win32') assert.equal(statSync(path()).mode & 0o777, 0o600);
});

test('a reader sees new embeddings as soon as links refer to them', () => {
  const [writer, reader] = [opened(), opened()];
  put(writer, 0, 10);
  assert.deepEqual(chunksOf(reader), upTo(10));
  put(writer, 10, 20);
  assert.deepEqual(chunksOf(reader), upTo(20));
  assert.deepEqual(reader.embeddings.has(MODEL, [keyOf(19), keyOf(20)]), [true, false]);
});

test('an incomplete row is overwritten', () => {
  put(opened(), 0, 10);
  appendFileSync(path(), 'half a row');
  const store = opened();
  assert.deepEqual(chunksOf(store), upTo(10));
  put(store, 10, 12);
  assert.equal(statSync(path()).size, rowAt(12));
  assert.deepEqual(chunksOf(opened()), upTo(12));
  assert.deepEqual(store.notes, []);
});

test('a damaged row counts as missing, adds a note and is encoded again', () => {
  put(opened(), 0, 10);
  const bytes = readFileSync(path());
  bytes[rowAt(4) + 30] ^= 1;
  writeFileSync(path(), bytes);
  const store = opened();
  assert.deepEqual(chunksOf(store), [0, 1, 2, 3, 5, 6, 7, 8, 9]);
  assert.match(store.notes[0], /^1 embedding is missing or damaged in .*\.rows8/);
  const database = new Sqlite(store.path, { readonly: true });
  assert.equal(countMissingEmbeddings(database, folder), 1);
  assert.equal(put(store, 0, 10), 1);
  assert.equal(countMissingEmbeddings(database, folder), 0);
  database.close();
  const again = opened();
  assert.deepEqual(chunksOf(again), upTo(10));
  assert.deepEqual(again.notes, []);
});

test('a file with a damaged header is replaced by a new one with its rows', () => {
  put(opened(), 0, 10);
  const bytes = readFileSync(path());
  bytes[3] ^= 1;
  writeFileSync(path(), bytes);
  const store = opened();
  assert.deepEqual(chunksOf(store), upTo(10));
  put(store, 10, 11);
  assert.deepEqual(chunksOf(store), upTo(11));
  assert.deepEqual(
    listGenerations(folder).map(({ number }) => number),
    [2],
  );
  assert.deepEqual(chunksOf(opened()), upTo(11));
});

test('a removed file is created again, even while it is open', () => {
  const store = opened();
  put(store, 0, 10);
  removeFolder(path());
  assert.deepEqual(chunksOf(store), []);
  assert.match(store.notes[0], /^10 embeddings are missing/);
  assert.equal(put(store, 0, 10), 10);
  assert.deepEqual(chunksOf(opened()), upTo(10));
});

test('the remaining rows of a file that was truncated while open are read', () => {
  const store = opened();
  put(store, 0, 10);
  truncateSync(path(), rowAt(3) + 5);
  assert.equal(put(store, 0, 10), 7);
  assert.deepEqual(chunksOf(opened()), upTo(10));
});

test('embeddings survive the quarantine of their database', () => {
  put(opened(), 0, 10);
  for (const store of open.splice(0)) store.close();
  writeFileSync(join(folder, 'index.db'), 'this is not a database, however long one reads it');
  const store = opened();
  assert.match(store.notes[0], /was damaged/);
  assert.equal(put(store, 0, 10), 0);
  assert.deepEqual(chunksOf(store), upTo(10));
});

test('garbage: a file is rewritten to a new generation if more than half of it is unused', () => {
  const [store, reader] = [opened(), opened()];
  put(store, 0, 22_000);
  const before = path();
  store.collectGarbage();
  assert.equal(path(), before);
  assert.equal(chunksOf(reader).length, 22_000);
  const snapshot = store.snapshots.open(null);
  store.embeddings.unlink(snapshot, upTo(12_000));
  store.collectGarbage();
  assert.notEqual(path(), before);
  assert.ok(!existsSync(before));
  // The newest unused rows stay.
  assert.deepEqual(store.embeddings.has(MODEL, [6_999, 7_000, 12_000].map(keyOf)), [
    false,
    true,
    true,
  ]);
  assert.equal(chunksOf(reader).length, 10_000, 'who had the old one open reads the new one');
  assert.equal(chunksOf(opened()).length, 10_000);
  store.collectGarbage();
  assert.equal(listGenerations(folder).length, 1);
});

test('garbage: unfinished files of killed processes are removed', () => {
  const store = opened();
  put(store, 0, 10);
  const { digest } = listGenerations(folder)[0];
  writeFileSync(`${getGenerationPath(folder, digest, 2)}.new`, 'half a file');
  assert.deepEqual(chunksOf(opened()), upTo(10));
  store.collectGarbage();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.new')),
    [],
  );
});

test('damage anywhere never yields a wrong embedding, and missing ones are encoded again', () => {
  const draw = uniform();
  const other = { key: 'm@2', dimensions: 20 };
  const store = opened();
  const vectors = new Map(upTo(300).map((n) => [keyOf(n), makeVector(keyOf(n + 1))] as const));
  store.embeddings.put(store.snapshots.open('other'), other, [], vectors);
  const foreign = readFileSync(path());
  removeFolder(path());
  for (let round = 0; round < scaleRounds(20); round++) {
    put(opened(), 0, 200);
    const how = corrupt(path(), draw, foreign);
    const next = opened();
    const left = chunksOf(next).length;
    const made = put(next, 0, 200);
    assert.ok(made >= 200 - left, `${how}, round ${round} of seed ${SEED}`);
    assert.deepEqual(chunksOf(opened()), upTo(200), `${how}, round ${round} of seed ${SEED}`);
    for (const one of open.splice(0)) one.close();
    removeFolder(path());
  }
});

test('a row map yields the stored embeddings, and none for another or a damaged file', () => {
  const store = opened();
  const snapshot = store.snapshots.open(null);
  put(store, 0, 2_500);
  // The same rows in another order.
  const slotOf = (id: number) => 2_499 - id;
  const places = store.embeddings.createRowMap(snapshot, MODEL, slotOf);
  assert.ok(places);
  const read = (model = MODEL) => {
    const table = new VectorTable(MODEL.dimensions);
    return opened().embeddings.loadRowMap(model, places, table) ? table : null;
  };
  const table = read();
  assert.equal(table?.size, 2_500);
  for (const id of [0, 7, 999, 1_000, 2_499])
    assert.deepEqual(table?.getVector(slotOf(id)), dequantize(expected(id)));
  assert.equal(read({ ...MODEL, key: 'm@2' }), null);
  const bytes = readFileSync(path());
  bytes[rowAt(1_234) + 30] ^= 1;
  writeFileSync(path(), bytes);
  assert.equal(read(), null);
  assert.equal(opened().embeddings.createRowMap(snapshot, MODEL, slotOf), null);
});

test('prefetched rows equal those of the file, including damage', async () => {
  const store = opened();
  assert.equal(prefetchRows(folder, MODEL), null);
  const snapshot = store.snapshots.open(null);
  put(store, 0, 2_500);
  const places = store.embeddings.createRowMap(snapshot, MODEL, (id) => 2_499 - id);
  assert.ok(places);
  put(store, 2_500, 2_510); // Behind them, written since.
  const read = async () => {
    const ahead = prefetchRows(folder, MODEL);
    assert.ok(ahead && coversRowMap(ahead, MODEL, places));
    assert.equal(await ahead.finished, true);
    const table = new VectorTable(MODEL.dimensions);
    return opened().embeddings.loadRowMap(MODEL, places, table, ahead) ? table : null;
  };
  const table = await read();
  assert.equal(table?.size, 2_500);
  for (const id of [0, 7, 999, 1_000, 2_499])
    assert.deepEqual(table?.getVector(2_499 - id), dequantize(expected(id)));
  const bytes = readFileSync(path());
  bytes[rowAt(2_400) + 30] ^= 1;
  writeFileSync(path(), bytes);
  assert.equal(await read(), null);
  writeFileSync(path(), bytes.subarray(0, rowAt(2_400)));
  const ahead = prefetchRows(folder, MODEL);
  assert.ok(ahead && !coversRowMap(ahead, MODEL, places), 'it is shorter than it was');
});
