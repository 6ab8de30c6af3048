/** Schemas for JSON from shared folders and servers, with bounded cost. */
import { z } from 'zod';

/**
 * Returns the schema of a list of at most `max` items. Unlike zod's own, it stops at the first invalid item: a list of millions of
 * invalid items would produce gigabytes of issues.
 */
export function boundedList<T>(item: z.ZodType<T>, max: number): z.ZodType<T[]> {
  return z.unknown().transform((value, { issues }): T[] => {
    if (!Array.isArray(value) || value.length > max) {
      issues.push({ code: 'custom', input: value, message: `not a list of at most ${max} items` });
      return z.NEVER;
    }
    const items: T[] = [];
    for (const [at, one] of value.entries()) {
      const parsed = item.safeParse(one);
      if (!parsed.success) {
        const [{ message = '', path = [] } = {}] = parsed.error.issues;
        issues.push({ code: 'custom', input: value, message, path: [at, ...path] });
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });
}

/** Returns the schema of a text that a database returns unchanged, which excludes lone surrogates. */
export const wellFormed = (maxLength: number): z.ZodType<string> =>
  z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed(), 'not well-formed text');
