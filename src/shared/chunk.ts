/**
 * The chunk, the unit that Locus ranks: a definition in a file, or the code outside any definition. Here and in the rest of
 * the contract, line numbers are 1-based and inclusive; columns and text offsets are 0-based UTF-16 units.
 */
import { z } from 'zod';
import type { AddressParts, ChunkAddress } from './address.ts';
import { CHUNK_KINDS } from './chunk-kind.ts';
import { MAX_CHUNK_NAME } from './limits.ts';

/**
 * Purposes of files. Everything but `source` is ranked lower unless a search asks for it. `vendored` code was copied from
 * another project, `generated` code was written by a tool.
 */
export const FILE_ROLES = ['source', 'test', 'example', 'doc', 'vendored', 'generated'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

export const chunkName = z
  .string()
  .min(1)
  .max(MAX_CHUNK_NAME)
  .describe('path::qualified.name, path:line, or a unique name');

// Not in `address.ts`, so that threads that only parse addresses do not load zod.
/** An address in a response. All schemas share this object, which is how addresses are found in any response. */
export const chunkAddress = z.string() satisfies z.ZodType<ChunkAddress>;

/** Path relative to the repository, in a response; shared by schemas like `chunkAddress`. */
export const repositoryPath = z.string();

const addressParts = z.object({
  path: repositoryPath,
  qualifiedName: z.string(),
  ordinal: z.number(),
}) satisfies z.ZodType<AddressParts>;

/** A chunk without its text. */
export const chunkSummary = addressParts.extend({
  address: chunkAddress,
  name: z.string(),
  kind: z.enum(CHUNK_KINDS),
  /** Name of its language: `python`. */
  language: z.string(),
  role: z.enum(FILE_ROLES),
  startLine: z.number(),
  endLine: z.number(),
  /** Qualified name with the name of the file for that of a definition without one; left out if it has one. */
  shownName: z.string().optional(),
  /** Number of its cell in a notebook, from 1; left out elsewhere. */
  cell: z.number().optional(),
});
export type ChunkSummary = z.output<typeof chunkSummary>;

/** A chunk with the SHA-1 (hex) of its normalized text. */
export const hashedChunk = chunkSummary.extend({ contentHash: z.string() });
export type HashedChunk = z.output<typeof hashedChunk>;

/** A supported programming language, as the window needs it. */
export interface LanguageInfo {
  /** Value of `language` in chunks and files: `python`. */
  name: string;
  title: string;
  /** Monaco's id of the language. */
  monaco: string;
  /** File name without extension of files that represent their folder, such as `__init__`; null if the language has none. */
  index: string | null;
}
