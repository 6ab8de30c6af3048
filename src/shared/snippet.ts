/** Lines of a chunk that have the words which speak for it. */
import { z } from 'zod';
import { MAX_CHUNK_NAME, MAX_WORD, MOST_SNIPPETS, MOST_WORDS } from './limits.ts';

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
