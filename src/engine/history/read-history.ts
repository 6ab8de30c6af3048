/**
 * Reads the history of a repository from git, for search and for mining. The commands ignore the repository's settings
 * for diffs. All functions reject with `GitFailure` and LocusError `cancelled`.
 */
import { git } from '../../base/git/git.ts';
import { type FileDiff, parseDiff } from '../../base/unified-diff.ts';
import { MAX_HISTORY_BYTES, MAX_NAMES_MEMORY } from '../source/limits.ts';
import { DIFF_PREFIXES, streamCommitRecords, UNQUOTED_NAMES } from './commit-records.ts';
import type { ListedCommit } from './types.ts';

/** Bytes of a line with a commit id in SHA-256. */
const MAX_ID_BYTES = 65;
/** Maximum bytes of a message and a list of changes; a commit with more has too many changes to be a fix. */
const MAX_LISTING_BYTES = 1 << 24;
/** Makes `git diff-tree` (since 2.31) show merges, as changes against the first parent; without it, merges show nothing. */
const INCLUDE_MERGES = ['--diff-merges=first-parent'];

/** Maximum bytes of a patch; a commit with a longer one is left out. */
const MAX_PATCH_BYTES = 1 << 25;

/**
 * Lists the ids of up to `limit` commits, `revision` and its ancestors, newest first. Leaves out merges and commits
 * without a parent, including those at which a shallow clone ends.
 */
export function listCommits(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const args = ['--min-parents=1', '--max-parents=1', `--max-count=${limit}`];
  return runRevList(root, revision, args, limit * MAX_ID_BYTES, signal);
}

/** Lists the ids of up to `limit` commits, `revision` and its ancestors including merges, newest first. */
export function listAncestors(
  root: string,
  revision: string,
  limit: number,
  signal?: AbortSignal,
): Promise<string[]> {
  return runRevList(root, revision, [`--max-count=${limit}`], limit * MAX_ID_BYTES, signal);
}

/** Lists a commit and its ancestors along first parents, with the committers' times in seconds since 1970. */
export async function listMainline(
  root: string,
  revision: string,
  signal?: AbortSignal,
): Promise<{ commit: string; time: number }[]> {
  const args = ['--first-parent', '--timestamp'];
  const lines = await runRevList(root, revision, args, MAX_HISTORY_BYTES, signal);
  return lines.map((line) => {
    const [time, commit = ''] = line.split(' ');
    return { commit, time: Number(time) };
  });
}

async function runRevList(
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

/**
 * Describes all commits that `revision` can reach, newest first, with the paths in the folder `root` that they change against
 * their parent.
 * @param options.since oldest time, in seconds since 1970
 */
export async function* describeCommits(
  root: string,
  revision: string,
  { since, signal }: { since?: number | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ListedCommit> {
  const args = since === undefined ? [] : [`--max-age=${since}`];
  const commits = await runRevList(root, revision, args, MAX_HISTORY_BYTES, signal);
  yield* streamDescriptions(root, commits, [], signal);
}

/**
 * Describes the given commits that exist in a repository, in order, with the paths that they change against their first
 * parent.
 * @param commits full ids
 */
export async function* describeListed(
  root: string,
  commits: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<ListedCommit> {
  const input = commits.map((commit) => `${commit}\n`).join('');
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype)'] as const;
  const output = await git(root, args, { input, maxBytes: MAX_HISTORY_BYTES, signal });
  const lines = output.toString('latin1').split('\n');
  const existing = lines.flatMap((line) => /^([0-9a-f]+) commit$/.exec(line)?.[1] ?? []);
  yield* streamDescriptions(root, existing, INCLUDE_MERGES, signal);
}

async function* streamDescriptions(
  root: string,
  commits: readonly string[],
  more: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ListedCommit> {
  const format = `%x00${['%H', '%P', '%ct', '%an <%ae>', '%B'].join('%x1f')}%x1f`;
  const args = [
    ...['-r', '--root', '--raw', '--relative', '--no-abbrev', '--no-renames'],
    ...['--encoding=UTF-8', `--format=${format}`, ...more],
  ];
  const limits = { maxBytes: MAX_LISTING_BYTES, maxAllocation: MAX_NAMES_MEMORY };
  const options = { ...limits, settings: UNQUOTED_NAMES, signal };
  for await (const { text } of streamCommitRecords(root, commits, args, options)) {
    const [commit = '', parents = '', time, author = '', ...rest] = text.split('\x1f');
    // A message may contain the separator; git quotes names that do.
    const changes = rest.pop() ?? '';
    const message = rest.join(' ');
    yield {
      commit,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      time: Number(time),
      author,
      message,
      changes: changes.split('\n').flatMap(parseRawChange),
    };
  }
}

/** Parses a line such as `:100644 100644 <before> <after> M<tab>path`. Leaves out names that git has to quote. */
function parseRawChange(line: string): ListedCommit['changes'] {
  const [, before = '', status = '', path] =
    /^:\d+ (?:100644|100755|000000) ([0-9a-f]+) [0-9a-f]+ ([A-Z])\t([^"].*)$/.exec(line) ?? [];
  return path ? [{ before, status, path }] : [];
}

/**
 * Reads the changes of commits against their parents in files that match `patterns` (git pathspecs), without context.
 * Leaves out commits that change too much. With `merges`, merges are compared with their first parent; otherwise they
 * have no changes.
 */
export async function* readPatches(
  root: string,
  commits: readonly string[],
  patterns: readonly string[],
  { signal, merges = false }: { signal?: AbortSignal; merges?: boolean } = {},
): AsyncGenerator<{ commit: string; files: FileDiff[] }> {
  const args = [
    ...['-r', '-p', '-U0', '--relative', '--no-renames'],
    ...['--diff-algorithm=myers', ...DIFF_PREFIXES],
    ...(merges ? INCLUDE_MERGES : []),
    ...['--format=%x00%H', '--', ...patterns],
  ];
  const options = { maxBytes: MAX_PATCH_BYTES, settings: UNQUOTED_NAMES, signal };
  for await (const { text, cut } of streamCommitRecords(root, commits, args, options)) {
    const end = text.indexOf('\n');
    if (!cut) yield { commit: text.slice(0, end), files: parseDiff(text.slice(end)) };
  }
}
