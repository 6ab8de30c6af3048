/**
 * The unit of Locus: a definition of a file, or the code outside of any. Line numbers are 1-based and inclusive, columns
 * and text offsets 0-based UTF-16 units, here and in the rest of the contract.
 */

/** What a chunk is. `module` is all of a file's code outside any definition. */
export const CHUNK_KINDS = ['function', 'method', 'class', 'module'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/** What a file is for; anything but `source` is demoted in the ranking unless asked for. */
export type FileRole = 'source' | 'test' | 'example' | 'doc';

/**
 * A chunk's identity as text: `path::qualifiedName`, with `#n` (n >= 2) for the n-th definition of
 * the same name in the file. The module chunk of a file is `path::<module>`.
 */
export type ChunkAddress = string;

/** A chunk without its text. */
export interface ChunkSummary {
  address: ChunkAddress;
  path: string;
  qualifiedName: string;
  /** 0 for the first definition of this name in the file, 1 for its first redefinition, ... */
  ordinal: number;
  name: string;
  kind: ChunkKind;
  role: FileRole;
  startLine: number;
  endLine: number;
}

/** A chunk with the SHA-1 (hex) of its normalised text. */
export interface HashedChunk extends ChunkSummary {
  contentHash: string;
}
