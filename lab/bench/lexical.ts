/**
 * Compares BM25F in memory with SQLite's FTS5, on the same terms, in the same run:
 * `node lab/bench/lexical.ts [chunks ...]`, by default 20,000 and 100,000 chunks.
 *
 * Terms are drawn from Zipf's distribution over 80,000 words, with as many for each field as in real Python code.
 * A query's terms are drawn from the same distribution, but less often from its head, like the words of an issue.
 */

import Sqlite from 'better-sqlite3';
import { FIELD_NAMES, findLargest, LexicalIndex } from '../../src/engine/lab.ts';
import { median } from '../../src/services/evaluation/statistics.ts';

const VOCABULARY = 80_000;
/** Mean number of terms in path, name, signature, docstring and body. */
const FIELD_SIZES = [5, 4, 12, 25, 130];
const BEST = 500;
const REPEATS = 15;

/** A chunk's term numbers, by field. */
type Fields = number[][];

const random = randomNumbers(1);

/** Draws from Zipf's distribution with exponent 1 over ranks `from` and up, by inverting the harmonic sum's logarithm. */
function zipf(from: number): number {
  return Math.min(VOCABULARY - 1, Math.floor(from * (VOCABULARY / from) ** random()) - 1);
}

function randomFields(): Fields {
  return FIELD_SIZES.map((mean) => {
    const size = Math.round(-Math.log(1 - random()) * mean);
    return Array.from({ length: size }, () => zipf(1));
  });
}

function makeEntries(fields: Fields): Uint32Array {
  const counts = new Map<number, number>();
  for (const [field, terms] of fields.entries()) {
    for (const term of terms) {
      const key = (term << 3) | field;
      counts.set(key, Math.min(255, (counts.get(key) ?? 0) + 1));
    }
  }
  return Uint32Array.from(counts, ([key, count]) => (key << 8) | count);
}

function buildMemory(entries: readonly Uint32Array[]): LexicalIndex {
  const index = new LexicalIndex({
    idOf: (term) => Number(term.slice(1)),
    termOf: (id) => `t${id}`,
  });
  for (const [slot, chunk] of entries.entries()) index.add(slot, chunk);
  index.build();
  return index;
}

function buildFts(chunks: readonly Fields[]) {
  const database = new Sqlite(':memory:');
  database.exec(`CREATE VIRTUAL TABLE bags USING fts5(${FIELD_NAMES.join(', ')}, content='')`);
  const insert = database.prepare(
    'INSERT INTO bags (rowid, path, name, signature, docstring, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const [slot, fields] of chunks.entries()) {
      insert.run(slot, ...fields.map((terms) => terms.map((term) => `w${term}`).join(' ')));
    }
  })();
  return database.prepare(
    `SELECT rowid FROM bags WHERE bags MATCH ? ORDER BY bm25(bags, 1.5, 3, 1, 1, 1) LIMIT ${BEST}`,
  );
}

function medianMs<Query>(queries: readonly Query[], work: (query: Query) => unknown): number {
  const times = queries.map((query) => {
    const start = performance.now();
    work(query);
    return performance.now() - start;
  });
  return median(times);
}

function timeCall<T>(work: () => T): [result: T, ms: number] {
  const start = performance.now();
  const result = work();
  return [result, performance.now() - start];
}

/** Returns a generator of numbers in [0, 1), the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

function compare(size: number): void {
  const chunks = Array.from({ length: size }, randomFields);
  const entries = chunks.map(makeEntries);
  const perChunk = entries.reduce((sum, { length }) => sum + length, 0) / size;
  const [memory, memoryMs] = timeCall(() => buildMemory(entries));
  const [fts, ftsMs] = timeCall(() => buildFts(chunks));
  console.log(`${size} chunks, ${perChunk.toFixed(0)} entries each`);
  console.log(`  build: memory ${memoryMs.toFixed(0)} ms, FTS5 ${ftsMs.toFixed(0)} ms`);
  for (const terms of [15, 60, 300]) {
    const queries = Array.from({ length: REPEATS }, () =>
      Array.from({ length: terms }, () => `w${zipf(20)}`),
    );
    const memoryQuery = medianMs(queries, (query) => {
      return findLargest(
        memory.score(memory.createQuery(new Map(query.map((term) => [term, 1])))),
        BEST,
      );
    });
    const ftsQuery = medianMs(queries, (query) => fts.all(query.join(' OR ')));
    console.log(
      `  best ${BEST} for ${terms} terms: memory ${memoryQuery.toFixed(1)} ms, FTS5 ${ftsQuery.toFixed(1)} ms`,
    );
  }
}

const sizes = process.argv.slice(2).map(Number);
for (const size of sizes.length > 0 ? sizes : [20_000, 100_000]) compare(size);
