/** A chunk and a file in full, as they were indexed. */
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
import { MAX_CHUNK_NAME, MAX_PATH, MAX_WORD, MOST_SNIPPETS, MOST_WORDS } from './limits.ts';

export const showRequest = z.object({ chunk: chunkName });

const encoderPart = z.object({
  role: z.enum(['path', 'signature', 'body', 'callee']),
  /** The callee's address, for `callee` parts. */
  address: chunkAddress.optional(),
  text: z.string(),
  /** Tokens of this part, and how many more the limits cut off. */
  tokens: z.number(),
  cut: z.number(),
  /** Rest of the text, which has no tokens; empty if nothing was cut off. */
  cutText: z.string(),
});
export type EncoderPart = z.output<typeof encoderPart>;

/** A chunk with its code and everything known about it. */
export const chunkDetail = hashedChunk.extend({
  /** The lines startLine..endLine of the file as it was indexed (for a module chunk: its own lines only). */
  code: z.string(),
  docstring: z.string().nullable(),
  callers: z.array(callEdge),
  callees: z.array(callEdge),
  /** The encoder's input, as it was. */
  context: z.object({ model: z.string(), parts: z.array(encoderPart), embedded: z.boolean() }),
});
export type ChunkDetail = z.output<typeof chunkDetail>;

export const fileRequest = z.object({ path: z.string().min(1).max(MAX_PATH) });

/** A chunk with the line of its header, which decorators and comments may precede. */
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

/** Chunks, each with the words to look for and how much each of them weighs. */
export const snippetsRequest = z
  .array(
    z.object({
      chunk: z.string().min(1).max(MAX_CHUNK_NAME),
      words: z
        .array(z.object({ word: z.string().max(MAX_WORD), score: z.number() }))
        .max(MOST_WORDS),
    }),
  )
  .max(MOST_SNIPPETS);
export type SnippetsRequest = z.output<typeof snippetsRequest>;

/** A line of code, without the indentation that all of a snippet's lines share. */
export interface SnippetLine {
  /** 1-based. */
  line: number;
  text: string;
  /** Where the words stand in `text`, `[start, end)` in UTF-16 units. */
  places: [start: number, end: number][];
}

/** The line with most of the words, and the one after it. */
export type Snippet = SnippetLine[];
