/** Checksums of the store's rows. A change to one requires a new schema version. */
import { computeChecksum } from './checksum.ts';

export interface SummedVersion {
  path: string;
  hash: string;
  parser: string;
  lines: number;
  errors: number;
  /** 1 or 0. */
  generated: number;
  /** Number of its chunks. */
  count: number;
}

/** @param chunks the packed chunks of the version */
export function computeVersionSum(id: number, version: SummedVersion, chunks: Uint8Array): number {
  const { path, hash, parser, lines, errors, generated, count } = version;
  return computeChecksum([id, path, hash, parser, lines, errors, generated, count, chunks]);
}

// The sums of a snapshot's rows leave out its id, so that they can be copied to another snapshot unread.

export function computeFileSum(path: string, versionId: number): number {
  return computeChecksum([path, versionId]);
}

/** Returns the checksum of a row that belongs to a block of chunks, see `getBlock`. */
export function computeBlockSum(block: number, bytes: Uint8Array): number {
  return computeChecksum([block, bytes]);
}

export function computeCommitSum(
  hash: string,
  reader: string,
  time: number,
  message: string,
  edits: string | Uint8Array,
): number {
  return computeChecksum([hash, reader, time, message, edits]);
}

/** Extends the checksum of a snapshot's history by one commit. */
export function extendHistorySum(sum: number, commit: number): number {
  return computeChecksum([commit], sum);
}

/** Returns the checksum of a term. The checksums of all terms are added up. */
export function computeTermSum(id: number, term: string): number {
  return computeChecksum([id, term]);
}
