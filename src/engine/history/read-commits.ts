/** Reads the edits of commits from git's diffs. All functions reject with `GitFailure` and LocusError `cancelled`. */

import { GitFailure, streamGit } from '../../base/git/git.ts';
import { computeLanguagesDigest, createSimilarPathspec } from '../languages/index.ts';
import { LARGE_FILE_BYTES, MAX_HISTORY_BYTES } from '../source/limits.ts';
import { DIFF_PREFIXES, runDiffTree } from './commit-records.ts';
import { COMMIT_FORMAT, DiffParser, MAX_COMMIT_FILES } from './diff-parser.ts';
import { type ListedEdits, listEdits } from './listed-edits.ts';
import { OutlineCache } from './outline.ts';
import { readMissingOutlines } from './read-outlines.ts';
import type { Commit } from './types.ts';

/**
 * Reads commits. If git fails, reads the remaining commits whose files all exist once more. A partial clone
 * (`git clone --filter=blob:limit=1m`) lacks file versions, and git fails at the first commit that needs one.
 * @throws GitFailure the first failure, if none of the remaining commits lacks a file, or all do
 */
async function* readPastMissing(
  root: string,
  listed: readonly ListedEdits[],
  read: (listed: readonly ListedEdits[]) => AsyncGenerator<Commit[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Commit[]> {
  const done = new Set<string>();
  try {
    for await (const commits of read(listed)) {
      for (const { hash } of commits) done.add(hash);
      yield commits;
    }
  } catch (error) {
    if (!(error instanceof GitFailure && error.gitRefused)) throw error;
    const left = listed.filter(({ commit }) => !done.has(commit));
    const whole = await filterComplete(root, left, signal);
    if (whole.length === 0 || whole.length === left.length) throw error;
    yield* read(whole);
  }
}

async function filterComplete(
  root: string,
  listed: readonly ListedEdits[],
  signal: AbortSignal | undefined,
): Promise<ListedEdits[]> {
  const listBlobs = ({ files }: ListedEdits) =>
    files.flatMap(({ before, after }) => [before, after]).filter((blob) => blob !== null);
  const missing = new Set(listed.flatMap(listBlobs));
  // Git would try to fetch a missing blob that it is asked for. So it lists all blobs that exist instead.
  const args = ['--batch-all-objects', '--unordered', '--batch-check=%(objectname)'] as const;
  const output = streamGit(root, ['cat-file', ...args], { maxBytes: MAX_HISTORY_BYTES, signal });
  let rest = '';
  for await (const piece of output) {
    const ids = (rest + piece.toString('latin1')).split('\n');
    rest = ids.pop() ?? '';
    for (const id of ids) missing.delete(id);
  }
  return listed.filter((commit) => !listBlobs(commit).some((blob) => missing.has(blob)));
}

/** Returns the version of this reader. Commits that another version stored are read again. */
export function getHistoryReader(): string {
  readerVersion ??= `2-${computeLanguagesDigest()}`;
  return readerVersion;
}

let readerVersion: string | undefined;

/** Makes git treat larger files as binary, without a diff: each of their commits would take a tenth of a second. */
const SETTINGS = ['-c', `core.bigFileThreshold=${LARGE_FILE_BYTES}`];
const WHOLE_FILES = ['-U10000000'];
/** One line of context: without any, git compares less of a file and sometimes finds other edits. */
const BY_OUTLINES = ['-U1', '--full-index'];

/**
 * Reads commits with their edits of files that Locus indexes; paths are relative to `root`. Yields a few commits at a time,
 * in no particular order. Leaves out commits that edit no such file, or too many.
 */
export async function* readCommits(
  root: string,
  hashes: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<Commit[]> {
  const listed = await listEdits(root, hashes, signal);
  yield* readPastMissing(root, listed, (some) => readWhole(root, some, signal), signal);
}

/**
 * Reads many commits like `readCommits`, in half the time if they are given newest first. Undoing a commit in the outline
 * of a file gives the outline of the previous version, so git need not show whole files.
 */
export class CommitReader {
  readonly #root: string;
  readonly #outlines: OutlineCache;

  constructor(root: string, outlines = new OutlineCache()) {
    this.#root = root;
    this.#outlines = outlines;
  }

  async *read(hashes: readonly string[], signal?: AbortSignal): AsyncGenerator<Commit[]> {
    const listed = await listEdits(this.#root, hashes, signal);
    yield* readPastMissing(this.#root, listed, (some) => this.#readListed(some, signal), signal);
  }

  async *#readListed(
    listed: readonly ListedEdits[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Commit[]> {
    await readMissingOutlines(this.#root, listed, this.#outlines, signal);
    const parser = new DiffParser(this.#outlines);
    yield* parseDiffs(this.#root, listed, { parser, args: BY_OUTLINES, signal });
    const unsure = new Set(parser.undecided);
    const again = listed.filter(({ commit }) => unsure.has(commit));
    yield* readWhole(this.#root, again, signal);
  }
}

function readWhole(
  root: string,
  listed: readonly ListedEdits[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Commit[]> {
  return parseDiffs(root, listed, { parser: new DiffParser(), args: WHOLE_FILES, signal });
}

async function* parseDiffs(
  root: string,
  listed: readonly ListedEdits[],
  { parser, args, signal }: { parser: DiffParser; args: string[]; signal: AbortSignal | undefined },
): AsyncGenerator<Commit[]> {
  if (listed.length === 0) return;
  // Git compares each path with each pathspec, and the pathspecs of all languages would take longer than the diffs.
  const patterns = new Set(
    listed.flatMap(({ files }) => files.map(({ path }) => createSimilarPathspec(path))),
  );
  const all = [
    ...['-r', '--relative', '-p', '-M', `-l${MAX_COMMIT_FILES}`, ...args, ...DIFF_PREFIXES],
    ...['--encoding=UTF-8', `--format=${COMMIT_FORMAT}`, '--', ...patterns],
  ];
  const commits = listed.map(({ commit }) => commit);
  for await (const data of runDiffTree(root, commits, all, { settings: SETTINGS, signal })) {
    const some = parser.push(data);
    if (some.length > 0) yield some;
  }
  yield parser.end();
}
