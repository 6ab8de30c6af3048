/** Reads commits from git, by commands that heed no setting of a repository's for how diffs look. */
import { languagesDigest } from '../languages/index.ts';
import { git, streamGit } from '../source/git.ts';
import { MOST_HISTORY, MOST_NAMES_MEMORY } from '../source/limits.ts';
import { commitRecords } from './commit-records.ts';
import { DiffParser, FORMAT, MAX_FILES } from './diff-parser.ts';
import type { Commit } from './types.ts';

/** Identifies what makes commits of git's output; what another reader made of them must be made anew. */
export const HISTORY_READER = `1-${languagesDigest()}`;
/** Larger than any file that is indexed and is edited by hand; git calls larger ones binary and shows no diff. */
const MAX_FILE = '1m';
/** Bytes of a line with a commit's id, by SHA-256. */
const LONGEST_ID = 65;
/** Bytes of the names of a commit's files; fifty have less. */
const MAX_NAMES = 1 << 20;

/**
 * The ids of up to `limit` commits that have `revision` as a descendant, it included, newest first. Merges and commits
 * without a parent, among them those where a shallow clone ends, are left out.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function listCommits(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const args = ['--min-parents=1', '--max-parents=1', `--max-count=${limit}`, '--end-of-options'];
  const maxBytes = limit * LONGEST_ID;
  const output = await git(root, ['rev-list', ...args, revision], { maxBytes, signal });
  return output.toString('latin1').split('\n').filter(Boolean);
}

/**
 * Reads commits with what they edited of the files that match `patterns` (git's pathspecs, relative to `root`).
 * Yields a few at a time, in no order that could be relied on; commits that edit no such file, or too many, not at all.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function* readCommits(
  root: string,
  hashes: readonly string[],
  patterns: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<Commit[]> {
  const small = await withFewFiles(root, hashes, patterns, signal);
  if (small.length === 0) return;
  const parser = new DiffParser();
  const args = [
    ...['--stdin', '-r', '--relative', '-p', '-M', `-l${MAX_FILES}`, '-U10000000'],
    ...['--src-prefix=a/', '--dst-prefix=b/'],
    ...['--encoding=UTF-8', `--format=${FORMAT}`, '--', ...patterns],
  ];
  const call = {
    settings: ['-c', `core.bigFileThreshold=${MAX_FILE}`],
    input: `${small.join('\n')}\n`,
    maxBytes: MOST_HISTORY,
    signal,
  };
  for await (const data of streamGit(root, ['diff-tree', ...args], call)) {
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
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const args = ['-r', '--relative', '--name-only', '--no-renames', '--format=%x00%H'];
  const few: string[] = [];
  const records = commitRecords(root, hashes, [...args, '--', ...patterns], {
    longest: MAX_NAMES,
    maxAllocation: MOST_NAMES_MEMORY,
    signal,
  });
  for await (const { text, cut } of records) {
    const [hash, ...names] = text.split('\n').filter(Boolean);
    if (hash && !cut && names.length > 0 && names.length <= MAX_FILES) few.push(hash);
  }
  return few;
}
