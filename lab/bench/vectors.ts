/**
 * Measures how long it takes to compare an issue with every chunk, by several methods, and the recall of an
 * approximate index.
 *
 *     node lab/bench/vectors.ts <folder of Python files> [rows ...]
 *
 * Vectors are embeddings of the folder's chunks by bag-1. If more rows are requested than exist, they are repeated with
 * noise. Queries are docstrings of chunks. Times are processor times, which other work on the machine hardly affects.
 */

import { join } from 'node:path';
import { exactSearch, Index, MetricKind, ScalarKind } from 'usearch';
import { createEncoder, createTextQuery, VectorTable } from '../../src/engine/lab.ts';
import { median as medianOf } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readDocuments } from './support/documents.ts';

const QUERIES = 100;
const NOISE = 0.4;

/** Settings of usearch to build an index, and the number of candidates for each wanted row. */
const SETTINGS = [
  { quantization: ScalarKind.I8, connectivity: 16, add: 64, search: 64, factors: [1, 8] },
  { quantization: ScalarKind.I8, connectivity: 32, add: 128, search: 256, factors: [2, 4, 8] },
  { quantization: ScalarKind.F16, connectivity: 32, add: 128, search: 256, factors: [2, 4, 8] },
];

const [folder, ...sizes] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: vectors.ts <folder of Python files> [rows ...]');
const { queries, chunks, dimensions } = await embed(folder);
console.log(`${chunks.length} different embeddings of ${folder}, ${queries.length} queries`);
for (const rows of sizes.length > 0 ? sizes.map(Number) : [30_000, 100_000]) measure(rows);

function measure(rows: number): void {
  console.log(`\n${rows} rows of ${dimensions}`);
  const matrix = makeMatrix(rows);
  const table = new VectorTable(dimensions);
  const loading = performance.now();
  for (let i = 0; i < rows; i++) table.set(i, getRow(matrix, i));
  console.log(`VectorTable.set, all: ${(performance.now() - loading).toFixed(0)} ms`);

  median('VectorTable.similarities (all rows)', (query) => table.getSimilarities(query));
  median('VectorTable.nearest, 100', (query) => table.findNearest(query, 100));
  median('VectorTable.nearest, 1000', (query) => table.findNearest(query, 1000));
  median('JavaScript loop, float32', (query) => dotsInFloat(matrix, query));
  const int8 = Int8Array.from(matrix, (value) => Math.round(value * 127));
  median('JavaScript loop, int8', (query) => dotsInInt8(int8, query));
  for (const k of [100, 1000, rows]) {
    median(`usearch exactSearch, float32, ${k}`, (query) =>
      exactSearch(matrix, query, dimensions, k, MetricKind.IP, 1),
    );
  }
  reportError(table, matrix);
  measureIndexes(rows, table, matrix);
}

/**
 * Measures HNSW (Malkov and Yashunin, arXiv 1603.09320) as usearch builds it: processor time to build, time to search, and
 * the recall after its candidates are scored again from the rows.
 */
function measureIndexes(rows: number, exact: VectorTable, matrix: Float32Array): void {
  for (const { quantization, connectivity, add, search, factors } of SETTINGS) {
    const index = new Index({
      dimensions,
      metric: MetricKind.IP,
      quantization,
      connectivity,
      expansion_add: add,
      expansion_search: search,
      multi: false,
    });
    const keys = BigUint64Array.from({ length: rows }, (_, i) => BigInt(i));
    const before = process.cpuUsage();
    index.add(keys, matrix, 1);
    const { user, system } = process.cpuUsage(before);
    const name = `HNSW ${quantization}, ${connectivity}, ${add}, ${search}`;
    console.log(`${name}: built in ${((user + system) / 1e6).toFixed(1)} s of processor time`);
    for (const k of [20, 100]) {
      for (const factor of factors) {
        const find = (query: Float32Array) => index.search(query, factor * k, 1).keys;
        const found = (query: Float32Array) => Array.from(find(query), Number);
        report(`${name}: ${factor * k} candidates for ${k}`, recall(exact, k, found));
        median(`${name}: ${factor * k} candidates`, find);
      }
    }
  }
}

/** Returns the share of the `k` nearest rows that `find` finds. */
function recall(exact: VectorTable, k: number, find: (query: Float32Array) => number[]): number {
  let hits = 0;
  for (const query of queries) {
    const nearest = new Set(exact.findNearest(query, k).slots);
    hits += find(query).filter((slot) => nearest.has(slot)).length;
  }
  return hits / (k * queries.length);
}

function report(what: string, value: number): void {
  console.log(`${what}: recall ${value.toFixed(3)}`);
}

/** Prints the median processor time over the queries, after a few to warm up. */
function median(what: string, work: (query: Float32Array) => unknown): void {
  for (const query of queries.slice(0, 5)) work(query);
  const times = queries.slice(0, 21).map((query) => {
    const before = process.cpuUsage();
    work(query);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3;
  });
  console.log(
    `${what}: ${medianOf(times).toFixed(2)} ms, worst ${Math.max(...times).toFixed(2)} ms`,
  );
}

function reportError(table: VectorTable, matrix: Float32Array): void {
  const query = assertPresent(queries[0], 'a query');
  const inTable = table.getSimilarities(query);
  const inFloat = dotsInFloat(matrix, query);
  const worst = inFloat.reduce((max, value, i) => Math.max(max, Math.abs(value - inTable[i]!)), 0);
  console.log(`largest error of a similarity: ${worst.toExponential(1)}`);
}

function dotsInFloat(matrix: Float32Array, query: Float32Array): Float32Array {
  const out = new Float32Array(matrix.length / dimensions);
  for (let row = 0; row < out.length; row++) {
    const start = row * dimensions;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < dimensions; i += 4) {
      a += matrix[start + i]! * query[i]!;
      b += matrix[start + i + 1]! * query[i + 1]!;
      c += matrix[start + i + 2]! * query[i + 2]!;
      d += matrix[start + i + 3]! * query[i + 3]!;
    }
    out[row] = a + b + c + d;
  }
  return out;
}

function dotsInInt8(matrix: Int8Array, floats: Float32Array): Float32Array {
  const query = Int8Array.from(floats, (value) => Math.round(value * 127));
  const out = new Float32Array(matrix.length / dimensions);
  for (let row = 0; row < out.length; row++) {
    const start = row * dimensions;
    let sum = 0;
    for (let i = 0; i < dimensions; i++) sum += matrix[start + i]! * query[i]!;
    out[row] = sum;
  }
  return out;
}

function makeMatrix(rows: number): Float32Array {
  const matrix = new Float32Array(rows * dimensions);
  for (let i = 0; i < rows; i++) {
    const row = getRow(matrix, i);
    row.set(assertPresent(chunks[i % chunks.length], 'an embedding'));
    if (i >= chunks.length) addNoise(row);
  }
  return matrix;
}

/** Adds noise of about length `NOISE` to a unit vector and normalizes it. */
function addNoise(row: Float32Array): void {
  const amplitude = NOISE * Math.sqrt(12 / row.length);
  let squares = 0;
  for (let i = 0; i < row.length; i++) {
    row[i]! += amplitude * (Math.random() - 0.5);
    squares += row[i]! ** 2;
  }
  for (let i = 0; i < row.length; i++) row[i]! /= Math.sqrt(squares);
}

function getRow(matrix: Float32Array, row: number): Float32Array {
  return matrix.subarray(row * dimensions, (row + 1) * dimensions);
}

async function embed(root: string) {
  const documents = await readDocuments(root);
  const encoder = await createEncoder({
    modelFolder: join(import.meta.dirname, '../../models/bag-1'),
  });
  const { vectors } = await encoder.encode(documents, (keys) => keys.map(() => false));
  const docstrings = documents.flatMap(({ text }) => /"""([^"]{40,400})"""/.exec(text)?.[1] ?? []);
  const every = Math.max(1, Math.floor(docstrings.length / QUERIES));
  const chosen = docstrings.filter((_, i) => i % every === 0).slice(0, QUERIES);
  const queries = await Promise.all(
    chosen.map((text) => encoder.encodeQuery(createTextQuery(text))),
  );
  await encoder.close();
  return { queries, chunks: [...vectors.values()], dimensions: encoder.dimensions };
}
