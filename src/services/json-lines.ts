import type { z } from 'zod';
import { LocusError } from '../shared/errors.ts';
import { present } from '../shared/present.ts';

/**
 * The objects of JSON Lines, as a schema has them; empty lines are left out.
 * @param name of the file, for errors
 * @param remedy what lines should be
 * @throws LocusError `bad-input` that names the line and the field
 */
export function* jsonLines<T>(
  text: string,
  name: string,
  schema: z.ZodType<T>,
  remedy: string,
): Generator<T> {
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const bad = (what: string) =>
      new LocusError('bad-input', `${name}, line ${i + 1}${what}`, remedy);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw bad(` is not JSON: ${(error as Error).message}`);
    }
    const { data, error } = schema.safeParse(value);
    if (error) {
      const issue = present(error.issues[0], 'what a schema found');
      throw bad(`: ${issue.path.join('.') || 'it'}: ${issue.message}`);
    }
    yield data as T;
  }
}
