/** Issues with the commit that closed them. */
import { z } from 'zod';
import type { FixedIssue } from '../../engine/index.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteName } from '../../shared/quote.ts';
import { parseJsonLines } from './dataset.ts';

const text = z.string().trim().min(1);
const line = z
  .object({
    repo: z.string().optional(),
    problem_statement: text.optional(),
    title: text.optional(),
    body: z.string().nullish(),
    fix_commit: z.string().regex(/^[0-9a-f]{40,64}$/, 'is not a full commit id'),
  })
  .refine(({ problem_statement, title }) => problem_statement ?? title, {
    path: ['title'],
    message: 'is missing',
  });

const REMEDY =
  'Give a JSON Lines file: title, body and fix_commit, or problem_statement and fix_commit, in each line.';

/**
 * Parses JSON Lines of issues with `fix_commit`, and either `title` and `body` or `problem_statement`. If lines have a `repo`,
 * returns only those of the repository `name` (`owner+name`, in any case); all if it is null.
 * @param path path of the file, for errors
 * @throws LocusError `bad-input` with the file, the line and the problem, or if no issue is of this repository
 */
export function parseFixedIssues(content: string, path: string, name: string | null): FixedIssue[] {
  const issues: FixedIssue[] = [];
  for (const issue of parseJsonLines(content, path, line, REMEDY)) {
    const { repo, problem_statement, title, body, fix_commit } = issue;
    if (repo && name && repo.replace('/', '+').toLowerCase() !== name.toLowerCase()) continue;
    const text = problem_statement ?? `${title}\n\n${body ?? ''}`.trim();
    issues.push({ commit: fix_commit, text });
  }
  if (issues.length > 0) return issues;
  if (name === null) throw new LocusError('bad-input', `${quoteName(path)} has no issue.`, REMEDY);
  const remedy = 'Give --name owner/name as it is in the file.';
  throw new LocusError('bad-input', `${path} has no issue of ${name.replace('+', '/')}.`, remedy);
}
