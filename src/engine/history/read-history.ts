/**
 * Reads commits from git. Only commands that heed no setting of a repository's for how diffs look, and that run
 * none of its programs.
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { languagesDigest } from '../languages/index.ts';
import { git, streamGit } from '../scan/git.ts';
import { DiffParser, FORMAT, MAX_FILES } from './diff-parser.ts';
import type { Commit } from './types.ts';

/** Identifies what makes commits of git's output; what another reader made of them must be made anew. */
export const HISTORY_READER = `1-${languagesDigest()}`;
/** Larger than any file that is indexed and is edited by hand; git calls larger ones binary and shows no diff. */
const MAX_FILE = '1m';

/**
 * The ids of up to `limit` commits that have `revision` as a descendant, it included, newest first. Merges and commits
 * without a parent, among them those where a shallow clone ends, are left out.
 * Rejects with `GitFailure`.
 */
export async function listCommits(
  root: string,
  revision: string,
  limit: number,
): Promise<string[]> {
  const output = await git(
    root,
    'rev-list',
    '--min-parents=1',
    '--max-parents=1',
    `--max-count=${limit}`,
    '--end-of-options',
    revision,
  );
  return output.toString('latin1').split('\n').filter(Boolean);
}

/**
 * Reads commits with what they edited of the files that match `patterns` (git's pathspecs, relative to `root`).
 * Yields a few at a time, in no order that could be relied on; commits that edit no such file, or too many, not at all.
 * Rejects with `GitFailure`.
 */
export async function* readCommits(
  root: string,
  hashes: readonly string[],
  patterns: readonly string[],
): AsyncGenerator<Commit[]> {
  const small = await withFewFiles(root, hashes, patterns);
  if (small.length === 0) return;
  const parser = new DiffParser();
  const args = [
    ...['-c', `core.bigFileThreshold=${MAX_FILE}`],
    ...['diff-tree', '--stdin', '-r', '--relative', '-p', '-M', `-l${MAX_FILES}`, '-U10000000'],
    ...['--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'],
    ...['--encoding=UTF-8', `--format=${FORMAT}`, '--', ...patterns],
  ];
  for await (const data of streamGit(root, args, `${small.join('\n')}\n`)) {
    const commits = parser.push(data);
    if (commits.length > 0) yield commits;
  }
  yield parser.end();
}

/** Those of the commits that touch at least one of the files and not too many. */
async function withFewFiles(
  root: string,
  hashes: readonly string[],
  patterns: readonly string[],
): Promise<string[]> {
  const args = ['diff-tree', '--stdin', '-r', '--relative', '--name-only', '--no-renames'];
  const few: string[] = [];
  let hash = '';
  let files = 0;
  const finish = () => {
    if (hash && files > 0 && files <= MAX_FILES) few.push(hash);
  };
  const input = `${hashes.join('\n')}\n`;
  const names = streamGit(root, [...args, '--format=%x00%H', '--', ...patterns], input);
  for await (const line of createInterface({ input: Readable.from(names), crlfDelay: Infinity })) {
    if (line.startsWith('\0')) {
      finish();
      hash = line.slice(1);
      files = 0;
    } else if (line !== '') files++;
  }
  finish();
  return few;
}
