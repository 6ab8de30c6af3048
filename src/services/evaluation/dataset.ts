/** Issues with the patch that closed them: one JSON object a line, with the field names of SWE-bench. */
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { jsonLines } from '../json-lines.ts';

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

const bad = (message: string) => new LocusError('bad-input', message, REMEDY);
