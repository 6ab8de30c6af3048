/** Reads what commits edited, from git's diffs. All reject with `GitFailure` and LocusError `cancelled`. */
import { languagesDigest, pathspecLike } from '../languages/index.ts';
import { LARGEST_FILE } from '../source/limits.ts';
import { diffTree, PREFIXES } from './commit-records.ts';
import { DiffParser, FORMAT, MAX_FILES } from './diff-parser.ts';
import { type ListedEdits, listEdits } from './listed-edits.ts';
import { Outlines } from './outline.ts';
import { pastMissing } from './past-missing.ts';
import { readMissingOutlines } from './read-outlines.ts';
import type { Commit } from './types.ts';

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
