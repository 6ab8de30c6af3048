import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { unpackLists } from '../../src/engine/columns/packed.ts';
import { unpackEntries } from '../../src/engine/lexical/packed-counts.ts';
import { RERANKER_FOLDER } from '../../src/engine/store/row-generations.ts';
import type { QuantizedVector } from '../../src/engine/vectors/quantized.ts';
import {
  listSnapshots,
  readStoredChunks,
  readStoredEdges,
  readStoredLinks,
  readStoredTerms,
} from './stored-rows.ts';
import { readStoredVectors } from './stored-vectors.ts';

/** Returns edges that start or end outside the chunks of their snapshot, as [caller, callee] ids. */
export function findStrayEdges(database: Sqlite.Database): [number, number][] {
  return listSnapshots(database).flatMap((snapshot) => {
    const chunks = readStoredChunks(database, snapshot);
    return readStoredEdges(database, snapshot)
      .filter(({ caller, callee }) => !chunks.has(caller) || !chunks.has(callee))
      .map(({ caller, callee }): [number, number] => [caller, callee]);
  });
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
    return {
      snapshot: rows(`SELECT revision, graph_dirty, complete, attributes FROM snapshots`),
      files: rows(
        `SELECT v.path, v.hash, v.parser, v.lines, v.errors, v.generated, d.texts, d.facts, d.refs FROM snapshot_files s
         JOIN file_versions v ON v.id = s.version_id JOIN version_data d ON d.version_id = v.id ORDER BY 1`,
      ),
      ...dumpPacked(database),
      terms: termCounts(database),
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

/** Returns the packed rows of all snapshots: chunks, edges and links to embeddings. */
function dumpPacked(
  database: Sqlite.Database,
): Record<'chunks' | 'edges' | 'embeddings', string[]> {
  const [chunks, edges, embeddings]: string[][] = [[], [], []];
  for (const snapshot of listSnapshots(database)) {
    const stored = readStoredChunks(database, snapshot);
    const nameOf = (id: number) => {
      const chunk = stored.get(id);
      return chunk ? `${chunk.path}::${chunk.qualifiedName}#${chunk.ordinal}` : 'missing';
    };
    for (const { id, versionId: _, ...chunk } of stored.values())
      chunks.push(JSON.stringify(chunk));
    for (const { caller, callee, ...edge } of readStoredEdges(database, snapshot))
      edges.push(`${nameOf(caller)} | ${nameOf(callee)} | ${JSON.stringify(edge)}`);
    for (const { chunkId, model, key } of readStoredLinks(database, snapshot))
      embeddings.push(`${nameOf(chunkId)} | ${model} | ${key}`);
  }
  return { chunks: chunks.sort(), edges: edges.sort(), embeddings: embeddings.sort() };
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
  const terms = readStoredTerms(database);
  const files = database
    .prepare(
      `SELECT s.path, d.terms AS packed FROM snapshot_files s JOIN version_data d ON d.version_id = s.version_id ORDER BY 1`,
    )
    .all() as { path: string; packed: Buffer }[];
  return files.map(({ path, packed }) => {
    const counts = unpackLists(packed).map((chunk) =>
      Array.from(unpackEntries(chunk), (entry) => `${terms[entry >>> 11]}/${entry & 0x7ff}`),
    );
    // Entries are in order of the term's number, which another run may number otherwise.
    return `${path}: ${counts.map((chunk) => chunk.sort().join(' ')).join(', ')}`;
  });
}

function toText(value: unknown): string {
  return Buffer.isBuffer(value) ? createHash('sha1').update(value).digest('hex') : String(value);
}
