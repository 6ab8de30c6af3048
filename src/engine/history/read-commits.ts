/** Reads what commits edited, from git's diffs. All reject with `GitFailure` and LocusError `cancelled`. */

import { GitFailure, streamGit } from '../../base/git/git.ts';
import { languagesDigest, pathspecLike } from '../languages/index.ts';
import { LARGEST_FILE, MOST_HISTORY } from '../source/limits.ts';
import { diffTree, PREFIXES } from './commit-records.ts';
import { DiffParser, FORMAT, MAX_FILES } from './diff-parser.ts';
import { type ListedEdits, listEdits } from './listed-edits.ts';
import { Outlines } from './outline.ts';
import { readMissingOutlines } from './read-outlines.ts';
import type { Commit } from './types.ts';

/**
 * Reads commits; where git fails, those that are left and whose files are all there once more. A partial clone
 * (`git clone --filter=blob:limit=1m`) lacks versions of files, and git fails at the first commit that needs one.
 * @throws GitFailure the first one, where none of those left lacks a file, or all do
 */
async function* pastMissing(
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
    const whole = await withWholeFiles(root, left, signal);
    if (whole.length === 0 || whole.length === left.length) throw error;
    yield* read(whole);
  }
}

async function withWholeFiles(
  root: string,
  listed: readonly ListedEdits[],
  signal: AbortSignal | undefined,
): Promise<ListedEdits[]> {
  const blobsOf = ({ files }: ListedEdits) =>
    files.flatMap(({ before, after }) => [before, after]).filter((blob) => blob !== null);
  const missing = new Set(listed.flatMap(blobsOf));
  // Asked for a blob that is not there, git would try to fetch it; of all that is there it only tells.
  const args = ['--batch-all-objects', '--unordered', '--batch-check=%(objectname)'] as const;
  const output = streamGit(root, ['cat-file', ...args], { maxBytes: MOST_HISTORY, signal });
  let rest = '';
  for await (const piece of output) {
    const ids = (rest + piece.toString('latin1')).split('\n');
    rest = ids.pop() ?? '';
    for (const id of ids) missing.delete(id);
  }
  return listed.filter((commit) => !blobsOf(commit).some((blob) => missing.has(blob)));
}

/** Identifies how commits are read from git's output: what another reader stored is read again. */
export function historyReader(): string {
  reader ??= `2-${languagesDigest()}`;
  return reader;
}

let reader: string | undefined;

/** Git calls larger files binary and shows no diff: they are not indexed either. */
const SETTINGS = ['-c', `core.bigFileThreshold=${LARGEST_FILE}`];
const WHOLE_FILES = ['-U10000000'];
/** With no context at all git would compare less of a file, and now and then find other edits. */
const BY_OUTLINES = ['-U1', '--full-index'];

/**
 * Reads commits with what they edited of the files that Locus reads, by their paths relative to `root`.
 * Yields a few at a time, in no order that could be relied on; commits that edit no such file, or too many, not at all.
 */
export async function* readCommits(
  root: string,
  hashes: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<Commit[]> {
  const listed = await listEdits(root, hashes, signal);
  yield* pastMissing(root, listed, (some) => readWhole(root, some, signal), signal);
}

/**
 * Reads many commits as `readCommits` does, in half the time, where they come newest first: what one changes back in the
 * outline of a file makes that of the file before, so that git need not show whole files.
 */
export class CommitReader {
  readonly #root: string;
  readonly #outlines: Outlines;

  constructor(root: string, outlines = new Outlines()) {
    this.#root = root;
    this.#outlines = outlines;
  }

  async *read(hashes: readonly string[], signal?: AbortSignal): AsyncGenerator<Commit[]> {
    const listed = await listEdits(this.#root, hashes, signal);
    yield* pastMissing(this.#root, listed, (some) => this.#readListed(some, signal), signal);
  }

  async *#readListed(
    listed: readonly ListedEdits[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Commit[]> {
    await readMissingOutlines(this.#root, listed, this.#outlines, signal);
    const parser = new DiffParser(this.#outlines);
    yield* parsed(this.#root, listed, { parser, args: BY_OUTLINES, signal });
    const unsure = new Set(parser.unsure);
    const again = listed.filter(({ commit }) => unsure.has(commit));
    yield* readWhole(this.#root, again, signal);
  }
}

function readWhole(
  root: string,
  listed: readonly ListedEdits[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Commit[]> {
  return parsed(root, listed, { parser: new DiffParser(), args: WHOLE_FILES, signal });
}

async function* parsed(
  root: string,
  listed: readonly ListedEdits[],
  { parser, args, signal }: { parser: DiffParser; args: string[]; signal: AbortSignal | undefined },
): AsyncGenerator<Commit[]> {
  if (listed.length === 0) return;
  // Git compares each path with each pathspec: those of all languages take longer than the diffs.
  const patterns = new Set(
    listed.flatMap(({ files }) => files.map(({ path }) => pathspecLike(path))),
  );
  const all = [
    ...['-r', '--relative', '-p', '-M', `-l${MAX_FILES}`, ...args, ...PREFIXES],
    ...['--encoding=UTF-8', `--format=${FORMAT}`, '--', ...patterns],
  ];
  const commits = listed.map(({ commit }) => commit);
  for await (const data of diffTree(root, commits, all, { settings: SETTINGS, signal })) {
    const some = parser.push(data);
    if (some.length > 0) yield some;
  }
  yield parser.end();
}
