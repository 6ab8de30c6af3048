/** Issues of which it is known which commit closed them, as data to mine. */
import { z } from 'zod';
import { parseJsonLines } from '../../src/services/evaluation/dataset.ts';
import { LocusError } from '../../src/shared/errors.ts';

export interface FixedIssue {
  /** The full id of the commit. */
  commit: string;
  text: string;
}

const line = z.object({
  repo: z.string().optional(),
  problem_statement: z.string().trim().min(1),
  fix_commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'is no full id of a commit'),
});

const WANTED = 'each line is a JSON object with problem_statement and fix_commit';

/**
 * The issues of JSON Lines with `problem_statement` and `fix_commit`; where lines have a `repo`, those of the repository
 * `name` (`owner+name`), in any case of letters.
 * @param path of the file, for errors
 * @throws LocusError `bad-input` that names the file, the line and what is wrong with it, or says that no issue is of
 *   this repository
 */
export function parseFixedIssues(text: string, path: string, name: string): FixedIssue[] {
  const issues: FixedIssue[] = [];
  for (const { repo, problem_statement, fix_commit } of parseJsonLines(text, path, line, WANTED)) {
    if (repo && repo.replace('/', '+').toLowerCase() !== name.toLowerCase()) continue;
    issues.push({ commit: fix_commit, text: problem_statement });
  }
  if (issues.length > 0) return issues;
  const remedy = 'give --name owner/name as the file has it';
  throw new LocusError('bad-input', `${path} has no issue of ${name.replace('+', '/')}`, remedy);
}
