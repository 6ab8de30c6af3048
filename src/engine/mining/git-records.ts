import { streamGit } from '../scan/git.ts';

/**
 * Runs git and yields its output record by record, each without the NUL byte that begins it, so that the history of a
 * large repository is never in memory as a whole. `input` is what git reads from standard input.
 * Rejects with `GitFailure`.
 */
export async function* gitRecords(
  folder: string,
  args: readonly string[],
  input = '',
): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let began = false;
  for await (const data of streamGit(folder, args, input)) {
    let start = 0;
    for (let nul = data.indexOf(0); nul >= 0; nul = data.indexOf(0, start)) {
      pieces.push(data.subarray(start, nul));
      if (began) yield Buffer.concat(pieces).toString('utf8');
      began = true;
      pieces = [];
      start = nul + 1;
    }
    pieces.push(data.subarray(start));
  }
  if (began) yield Buffer.concat(pieces).toString('utf8');
}
