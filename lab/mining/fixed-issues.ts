/** Issues with the commit that closed them, as data to mine. */
import { z } from 'zod';
import { parseJsonLines } from '../../src/services/evaluation/dataset.ts';
import { LocusError } from '../../src/shared/errors.ts';

export interface FixedIssue {
  /** Full id of the commit. */
  commit: string;
  text: string;
}

const line = z.object({
  repo: z.string().optional(),
  problem_statement: z.string().trim().min(1),
  fix_commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'is not a full commit id'),
});

const WANTED = 'each line is a JSON object with problem_statement and fix_commit';

/**
 * Parses JSON Lines of issues with `problem_statement` and `fix_commit`. If lines have a `repo`, returns only those of the
 * repository `name` (`owner+name`, in any case).
 * @param path path of the file, for errors
 * @throws LocusError `bad-input` with the file, the line and the problem, or if no issue is of this repository
 */
export function parseFixedIssues(text: string, path: string, name: string): FixedIssue[] {
  const issues: FixedIssue[] = [];
  for (const { repo, problem_statement, fix_commit } of parseJsonLines(text, path, line, WANTED)) {
    if (repo && repo.replace('/', '+').toLowerCase() !== name.toLowerCase()) continue;
    issues.push({ commit: fix_commit, text: problem_statement });
  }
  if (issues.length > 0) return issues;
  const remedy = 'Give --name owner/name as it is in the file.';
  throw new LocusError('bad-input', `${path} has no issue of ${name.replace('+', '/')}.`, remedy);
}
