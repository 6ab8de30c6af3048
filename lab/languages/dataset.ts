/**
 * Converts published issues to a data set for `locus eval`:
 * `npm run -s lab -- dataset-issues --issues dev.go.jsonl.zst --repos ~/clones > go.jsonl`
 *
 * Reads JSON Lines, plain or compressed with zstd, of issues with `repo`, `issue`, `problem_statement`, a `patch` or a
 * `fix_commit`, and a `base_commit`; by default the first parent of `fix_commit`. Skips and counts issues whose clone or commits
 * are missing. `--sure` also skips texts that no person wrote, texts that are only a title, and issues whose closing change is
 * uncertain (`link`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { GitFailure, git } from '../../src/base/git/git.ts';
import { type EvaluationInstance, getCloneName } from '../../src/services/evaluation/dataset.ts';

const WRITTEN_BY_PEOPLE = new Set(['issue', 'jira', 'bugzilla']);
const SURE_LINKS = new Set(['exact', 'key single', 'pr-or-log single']);

const issue = z.object({
  repo: z.string(),
  issue: z.union([z.string(), z.number()]).transform(String),
  source: z.string(),
  text_kind: z.string(),
  problem_statement: z.string(),
  patch: z.string().nullish(),
  base_commit: z.string().nullish(),
  fix_commit: z.string().nullish(),
  link: z.string().nullish(),
  title_only: z.boolean().nullish(),
});
type Issue = z.output<typeof issue>;
/** Instance with the commit that closed it, if the data set has one, as `mine --issues` needs it. */
type Fixed = EvaluationInstance & Pick<Issue, 'fix_commit'>;

const { values } = parseArgs({
  options: {
    issues: { type: 'string' },
    repos: { type: 'string' },
    most: { type: 'string' },
    sure: { type: 'boolean' },
  },
});
if (!values.issues || !values.repos) {
  console.error(
    'usage: npm run -s lab -- dataset-issues --issues <jsonl[.zst]> --repos <folder of clones> [--most <a repository>] [--sure]',
  );
  process.exit(2);
}
const { repos } = values;
const most = Number(values.most ?? Number.POSITIVE_INFINITY);
const counts = new Map<string, number>();
const left = { 'not sure': 0, 'no clone': 0, 'no such commit': 0, 'enough of its repository': 0 };
for (const line of readText(values.issues).split('\n')) {
  if (line.trim() === '') continue;
  const parsed = issue.parse(JSON.parse(line));
  const made = await makeInstance(parsed);
  if (typeof made === 'string') left[made]++;
  else console.log(JSON.stringify(made));
}
console.error(`skipped: ${JSON.stringify(left)}`);

function readText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}

/** Returns the instance, or the reason why it is left out. The id of a rewritten text contains `rewritten`. */
async function makeInstance(of: Issue): Promise<Fixed | keyof typeof left> {
  const { repo, source, text_kind, problem_statement, fix_commit } = of;
  if (values.sure && !isSure(of)) return 'not sure';
  const root = join(repos, getCloneName(repo));
  if (!existsSync(root)) return 'no clone';
  if ((counts.get(repo) ?? 0) >= most) return 'enough of its repository';
  const base = await commitAt(root, of.base_commit ?? `${of.fix_commit}^`);
  const patch = of.patch ?? (of.fix_commit && base && (await diff(root, base, of.fix_commit)));
  if (!base || !patch) return 'no such commit';
  counts.set(repo, (counts.get(repo) ?? 0) + 1);
  const instance_id = `${text_kind} ${source} ${repo}#${of.issue}@${base.slice(0, 12)}`;
  return { instance_id, repo, base_commit: base, problem_statement, patch, fix_commit };
}

/** Returns true if a person wrote the issue, its text is complete, and its change is certain. */
function isSure({ text_kind, link, title_only }: Issue): boolean {
  return WRITTEN_BY_PEOPLE.has(text_kind) && SURE_LINKS.has(link ?? '') && !title_only;
}

async function commitAt(root: string, name: string): Promise<string | null> {
  const found = await said(git(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]));
  return found?.trim() ?? null;
}

function diff(root: string, base: string, fix: string): Promise<string | null> {
  return said(git(root, ['diff-tree', '-r', '-p', base, fix]));
}

/** Returns the output of git, or null if it fails, as for a missing commit. */
async function said(answer: Promise<Buffer>): Promise<string | null> {
  try {
    return (await answer).toString('utf8');
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
