/**
 * Asks git for the history of a repository, for search and for mining, by commands that heed no setting of the
 * repository's for how diffs look. All reject with `GitFailure` and LocusError `cancelled`.
 */
import { git } from '../../base/git/git.ts';
import { type FileDiff, parseDiff } from '../../base/unified-diff.ts';
import { MOST_HISTORY, MOST_NAMES_MEMORY } from '../source/limits.ts';
import { commitRecords, PLAIN_NAMES, PREFIXES } from './commit-records.ts';
import type { ListedCommit } from './types.ts';

/** Bytes of a line with a commit's id, by SHA-256. */
const LONGEST_ID = 65;
/** Bytes of a message and a list of changes; what is longer has too many of them to be a fix. */
const LONGEST_LISTING = 1 << 24;
/** For `git diff-tree` since 2.31, which else has nothing to say of a merge: what it changes against its first parent. */
const MERGES_AS_WELL = ['--diff-merges=first-parent'];

/** Bytes of a patch; a commit with a longer one has none. */
const LONGEST_PATCH = 1 << 25;

/**
 * The ids of up to `limit` commits that have `revision` as a descendant, it included, newest first. Merges and commits
 * without a parent, among them those where a shallow clone ends, are left out.
 */
export function listCommits(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const args = ['--min-parents=1', '--max-parents=1', `--max-count=${limit}`];
  return revList(root, revision, args, limit * LONGEST_ID, signal);
}

/** The ids of up to `limit` commits that have `revision` as a descendant, it included, newest first; merges too. */
export function listAncestors(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  return revList(root, revision, [`--max-count=${limit}`], limit * LONGEST_ID, signal);
}

/** A commit and those before it along their first parents, with the seconds since 1970 by the committers' clocks. */
export async function mainlineOf(
  root: string,
  revision: string,
  signal?: AbortSignal,
): Promise<{ commit: string; time: number }[]> {
  const args = ['--first-parent', '--timestamp'];
  const lines = await revList(root, revision, args, MOST_HISTORY, signal);
  return lines.map((line) => {
    const [time, commit = ''] = line.split(' ');
    return { commit, time: Number(time) };
  });
}

async function revList(
  root: string,
  revision: string,
  args: readonly string[],
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const call = ['rev-list', ...args, '--end-of-options', revision, '--'] as const;
  const output = await git(root, call, { maxBytes, signal });
  return output.toString('latin1').split('\n').filter(Boolean);
}

/** All commits that `revision` can reach, newest first, with the paths they change against their parent. */
export async function* describeCommits(
  root: string,
  revision: string,
  signal?: AbortSignal,
): AsyncGenerator<ListedCommit> {
  const commits = await revList(root, revision, [], MOST_HISTORY, signal);
  yield* describe(root, commits, [], signal);
}

/**
 * These commits of those that a repository has, by their full ids, in their order, with the paths they change against
 * their parent; merges, against the first of theirs.
 */
export async function* describeThese(
  root: string,
  commits: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<ListedCommit> {
  const input = commits.map((commit) => `${commit}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)'] as const;
  const told = await git(root, args, { input, maxBytes: MOST_HISTORY, signal });
  const lines = told.toString('latin1').split('\n');
  const known = lines.flatMap((line) => /^([0-9a-f]+) commit$/.exec(line)?.[1] ?? []);
  yield* describe(root, known, MERGES_AS_WELL, signal);
}

async function* describe(
  root: string,
  commits: readonly string[],
  more: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedCommit> {
  const format = `%x00${['%H', '%P', '%ct', '%an <%ae>', '%B'].join('%x1f')}%x1f`;
  const args = [
    ...['-r', '--root', '--raw', '--no-abbrev', '--no-renames'],
    ...['--encoding=UTF-8', `--format=${format}`, ...more],
  ];
  const limits = { longest: LONGEST_LISTING, maxAllocation: MOST_NAMES_MEMORY };
  const options = { ...limits, settings: PLAIN_NAMES, signal };
  for await (const { text } of commitRecords(root, commits, args, options)) {
    const [commit = '', parents = '', time, author = '', message = '', changes = ''] =
      text.split('\x1f');
    yield {
      commit,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      time: Number(time),
      author,
      message,
      changes: changes.split('\n').flatMap(rawChange),
    };
  }
}

/** `:100644 100644 <before> <after> M<tab>path`; names that git has to quote are left out. */
function rawChange(line: string): ListedCommit['changes'] {
  const [, before = '', status = '', path] =
    /^:\d+ (?:100644|100755|000000) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\t([^"].*)$/.exec(line) ?? [];
  return path ? [{ before, status, path }] : [];
}

/**
 * What commits change against their parents in the files that match `patterns` (git's pathspecs), without context.
 * Commits that change too much are left out. `merges`: what these change against the first of their parents; else nothing.
 */
export async function* readPatches(
  root: string,
  commits: readonly string[],
  patterns: readonly string[],
  { signal, merges = false }: { signal?: AbortSignal; merges?: boolean } = {},
): AsyncGenerator<{ commit: string; files: FileDiff[] }> {
  const args = [
    ...['-r', '-p', '-U0', '--no-renames', '--diff-algorithm=myers', ...PREFIXES],
    ...(merges ? MERGES_AS_WELL : []),
    ...['--format=%x00%H', '--', ...patterns],
  ];
  const options = { longest: LONGEST_PATCH, settings: PLAIN_NAMES, signal };
  for await (const { text, cut } of commitRecords(root, commits, args, options)) {
    const end = text.indexOf('\n');
    if (!cut) yield { commit: text.slice(0, end), files: parseDiff(text.slice(end)) };
  }
}
