import { GitFailure, streamGit } from '../../base/git/git.ts';
import { MAX_HISTORY_BYTES } from '../source/limits.ts';

export const DIFF_PREFIXES = ['--src-prefix=a/', '--dst-prefix=b/'];
/** Options that make git print file names as they are, instead of escaping letters beyond ASCII. */
export const UNQUOTED_NAMES = ['-c', 'core.quotePath=false'];

/** Blob id that git prints if there is no file. */
export const NO_BLOB = /^0+$/;

export interface CommitRecord {
  /** Output of git for the commit; begins with its id. */
  text: string;
  /** True if the record is longer than the limit; then `text` is its beginning. */
  cut: boolean;
}

interface DiffTreeOptions {
  /** Maximum allocation of git in bytes; a commit that needs more is cut to its id. Only for lists of names. */
  maxAllocation?: number;
  settings?: readonly string[];
  signal?: AbortSignal;
}

interface CommitRecordOptions extends DiffTreeOptions {
  /** Maximum bytes of a record; longer ones are cut, and git reads no further in that commit. */
  maxBytes: number;
}

/** Runs `git diff-tree` over commits, by full ids. Rejects with `GitFailure` and LocusError `cancelled`. */
export function runDiffTree(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: DiffTreeOptions,
): AsyncGenerator<Buffer> {
  const input = commits.map((commit) => `${commit}\n`).join('');
  const { settings, signal, maxAllocation } = options;
  const call = { input, settings, signal, maxAllocation, maxBytes: MAX_HISTORY_BYTES };
  return streamGit(folder, ['diff-tree', '--stdin', ...args], call);
}

/**
 * Streams the output of `git diff-tree` for each commit, in order. Neither a large history nor an endless commit is ever
 * in memory as a whole. Rejects with `GitFailure` and LocusError `cancelled`.
 * @param args include a `--format` that begins with `%x00%H` and has no other NUL byte
 */
export async function* streamCommitRecords(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  for (let next = 0; next < commits.length; ) {
    let cut = false;
    try {
      for await (const record of readRecords(folder, commits.slice(next), args, options)) {
        next++;
        yield record;
        cut = record.cut;
        if (cut) break;
      }
      if (!cut) return;
    } catch (error) {
      const commit = commits[next++];
      if (!isTooLarge(error) || commit === undefined) throw error;
      // Git collects the files of a commit before it prints the first, so nothing of this commit has arrived.
      yield { text: commit, cut: true };
    }
  }
}

async function* readRecords(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  let pieces: Buffer[] = [];
  let length = 0;
  let began = false;
  const takeRecord = (cut: boolean) => {
    const text = Buffer.concat(pieces).toString('utf8');
    [pieces, length] = [[], 0];
    return { text, cut };
  };
  const output = runDiffTree(folder, commits, ['--always', ...args], options);
  try {
    for await (const data of output) {
      let start = 0;
      for (let nul = data.indexOf(0); nul >= 0; nul = data.indexOf(0, start)) {
        pieces.push(data.subarray(start, nul));
        const record = takeRecord(false);
        if (began) yield record;
        began = true;
        start = nul + 1;
      }
      pieces.push(data.subarray(start));
      length += data.length - start;
      if (length > options.maxBytes) {
        yield takeRecord(true);
        return;
      }
    }
  } catch (error) {
    // The record before the commit at which git failed is complete.
    if (began && isTooLarge(error)) yield takeRecord(false);
    throw error;
  }
  if (began) yield takeRecord(false);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof GitFailure && error.ranOutOfMemory;
}
