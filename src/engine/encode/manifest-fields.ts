import { z } from 'zod';
import { escapeHidden } from '../../shared/quote.ts';

// Schemas of values in a model manifest. All are bounded, since a manifest may come from someone else.

/** Returns the schema of a number from 1 to `most`. */
export const boundedCount = (most: number) => z.int().min(1).max(most);

export const dimensions = boundedCount(8_192);

/** Length of an input, in tokens, words or characters. */
export const inputLength = boundedCount(100_000);

/** Maximum number of rows of a model's tables: words, buckets, pairs. */
export const MAX_ROWS = 2 ** 24;

export const typeId = z.int().min(0).max(MAX_ROWS);

/** Name of a file in the model's own folder, never outside it. */
export const fileName = z
  .string()
  .max(100)
  .regex(/^\w[\w.-]*$/, 'must be a plain file name');

/** Id or version. It is printed, and becomes part of keys and file names. */
export const plainName = z
  .string()
  .max(100)
  .regex(/^\w[\w.+-]*$/, 'must be a plain name of letters, digits and . + - _');

/** Returns the schema of a line of text that is safe to print. */
export const visibleText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => escapeHidden(value) === value, 'must not have control characters');

export const fraction = z.number().min(0).max(1);
