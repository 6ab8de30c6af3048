/** Request and response for chunks of similar meaning. */
import { z } from 'zod';
import { chunkName, chunkSummary } from './chunk.ts';

export const similarRequest = z.object({
  chunk: chunkName,
  limit: z.int().min(1).max(500).default(20),
  /** True to exclude tests, examples, docs, vendored and generated code. */
  sourceOnly: z.boolean().default(false),
});
export type SimilarRequest = z.output<typeof similarRequest>;

/** A chunk with the cosine similarity of its embedding, at most 1. */
const similarChunk = chunkSummary.extend({ similarity: z.number() });

/** The most similar chunks, best first, without the chunk itself, its members and the chunks that contain it. */
export const similarChunks = z.object({
  center: chunkSummary,
  chunks: z.array(similarChunk),
  /** Number of chunks that it was compared with. */
  compared: z.number(),
  /** Number of chunks without an embedding so far, which are missing from the list. */
  pending: z.number(),
});
export type SimilarChunks = z.output<typeof similarChunks>;
