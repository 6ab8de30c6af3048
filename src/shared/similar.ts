/** Chunks that are like one in meaning: the question, and its answer. */
import { z } from 'zod';
import type { ChunkSummary } from './chunk.ts';
import { MAX_CHUNK_NAME } from './limits.ts';

export const similarRequest = z.object({
  chunk: z.string().min(1).max(MAX_CHUNK_NAME),
  limit: z.int().min(1).max(500).default(20),
  /** Leave out tests, examples, docs, vendored and generated code. */
  sourceOnly: z.boolean().default(false),
});
export type SimilarRequest = z.output<typeof similarRequest>;

export interface SimilarChunk extends ChunkSummary {
  /** Cosine similarity of the embeddings, at most 1. */
  similarity: number;
}

/** The chunks most like one, best first; not itself, nor what it is in or has in it. */
export interface SimilarChunks {
  center: ChunkSummary;
  chunks: SimilarChunk[];
  /** How many chunks it was compared with. */
  compared: number;
  /** Chunks that have no embedding yet, and so are not in the list. */
  pending: number;
}
