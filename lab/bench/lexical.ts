/**
 * Compares BM25F in memory with SQLite's FTS5, on the same terms, in the same run:
 * `node lab/bench/lexical.ts [chunks ...]`, by default 20,000 and 100,000 chunks.
 *
 * Terms are drawn from Zipf's distribution over 80,000 words, with as many for each field as in real Python code.
 * A query's terms are drawn from the same distribution without its 19 most frequent words, which are rare in issues.
 */

import Sqlite from 'better-sqlite3';
import { FIELD_NAMES, findLargest, LexicalIndex } from '../../src/engine/lab.ts';
import { median } from '../../src/services/evaluation/statistics.ts';

const VOCABULARY = 80_000;
/** Mean number of terms in path, name, signature, docstring and body. */
const MEAN_FIELD_TERMS = [5, 4, 12, 25, 130];
/** Weights of the same fields for FTS5's `bm25`. */
const FTS_WEIGHTS = [1.5, 3, 1, 1, 1];
/** Number of chunks that a query returns. */
const RESULTS = 500;
/** Number of queries of each length. */
const QUERIES = 15;

/** Ids of a chunk's terms, by field. An id is from 0 to `VOCABULARY - 1`, in order of frequency. */
type FieldTerms = number[][];

const random = randomNumbers(1);

/**
 * Draws a term's id from Zipf's distribution with exponent 1, without the terms of ranks below `firstRank`. The most frequent term
 * has rank 1 and id 0. A logarithm stands for the harmonic sum, so that the distribution can be inverted.
 */
function drawTerm(firstRank: number): number {
  const rank = Math.floor(firstRank * (VOCABULARY / firstRank) ** random());
  return Math.min(VOCABULARY - 1, rank - 1);
}

function drawFieldTerms(): FieldTerms {
  return MEAN_FIELD_TERMS.map((mean) => {
    const size = Math.round(-Math.log(1 - random()) * mean);
    return Array.from({ length: size }, () => drawTerm(1));
  });
}

/**
 * Returns a chunk's entries for `LexicalIndex.add`, one for each term and field: term id in 21 bits, field in 3 bits, count up to 255
 * in 8 bits.
 */
function createEntries(fields: FieldTerms): Uint32Array {
  const counts = new Map<number, number>();
  for (const [field, terms] of fields.entries()) {
    for (const term of terms) {
      const key = (term << 3) | field;
      counts.set(key, Math.min(255, (counts.get(key) ?? 0) + 1));
    }
  }
  return Uint32Array.from(counts, ([key, count]) => (key << 8) | count);
}

function buildIndex(chunkEntries: readonly Uint32Array[]): LexicalIndex {
  const index = new LexicalIndex({
    idOf: (term) => Number(term.slice(1)),
    termOf: (id) => `w${id}`,
  });
  for (const [slot, entries] of chunkEntries.entries()) index.add(slot, entries);
  index.build();
  return index;
}

/** Builds a table of FTS5 in memory. Returns a statement that finds the best chunks for a match expression. */
function buildFtsStatement(chunks: readonly FieldTerms[]) {
  const database = new Sqlite(':memory:');
  database.exec(`CREATE VIRTUAL TABLE chunks USING fts5(${FIELD_NAMES.join(', ')}, content='')`);
  const insert = database.prepare(
    'INSERT INTO chunks (rowid, path, name, signature, docstring, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const [slot, fields] of chunks.entries()) {
      insert.run(slot, ...fields.map((terms) => terms.map((term) => `w${term}`).join(' ')));
    }
  })();
  return database.prepare(
    `SELECT rowid FROM chunks WHERE chunks MATCH ?
     ORDER BY bm25(chunks, ${FTS_WEIGHTS.join(', ')}) LIMIT ${RESULTS}`,
  );
}

/** Returns the median time of a query in milliseconds. */
function measureQueries<Query>(
  queries: readonly Query[],
  search: (query: Query) => unknown,
): number {
  return median(queries.map((query) => timeCall(() => search(query))[1]));
}

function timeCall<T>(call: () => T): [result: T, ms: number] {
  const start = performance.now();
  const result = call();
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

function compareWith(chunkCount: number): void {
  const chunks = Array.from({ length: chunkCount }, drawFieldTerms);
  const chunkEntries = chunks.map(createEntries);
  const meanEntries = chunkEntries.reduce((sum, { length }) => sum + length, 0) / chunkCount;
  const [index, indexMs] = timeCall(() => buildIndex(chunkEntries));
  const [ftsStatement, ftsMs] = timeCall(() => buildFtsStatement(chunks));
  console.log(`${chunkCount} chunks, ${meanEntries.toFixed(0)} entries each`);
  console.log(`  build: memory ${indexMs.toFixed(0)} ms, FTS5 ${ftsMs.toFixed(0)} ms`);
  for (const terms of [15, 60, 300]) {
    const queries = Array.from({ length: QUERIES }, () =>
      Array.from({ length: terms }, () => `w${drawTerm(20)}`),
    );
    const indexQueryMs = measureQueries(queries, (query) => {
      return findLargest(
        index.score(index.createQuery(new Map(query.map((term) => [term, 1])))),
        RESULTS,
      );
    });
    const ftsQueryMs = measureQueries(queries, (query) => ftsStatement.all(query.join(' OR ')));
    console.log(
      `  best ${RESULTS} for ${terms} terms: memory ${indexQueryMs.toFixed(1)} ms, FTS5 ${ftsQueryMs.toFixed(1)} ms`,
    );
  }
}

const chunkCounts = process.argv.slice(2).map(Number);
for (const count of chunkCounts.length > 0 ? chunkCounts : [20_000, 100_000]) compareWith(count);
