import { z } from 'zod';
import { boundedCount, fileName, inputLength, MAX_ROWS, typeId } from '../manifest-fields.ts';

/** Fields of a bag model's manifest. */
export const bagManifest = z.object({
  tokenizer: z.object({
    type: z.literal('words'),
    file: fileName,
    pattern: z.string().min(1).max(1_000).refine(isPattern, 'must be a regular expression'),
    lowercase: z.boolean().default(true),
    hash: z.literal('fnv1a32').default('fnv1a32'),
    hashBuckets: z.int().min(0).max(MAX_ROWS),
    /** Number of buckets for pairs of adjacent words, as in `read_lines`. Their ids follow those of words. */
    pairBuckets: z.int().min(0).max(MAX_ROWS).default(0),
    maxWordsPerField: inputLength,
  }),
  fields: z.object({
    path: typeId,
    signature: typeId,
    body: typeId,
    callees: typeId,
    title: typeId,
    text: typeId,
    /** Types of code and tracebacks in an issue. Without them, both have the type of text. */
    code: typeId.optional(),
    trace: typeId.optional(),
  }),
  /** Ids of tokens that are not words: one in every issue, and one for each power of two of a chunk's length in words. */
  marks: z.object({ issue: typeId, lengths: typeId, lengthCount: boundedCount(64) }).optional(),
  /** Vectors of buckets, which are random and therefore generated instead of stored. They follow those of words. */
  made: z.object({ rows: boundedCount(MAX_ROWS), value: z.int().min(1).max(127) }).optional(),
  tokenWeight: z.literal('log1p(count)'),
  maxQueryWords: inputLength,
});

export type BagManifest = z.infer<typeof bagManifest>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'gu');
    return true;
  } catch {
    // Not a regular expression.
    return false;
  }
}
