/** Issues with the patch that closed them: one JSON object a line, with the field names of SWE-bench. */
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
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

/**
 * Reads a data set; other fields of an object are ignored.
 * @throws LocusError `bad-input` that names the line and the field.
 */
export function parseDataset(text: string, name: string): Instance[] {
  const instances: Instance[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = instance.safeParse(parseJson(line, `${name}, line ${i + 1}`));
    if (!parsed.success) {
      const issue = present(parsed.error.issues[0], 'what a schema found');
      throw bad(`${name}, line ${i + 1}: ${issue.path.join('.') || 'it'}: ${issue.message}`);
    }
    instances.push(parsed.data);
  }
  if (instances.length === 0) throw bad(`${name} has no instances`);
  const ids = new Set(instances.map(({ instance_id }) => instance_id));
  if (ids.size < instances.length) throw bad(`${name} has instances of the same instance_id`);
  return instances;
}

/** The folder of a repository's clone: `owner__name`. */
export const cloneName = (repo: string): string => repo.replace('/', '__');

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(`${where} is not JSON: ${(error as Error).message}`);
  }
}

function bad(message: string): LocusError {
  return new LocusError(
    'bad-input',
    message,
    'give a JSON Lines file with instance_id, repo, base_commit, problem_statement and patch',
  );
}
