/** Checksums of the store's rows. Changing one changes the schema's version. */
import { addChecksums, checksum } from './checksum.ts';

export interface SummedVersion {
  path: string;
  hash: string;
  parser: string;
  lines: number;
  errors: number;
  /** 1 or 0. */
  generated: number;
}

/** A chunk's row but for its text, of which it has the hash. */
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

export function versionSum(id: number, version: SummedVersion): number {
  const { path, hash, parser, lines, errors, generated } = version;
  // What is written by hand has the sum that it had before there was the column.
  return checksum([id, path, hash, parser, lines, errors, ...(generated ? [generated] : [])]);
}

/** Added to its version's, in any order. */
export function withChunk(sum: number, chunk: SummedChunk): number {
  return addChecksums(
    sum,
    checksum([
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

export function fileSum(snapshotId: number, path: string, versionId: number): number {
  return checksum([snapshotId, path, versionId]);
}

export function edgeSum(
  snapshotId: number,
  caller: number,
  position: number,
  callee: number,
  kind: string,
  guess: number,
  sites: string,
): number {
  return checksum([snapshotId, caller, position, callee, kind, guess, sites]);
}

export function commitSum(
  hash: string,
  reader: string,
  time: number,
  message: string,
  edits: string,
): number {
  return checksum([hash, reader, time, message, edits]);
}

/** Of a snapshot's history up to one commit more. */
export function historySum(sum: number, commit: number): number {
  return checksum([commit], sum);
}

export function linkSum(chunkId: number, key: Uint8Array): number {
  return checksum([chunkId, key]);
}

/** Added to those of all other terms. */
export function termSum(id: number, term: string): number {
  return checksum([id, term]);
}
