/** Reads data sets: issues with the patch that closed them, one JSON object for each line, with the field names of SWE-bench. */
import { z } from 'zod';
import { assertPresent } from '../../shared/assert-present.ts';
import { badInput } from '../../shared/errors.ts';

const instance = z.object({
  instance_id: z.string().min(1),
  /** `owner/name`. */
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'),
  base_commit: z.string().min(1),
  problem_statement: z.string(),
  /** Unified diff against the base commit. */
  patch: z.string(),
});
export type EvaluationInstance = z.output<typeof instance>;

const REMEDY =
  'Give a JSON Lines file with instance_id, repo, base_commit, problem_statement and patch.';

/**
 * Parses a data set. Unknown fields are ignored.
 * @throws LocusError `bad-input` that names the line and the field.
 */
export function parseDataset(text: string, name: string): EvaluationInstance[] {
  const instances = [...parseJsonLines(text, name, instance, REMEDY)];
  if (instances.length === 0) throw createError(`${name} has no instances.`);
  const ids = new Set(instances.map(({ instance_id }) => instance_id));
  if (ids.size < instances.length) throw createError(`${name} has a duplicate instance_id.`);
  return instances;
}

/** Returns the folder name of a repository's clone: `owner__name`. */
export const getCloneName = (repo: string): string => repo.replace('/', '__');

const createError = (message: string) => badInput(message, REMEDY);

/**
 * Parses JSON Lines and validates each object by a schema. Empty lines are skipped.
 * @param name file name, for errors
 * @param remedy sentence that says what the lines should be
 * @throws LocusError `bad-input` that names the line and the field
 */
export function* parseJsonLines<T>(
  text: string,
  name: string,
  schema: z.ZodType<T>,
  remedy: string,
): Generator<T> {
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const fail = (what: string) => badInput(`${name}, line ${i + 1}${what}.`, remedy);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw fail(` is not JSON: ${(error as Error).message}`);
    }
    const { data, error } = schema.safeParse(value);
    if (error) {
      const issue = assertPresent(error.issues[0], 'an issue of the schema');
      throw fail(`, field ${issue.path.join('.') || '(whole line)'}: ${issue.message}`);
    }
    yield data as T;
  }
}
