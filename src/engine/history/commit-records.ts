import { streamGit } from '../scan/git.ts';
import { MOST_HISTORY } from '../scan/limits.ts';

/** What git says of one commit. */
export interface CommitRecord {
  /** Begins with the commit's id. */
  text: string;
  /** It is longer than the limit, and only its beginning is here. */
  cut: boolean;
}

export interface CommitRecordOptions {
  /** Bytes of a record; longer ones are cut, and git reads no further in that commit. */
  longest: number;
  /** Options of git itself. */
  settings?: readonly string[];
  signal?: AbortSignal;
}

/**
 * Runs `git diff-tree` over commits, given by their full ids, and yields what it says of each, in their order; a commit
 * of which it says nothing has no record. `args` have a `--format` that begins `%x00%H`, and no other NUL byte.
 * The history of a large repository is never in memory as a whole, nor is a commit that changes files without end.
 * Rejects with `GitFailure` and LocusError `cancelled`.
 */
export async function* commitRecords(
  folder: string,
  commits: readonly string[],
  args: readonly string[],
  options: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  let cutAt: string | undefined;
  for (let start = 0; start < commits.length; start = commits.indexOf(cutAt, start) + 1) {
    cutAt = undefined;
    const input = commits
      .slice(start)
      .map((commit) => `${commit}\n`)
      .join('');
    for await (const record of recordsOf(folder, args, input, options)) {
      yield record;
      if (!record.cut) continue;
      cutAt = /^[0-9a-f]*/.exec(record.text)![0];
      break;
    }
    if (cutAt === undefined) return;
  }
}

async function* recordsOf(
  folder: string,
  args: readonly string[],
  input: string,
  { longest, settings, signal }: CommitRecordOptions,
): AsyncGenerator<CommitRecord> {
  let pieces: Buffer[] = [];
  let length = 0;
  let began = false;
  const take = (cut: boolean) => {
    const text = Buffer.concat(pieces).toString('utf8');
    [pieces, length] = [[], 0];
    return { text, cut };
  };
  const call = { input, settings, signal, maxBytes: MOST_HISTORY };
  for await (const data of streamGit(folder, ['diff-tree', '--stdin', ...args], call)) {
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
    if (length > longest) {
      yield take(true);
      return;
    }
  }
  if (began) yield take(false);
}
