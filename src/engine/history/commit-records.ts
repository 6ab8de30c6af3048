import { GitFailure, streamGit } from '../../base/git/git.ts';
import { MOST_HISTORY } from '../source/limits.ts';

export const PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];
/** Names of files as they are, where git would write those beyond ASCII as escapes. */
export const PLAIN_NAMES = ['-c', 'core.quotePath=false'];

/** The id that git gives where there is no file. */
export const NO_BLOB = /^0+$/;

export interface CommitRecord {
  /** Begins with the commit's id. */
  text: string;
  /** It is longer than the limit, and only its beginning is here. */
  cut: boolean;
}

interface DiffTreeOptions {
  /** Bytes that git may allocate at once; a commit that takes more is cut to its id. Only for lists of names. */
  maxAllocation?: number;
  settings?: readonly string[];
  signal?: AbortSignal;
}

interface CommitRecordOptions extends DiffTreeOptions {
  /** Bytes of a record; longer ones are cut, and git reads no further in that commit. */
  longest: number;
}

/** Runs `git diff-tree` over commits, by full ids. Rejects with `GitFailure` and LocusError `cancelled`. */
export function diffTree(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: DiffTreeOptions,
): AsyncGenerator<Buffer> {
  const input = commits.map((commit) => `${commit}\n`).join('');
  const { settings, signal, maxAllocation } = options;
  const call = { input, settings, signal, maxAllocation, maxBytes: MOST_HISTORY };
  return streamGit(folder, ['diff-tree', '--stdin', ...args], call);
}

/**
 * What `git diff-tree` says of each of the commits, in their order. `args` have a `--format` that begins `%x00%H`, and
 * no other NUL byte.
 * The history of a large repository is never in memory as a whole, nor is a commit that changes files without end.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function* commitRecords(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  for (let next = 0; next < commits.length; ) {
    let cut = false;
    try {
      for await (const record of recordsOf(folder, commits.slice(next), args, options)) {
        next++;
        yield record;
        cut = record.cut;
        if (cut) break;
      }
      if (!cut) return;
    } catch (error) {
      const commit = commits[next++];
      if (!isTooLarge(error) || commit === undefined) throw error;
      // Git gathers the files of a commit before it prints the first of them.
      yield { text: commit, cut: true };
    }
  }
}

async function* recordsOf(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  let pieces: Buffer[] = [];
  let length = 0;
  let began = false;
  const take = (cut: boolean) => {
    const text = Buffer.concat(pieces).toString('utf8');
    [pieces, length] = [[], 0];
    return { text, cut };
  };
  const output = diffTree(folder, commits, ['--always', ...args], options);
  try {
    for await (const data of output) {
      let start = 0;
      for (let nul = data.indexOf(0); nul >= 0; nul = data.indexOf(0, start)) {
        pieces.push(data.subarray(start, nul));
        const record = take(false);
        if (began) yield record;
        began = true;
        start = nul + 1;
      }
      pieces.push(data.subarray(start));
      length += data.length - start;
      if (length > options.longest) {
        yield take(true);
        return;
      }
    }
  } catch (error) {
    // The commit before the one that git failed at is complete.
    if (began && isTooLarge(error)) yield take(false);
    throw error;
  }
  if (began) yield take(false);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof GitFailure && error.ranOutOfMemory;
}
