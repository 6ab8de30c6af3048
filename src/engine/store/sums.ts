/** Checksums of the store's rows. A change to one requires a new schema version. */
import { addChecksums, computeChecksum } from './checksum.ts';

export interface SummedVersion {
  path: string;
  hash: string;
  parser: string;
  lines: number;
  errors: number;
  /** 1 or 0. */
  generated: number;
}

/** Row of a chunk, with the hash of its text instead of the text. */
export interface SummedChunk {
  id: number;
  position: number;
  parent: number;
  qualifiedName: string;
  ordinal: number;
  name: string;
  kind: string;
  startLine: number;
  endLine: number;
  signatureEnd: number;
  docStart: number | null;
  docEnd: number | null;
  hash: string;
  length: number;
}

export function computeVersionSum(id: number, version: SummedVersion): number {
  const { path, hash, parser, lines, errors, generated } = version;
  // Files that are not generated keep the checksum from before the column existed.
  return computeChecksum([
    id,
    path,
    hash,
    parser,
    lines,
    errors,
    ...(generated ? [generated] : []),
  ]);
}

/** Adds the checksum of a chunk to that of its version. The order of chunks doesn't matter. */
export function addChunkSum(sum: number, chunk: SummedChunk): number {
  return addChecksums(
    sum,
    computeChecksum([
      chunk.id,
      chunk.position,
      chunk.parent,
      chunk.qualifiedName,
      chunk.ordinal,
      chunk.name,
      chunk.kind,
      chunk.startLine,
      chunk.endLine,
      chunk.signatureEnd,
      chunk.docStart,
      chunk.docEnd,
      chunk.hash,
      chunk.length,
    ]),
  );
}

// The sums of a snapshot's rows leave out its id, so that they can be copied to another snapshot unread.

export function computeFileSum(path: string, versionId: number): number {
  return computeChecksum([path, versionId]);
}

export function computeEdgeSum(
  caller: number,
  position: number,
  callee: number,
  kind: string,
  guess: number,
  sites: string,
): number {
  return computeChecksum([caller, position, callee, kind, guess, sites]);
}

export function computeCommitSum(
  hash: string,
  reader: string,
  time: number,
  message: string,
  edits: string,
): number {
  return computeChecksum([hash, reader, time, message, edits]);
}

/** Extends the checksum of a snapshot's history by one commit. */
export function extendHistorySum(sum: number, commit: number): number {
  return computeChecksum([commit], sum);
}

export function computeLinkSum(chunkId: number, key: Uint8Array): number {
  return computeChecksum([chunkId, key]);
}

/** Returns the checksum of a term. The checksums of all terms are added up. */
export function computeTermSum(id: number, term: string): number {
  return computeChecksum([id, term]);
}
