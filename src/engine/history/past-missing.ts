/**
 * Partial clones (`git clone --filter=blob:limit=1m`) lack versions of files, and git fails at the first commit that needs one.
 * What the others edited is read all the same.
 */
import { GitFailure, streamGit } from '../../base/git/git.ts';
import { MOST_HISTORY } from '../source/limits.ts';
import type { ListedEdits } from './listed-edits.ts';
import type { Commit } from './types.ts';

/**
 * Reads commits; where git fails, those that are left and whose files are all there once more.
 * @throws GitFailure the first one, where none of those left lacks a file, or all do
 */
export async function* pastMissing(
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
