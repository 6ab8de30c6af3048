/**
 * The unit of Locus: a definition of a file, or the code outside of any. Line numbers are 1-based and inclusive, columns
 * and text offsets 0-based UTF-16 units, here and in the rest of the contract.
 */
import type { ChunkAddress, ChunkPlace } from './address.ts';

/** What a chunk is. `module` is all of a file's code outside any definition. */
export const CHUNK_KINDS = ['function', 'method', 'class', 'module'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/**
 * What a file is for; anything but `source` is demoted in the ranking unless asked for. `vendored` was copied from another
 * project, `generated` was written by a tool.
 */
export const FILE_ROLES = ['source', 'test', 'example', 'doc', 'vendored', 'generated'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

/** A chunk without its text. */
export interface ChunkSummary extends ChunkPlace {
  address: ChunkAddress;
  name: string;
  kind: ChunkKind;
  /** Name of its language: `python`. */
  language: string;
  role: FileRole;
  startLine: number;
  endLine: number;
}

/** A chunk with the SHA-1 (hex) of its normalised text. */
export interface HashedChunk extends ChunkSummary {
  contentHash: string;
}
