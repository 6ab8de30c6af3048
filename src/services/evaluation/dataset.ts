/** Issues with the patch that closed them: one JSON object a line, with the field names of SWE-bench. */
import { z } from 'zod';
import { badInput } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';

const instance = z.object({
  instance_id: z.string().min(1),
  /** `owner/name`. */
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'),
  base_commit: z.string().min(1),
  problem_statement: z.string(),
  /** A unified diff against the base commit. */
  patch: z.string(),
});
export type Instance = z.output<typeof instance>;

const REMEDY =
  'give a JSON Lines file with instance_id, repo, base_commit, problem_statement and patch';

/**
 * Reads a data set; other fields of an object are ignored.
 * @throws LocusError `bad-input` that names the line and the field.
 */
export function parseDataset(text: string, name: string): Instance[] {
  const instances = [...jsonLines(text, name, instance, REMEDY)];
  if (instances.length === 0) throw bad(`${name} has no instances`);
  const ids = new Set(instances.map(({ instance_id }) => instance_id));
  if (ids.size < instances.length) throw bad(`${name} has instances of the same instance_id`);
  return instances;
}

/** The folder of a repository's clone: `owner__name`. */
export const cloneName = (repo: string): string => repo.replace('/', '__');

const bad = (message: string) => badInput(message, REMEDY);

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
    const bad = (what: string) => badInput(`${name}, line ${i + 1}${what}`, remedy);
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
