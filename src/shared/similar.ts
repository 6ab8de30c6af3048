/** Chunks of similar meaning: the request, and its response. */
import { z } from 'zod';
import { chunkName, chunkSummary } from './chunk.ts';

export const similarRequest = z.object({
  chunk: chunkName,
  limit: z.int().min(1).max(500).default(20),
  /** Leave out tests, examples, docs, vendored and generated code. */
  sourceOnly: z.boolean().default(false),
});
export type SimilarRequest = z.output<typeof similarRequest>;

/** A chunk with the cosine similarity of its embedding, at most 1. */
const similarChunk = chunkSummary.extend({ similarity: z.number() });

/** The most similar chunks, best first; neither the chunk itself, nor what contains it, nor its own members. */
export const similarChunks = z.object({
  center: chunkSummary,
  chunks: z.array(similarChunk),
  /** Number of chunks it was compared with. */
  compared: z.number(),
  /** Chunks that have no embedding yet, and so are not in the list. */
  pending: z.number(),
});
export type SimilarChunks = z.output<typeof similarChunks>;
