/**
 * The unit of Locus: a definition of a file, or the code outside of any. Line numbers are 1-based and inclusive, columns
 * and text offsets 0-based UTF-16 units, here and in the rest of the contract.
 */
import { z } from 'zod';
import type { ChunkAddress, ChunkPlace } from './address.ts';
import { MAX_CHUNK_NAME } from './limits.ts';

/** What a chunk is. `module` is all of a file's code outside any definition. */
export const CHUNK_KINDS = ['function', 'method', 'class', 'module'] as const;
export type ChunkKind = (typeof CHUNK_KINDS)[number];

/**
 * What a file is for; anything but `source` is demoted in the ranking unless asked for. `vendored` was copied from another
 * project, `generated` was written by a tool.
 */
export const FILE_ROLES = ['source', 'test', 'example', 'doc', 'vendored', 'generated'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

export const chunkName = z
  .string()
  .min(1)
  .max(MAX_CHUNK_NAME)
  .describe('path::qualified.name, path:line, or a unique name');

// Apart from `address.ts`: threads that only take addresses apart do not load zod.
/** An address in a response. Schemas share this object, so that addresses can be found in any response. */
export const chunkAddress = z.string() satisfies z.ZodType<ChunkAddress>;

/** Path relative to the repository, in a response; shared by schemas like `chunkAddress`. */
export const repositoryPath = z.string();

const chunkPlace = z.object({
  path: repositoryPath,
  qualifiedName: z.string(),
  ordinal: z.number(),
}) satisfies z.ZodType<ChunkPlace>;

/** A chunk without its text. */
export const chunkSummary = chunkPlace.extend({
  address: chunkAddress,
  name: z.string(),
  kind: z.enum(CHUNK_KINDS),
  /** Name of its language: `python`. */
  language: z.string(),
  role: z.enum(FILE_ROLES),
  startLine: z.number(),
  endLine: z.number(),
});
export type ChunkSummary = z.output<typeof chunkSummary>;

/** A chunk with the SHA-1 (hex) of its normalized text. */
export const hashedChunk = chunkSummary.extend({ contentHash: z.string() });
export type HashedChunk = z.output<typeof hashedChunk>;

/** A programming language that Locus reads, as the views know it. */
export interface LanguageInfo {
  /** As chunks and files name it: `python`. */
  name: string;
  title: string;
  monaco: string;
  /** Stem of files that stand for their folders, so that many have it; null where none does. */
  index: string | null;
}
