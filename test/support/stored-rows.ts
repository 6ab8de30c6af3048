/** Reads what a database of an index stores in packed form, without opening the index. Damage is an error. */
import type Sqlite from 'better-sqlite3';
import type { ResolvedEdge } from '../../src/engine/graph/types.ts';
import { Edges } from '../../src/engine/store/edges.ts';
import { EmbeddingLinks } from '../../src/engine/store/embedding-links.ts';
import { type ChunkRecord, FileVersions } from '../../src/engine/store/file-versions.ts';
import { TermDictionary } from '../../src/engine/store/terms.ts';

/** Chunk of a snapshot, with its file. */
export interface StoredChunk extends ChunkRecord {
  path: string;
  /** Hash of the file. */
  fileHash: string;
  /** Hash of its text. */
  hash: string;
}

export function listSnapshots(database: Sqlite.Database): number[] {
  return database.prepare('SELECT id FROM snapshots ORDER BY id').pluck().all() as number[];
}

/** Returns the chunks of a snapshot by id. */
export function readStoredChunks(
  database: Sqlite.Database,
  snapshotId: number,
): Map<number, StoredChunk> {
  const versions = new FileVersions(database, new TermDictionary(database));
  return new Map(
    [...versions.readChunks(snapshotId)].map((chunk) => {
      const { path, hash: fileHash } = versions.getInfo(chunk.versionId);
      const hash = versions.getContentHash(chunk.id);
      return [chunk.id, { ...chunk, path, fileHash, hash }];
    }),
  );
}

export function readStoredEdges(database: Sqlite.Database, snapshotId: number): ResolvedEdge[] {
  return [...new Edges(database).readAll(snapshotId)];
}

/** Returns the links of a snapshot to embeddings of all models. */
export function readStoredLinks(
  database: Sqlite.Database,
  snapshotId: number,
): { model: string; chunkId: number; key: string }[] {
  const links = new EmbeddingLinks(database);
  return links.getModels(snapshotId).flatMap((model) =>
    [...links.readAll(snapshotId, model)].map(({ chunkId, key }) => ({
      model,
      chunkId,
      key: key.toString('hex'),
    })),
  );
}

/** Returns all terms by their numbers. */
export function readStoredTerms(database: Sqlite.Database): string[] {
  const terms = new TermDictionary(database);
  return Array.from({ length: terms.size }, (_, id) => terms.termOf(id)!);
}
