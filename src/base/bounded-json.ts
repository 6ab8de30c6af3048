/** Schemas for JSON of a shared place, which check it without spending more on it than it is worth. */
import { z } from 'zod';

/**
 * Returns the schema of a list of at most `max` items. Unlike zod's own, it stops at the first item that is wrong: a list of millions of wrong ones would take
 * gigabytes of issues.
 */
export function boundedList<T>(item: z.ZodType<T>, max: number): z.ZodType<T[]> {
  return z.unknown().transform((value, { issues }): T[] => {
    if (!Array.isArray(value) || value.length > max) {
      issues.push({ code: 'custom', input: value, message: `no list of at most ${max}` });
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

/** Text that a database returns as it was stored: one with half a surrogate pair would come back as another. */
export const wellFormed = (maxLength: number): z.ZodType<string> =>
  z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed(), 'no well-formed text');
