/** Full chunks and files, as they were indexed. */
import { z } from 'zod';
import { callEdge } from './call-graph.ts';
import {
  chunkAddress,
  chunkName,
  chunkSummary,
  FILE_ROLES,
  hashedChunk,
  repositoryPath,
} from './chunk.ts';
import { MAX_CHUNK_NAME, MAX_PATH, MAX_SNIPPETS, MAX_WORD, MAX_WORDS } from './limits.ts';

export const showRequest = z.object({ chunk: chunkName });

const encoderPart = z.object({
  role: z.enum(['path', 'signature', 'body', 'callee']),
  /** The callee's address, for `callee` parts. */
  address: chunkAddress.optional(),
  text: z.string(),
  /** Number of tokens of this part, and of tokens that the limits cut off. */
  tokens: z.number(),
  cut: z.number(),
  /** Rest of the text, which has no tokens; empty if nothing was cut off. */
  cutText: z.string(),
});
export type EncoderPart = z.output<typeof encoderPart>;

/** A chunk with its code, calls and encoder input. */
export const chunkDetail = hashedChunk.extend({
  /** Lines startLine..endLine of the file as it was indexed; of a module chunk, only its own lines. */
  code: z.string(),
  docstring: z.string().nullable(),
  callers: z.array(callEdge),
  callees: z.array(callEdge),
  /** Input of the encoder. */
  context: z.object({ model: z.string(), parts: z.array(encoderPart), embedded: z.boolean() }),
});
export type ChunkDetail = z.output<typeof chunkDetail>;

export const fileRequest = z.object({ path: z.string().min(1).max(MAX_PATH) });

/** A chunk with the line of its header, which may come after decorators and comments. */
const outlinedChunk = chunkSummary.extend({ headerLine: z.number() });
export type OutlinedChunk = z.output<typeof outlinedChunk>;

/** A whole file as it was indexed, with its chunks from top to bottom. */
export const fileDetail = z.object({
  path: repositoryPath,
  text: z.string(),
  language: z.string(),
  role: z.enum(FILE_ROLES),
  chunks: z.array(outlinedChunk),
});
export type FileDetail = z.output<typeof fileDetail>;

/** Chunks, each with the words to find and the weight of each word. */
export const snippetsRequest = z
  .array(
    z.object({
      chunk: z.string().min(1).max(MAX_CHUNK_NAME),
      words: z
        .array(z.object({ word: z.string().max(MAX_WORD), score: z.number() }))
        .max(MAX_WORDS),
    }),
  )
  .max(MAX_SNIPPETS);
export type SnippetsRequest = z.output<typeof snippetsRequest>;

/** A line of code, without the common indentation of the snippet's lines. */
export interface SnippetLine {
  /** 1-based. */
  line: number;
  text: string;
  /** Occurrences of the words in `text`, `[start, end)` in UTF-16 units. */
  matches: [start: number, end: number][];
}

/** The line that contains most of the words, and the line after it. */
export type Snippet = SnippetLine[];
