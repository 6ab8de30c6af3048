/**
 * Measures "More like this" by the size of a repository: the exact comparison with all rows, and the recall of an HNSW index
 * (Malkov and Yashunin, arXiv 1603.09320) whose candidates are scored again from the rows.
 *
 *     node lab/bench/similar.ts <folder of Python files> [rows ...]
 *
 * Rows are embeddings of the folder's functions by bag-1. If more rows are requested than exist, they are repeated with noise.
 * Each query row is compared with all others. Times are processor times, which other work on the machine hardly affects.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Index, MetricKind, ScalarKind } from 'usearch';
import { createEncoder, findLargest, VectorTable } from '../../src/engine/lab.ts';
import { median } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readDocuments } from './support/documents.ts';

const WANTED = 100;
const QUERIES = 200;
const AT_ONCE = 1_000;
/** Length of the noise that is added to a repeated row. */
const NOISE = 0.4;

/** Settings of usearch: connectivity, expansion when adding, and the numbers of candidates to try. */
const SETTINGS = [
  { connectivity: 16, add: 64, candidates: [400, 800, 1600] },
  { connectivity: 32, add: 128, candidates: [200, 400, 800] },
];

const [folder, ...sizes] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: similar.ts <folder of Python files> [rows ...]');
const made = await embed(folder);
const dimensions = assertPresent(made[0], 'an embedding').length;
console.log(`${made.length} different embeddings of ${folder}`);
const scratch = mkdtempSync(join(tmpdir(), 'locus-similar-'));
try {
  for (const rows of sizes.length > 0 ? sizes.map(Number) : [100_000]) measure(rows);
} finally {
  rmSync(scratch, { recursive: true });
}

interface Query {
  slot: number;
  vector: Float32Array;
  /** Similarity of the last wanted row. */
  last: number;
}

function measure(rows: number): void {
  const table = new VectorTable(dimensions);
  for (let row = 0; row < rows; row++) table.set(row, makeVector(row));
  const queries = Array.from({ length: QUERIES }, (_, i): Query => {
    const slot = Math.floor(((i + 0.5) * rows) / QUERIES);
    const vector = assertPresent(table.getVector(slot), 'a row');
    const last = assertPresent(
      table.findNearest(vector, WANTED).similarities[WANTED - 1],
      'the last',
    );
    return { slot, vector, last };
  });
  const exact = timeQueries(queries, ({ vector }) => table.findNearest(vector, WANTED));
  console.log(`\n${rows} rows: exact ${exact}`);
  for (const setting of SETTINGS) measureIndex(rows, table, queries, setting);
}

function measureIndex(
  rows: number,
  table: VectorTable,
  queries: readonly Query[],
  { connectivity, add, candidates }: (typeof SETTINGS)[number],
): void {
  const path = join(scratch, 'base.hnsw');
  const options = {
    dimensions,
    metric: MetricKind.IP,
    quantization: ScalarKind.I8,
    connectivity,
    expansion_add: add,
    expansion_search: 64,
    multi: false,
  };
  const memory = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const built = new Index(options);
  for (let first = 0; first < rows; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, rows - first);
    const keys = BigUint64Array.from({ length: count }, (_, i) => BigInt(first + i));
    const vectors = new Float32Array(count * dimensions);
    for (let i = 0; i < count; i++)
      vectors.set(assertPresent(table.getVector(first + i), 'a row'), i * dimensions);
    built.add(keys, vectors, 1);
  }
  const grown = (process.memoryUsage.rss() - memory) / 1e6;
  built.save(path);
  const seconds = secondsSince(before).toFixed(0);
  const megabytes = (statSync(path).size / 1e6).toFixed(0);
  console.log(
    `HNSW ${connectivity}, ${add}: built in ${seconds} s with ${grown.toFixed(0)} MB, file of ${megabytes} MB`,
  );
  const index = new Index(options);
  index.view(path);
  for (const count of candidates) {
    const find = ({ vector }: Query) => {
      const slots = Array.from(index.search(vector, count, 1).keys, Number);
      const similarities = table.getSimilaritiesOf(vector, slots);
      return findLargest(similarities, WANTED).similarities;
    };
    const time = timeQueries(queries, find);
    let hits = 0;
    for (const query of queries)
      hits += find(query).filter((similarity) => similarity >= query.last).length;
    const recall = (hits / (WANTED * queries.length)).toFixed(4);
    console.log(`  ${count} candidates: recall@${WANTED} ${recall}, ${time}`);
  }
}

function timeQueries(queries: readonly Query[], work: (query: Query) => unknown): string {
  const times = queries.map((query) => {
    const before = process.cpuUsage();
    work(query);
    return secondsSince(before) * 1e3;
  });
  return `${median(times).toFixed(2)} ms, worst ${Math.max(...times).toFixed(1)} ms`;
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Returns a row's embedding, with noise if the row is repeated. */
function makeVector(row: number): Float32Array {
  const vector = assertPresent(made[row % made.length], 'an embedding').slice();
  if (row < made.length) return vector;
  const amplitude = NOISE * Math.sqrt(12 / dimensions);
  const turned = vector.map((value) => value + amplitude * (Math.random() - 0.5));
  const norm = Math.hypot(...turned);
  return turned.map((value) => value / norm);
}

async function embed(root: string): Promise<Float32Array[]> {
  const documents = await readDocuments(root);
  const modelFolder = join(import.meta.dirname, '../../models/bag-1');
  const encoder = await createEncoder({ modelFolder });
  const vectors = new Map<string, Float32Array>();
  for (let first = 0; first < documents.length; first += AT_ONCE) {
    const batch = documents.slice(first, first + AT_ONCE);
    const encoded = await encoder.encode(batch, (keys) => keys.map((key) => vectors.has(key)));
    for (const [key, vector] of encoded.vectors) vectors.set(key, vector);
  }
  await encoder.close();
  return [...vectors.values()];
}
