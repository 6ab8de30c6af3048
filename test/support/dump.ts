import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { unpackWords } from '../../src/engine/store/packed.ts';
import { RERANKER_FOLDER } from '../../src/engine/store/row-generations.ts';
import type { QuantizedVector } from '../../src/engine/vectors/quantized.ts';
import { readStoredVectors } from './stored-vectors.ts';

/** Returns edges that start or end outside the chunks of their snapshot, as [caller, callee] ids. */
export function findStrayEdges(database: Sqlite.Database): unknown[] {
  const isStray = (end: string) =>
    `NOT EXISTS (SELECT 1 FROM chunks c JOIN snapshot_files s ON s.version_id = c.version_id
                 WHERE c.id = e.${end} AND s.snapshot_id = e.snapshot_id)`;
  return database
    .prepare(
      `SELECT caller, callee FROM edges e WHERE ${isStray('caller')} OR ${isStray('callee')}`,
    )
    .raw()
    .all();
}

/** Returns the path of the only index in a data directory, or undefined if none exists yet. */
export function databasePath(dataDir: string): string | undefined {
  const repositories = join(dataDir, 'repositories');
  const folders = existsSync(repositories) ? readdirSync(repositories) : [];
  const path = folders[0] && join(repositories, folders[0], 'index.db');
  return path && existsSync(path) ? path : undefined;
}

/**
 * Returns everything that is stored about the working tree's snapshot, without ids, which differ from run to run.
 * Two indexes are the same if these are equal.
 */
export function dumpIndex(dataDir: string): Record<string, string[]> {
  const database = new Sqlite(databasePath(dataDir)!, { readonly: true });
  const rows = (sql: string) =>
    (database.prepare(sql).raw().all() as unknown[][]).map((row) => row.map(toText).join(' | '));
  try {
    const chunk = (id: string, alias: string) =>
      `(SELECT v${alias}.path || '::' || c${alias}.qualified_name || '#' || c${alias}.ordinal
        FROM chunks c${alias} JOIN file_versions v${alias} ON v${alias}.id = c${alias}.version_id WHERE c${alias}.id = ${id})`;
    return {
      snapshot: rows(`SELECT revision, graph_dirty, complete, attributes FROM snapshots`),
      files: rows(
        `SELECT v.path, v.hash, v.parser, v.lines, v.errors, v.generated, d.texts, d.facts FROM snapshot_files s
         JOIN file_versions v ON v.id = s.version_id JOIN version_data d ON d.version_id = v.id ORDER BY 1`,
      ),
      chunks: rows(
        `SELECT v.path, c.position, c.parent, c.qualified_name, c.ordinal, c.kind, c.start_line, c.end_line, c.hash
         FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id JOIN chunks c ON c.version_id = v.id ORDER BY 1, 2`,
      ),
      terms: termCounts(database),
      edges: rows(
        `SELECT ${chunk('e.caller', '1')}, ${chunk('e.callee', '2')}, position, kind, guess, sites FROM edges e ORDER BY 1, 2, 3`,
      ),
      embeddings: rows(
        `SELECT ${chunk('e.chunk_id', '1')}, e.model, lower(hex(e.key)) FROM chunk_embeddings e ORDER BY 1`,
      ),
      skipped: rows('SELECT path, reason, detail FROM skipped_files ORDER BY 1'),
      unread: rows('SELECT * FROM unread_files ORDER BY 2'),
      graphNotes: rows('SELECT path, note FROM graph_notes ORDER BY 1'),
      history: rows(
        `SELECT s.history, c.hash, c.reader, c.time, c.message, c.edits FROM snapshots s
         LEFT JOIN snapshot_commits l ON l.snapshot_id = s.id LEFT JOIN commits c ON c.id = l.commit_id ORDER BY l.position`,
      ),
    };
  } finally {
    database.close();
  }
}

/** Returns the vectors that a reranker stored in advance, with their keys. */
export function dumpReadVectors(dataDir: string): string[] {
  const vectors = readStoredVectors(join(dirname(databasePath(dataDir)!), RERANKER_FOLDER));
  return [...vectors]
    .map(([key, { scale, numbers }]) => `${key}: ${scale} ${Buffer.from(numbers).toString('hex')}`)
    .sort();
}

/**
 * Asserts that two data directories hold the same index. Embeddings may differ in their last bits, which depend on
 * the other texts of a batch.
 */
export function assertSameIndex(dataDir: string, other: string): void {
  const [left, right] = [dumpIndex(dataDir), dumpIndex(other)];
  for (const part of Object.keys(right)) {
    const [only, onlyOther] = [
      difference(left[part], right[part]),
      difference(right[part], left[part]),
    ];
    assert.deepEqual({ part, only, onlyOther }, { part, only: [], onlyOther: [] });
    assert.equal(left[part].length, right[part].length, part);
  }
  const [vectors, others] = [dataDir, other].map((each) =>
    readStoredVectors(dirname(databasePath(each)!)),
  );
  for (const key of new Set(left.embeddings.map((row) => row.split(' | ').at(-1)!))) {
    const cosine = computeCosine(vectors.get(key)!, others.get(key)!);
    assert.ok(Math.abs(1 - cosine) < 1e-5, `embedding ${key}: cosine ${cosine}`);
  }
}

function computeCosine(
  { numbers: one }: QuantizedVector,
  { numbers: other }: QuantizedVector,
): number {
  const dot = (a: Int8Array, b: Int8Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}

function difference(rows: string[], others: string[]): string[] {
  const present = new Set(others);
  return rows.filter((row) => !present.has(row)).slice(0, 5);
}

/** Returns a line for each file, with its terms and their counts. */
function termCounts(database: Sqlite.Database): string[] {
  const terms = database.prepare('SELECT term FROM terms ORDER BY id').pluck().all() as string[];
  const files = database
    .prepare(
      `SELECT s.path, d.terms AS packed FROM snapshot_files s JOIN version_data d ON d.version_id = s.version_id ORDER BY 1`,
    )
    .all() as { path: string; packed: Buffer }[];
  return files.map(({ path, packed }) => {
    const [, entries] = unpackWords(packed);
    return `${path}: ${[...entries].map((entry) => `${terms[entry >>> 11]}/${entry & 0x7ff}`).join(' ')}`;
  });
}

function toText(value: unknown): string {
  return Buffer.isBuffer(value) ? createHash('sha1').update(value).digest('hex') : String(value);
}
