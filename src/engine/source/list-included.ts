import { splitAtNul, streamGit } from '../../base/git/git.ts';
import type { CandidateList } from './candidates.ts';

/** Number of folders that one run of git lists. */
const FOLDERS_PER_RUN = 100;
const SLASH = '/'.charCodeAt(0);

/**
 * Adds the untracked files of a git working tree that git ignores and `.locusinclude` names. Enters only the ignored folders that
 * may contain such files, and no other repositories.
 * Rejects as `git` does.
 */
export async function listIncluded(
  root: string,
  candidates: CandidateList,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<void> {
  const { selection } = candidates;
  if (!selection.hasIncluded || (only && ![...only].some(selection.includes))) return;
  const folders: string[] = [];
  const add = (name: Buffer) => {
    const path = name.toString('utf8');
    if (!selection.includes(path)) return;
    if (isFolder(name)) candidates.addSubmodule(name, 'a separate git repository');
    else if (!only || only.has(path)) candidates.addFile(name);
  };
  const addOrEnter = (name: Buffer) => {
    if (!isFolder(name)) return add(name);
    const folder = name.toString('utf8', 0, name.length - 1);
    if (selection.entersIgnored(folder)) folders.push(...selection.narrow(folder));
  };
  const ignored = ['--ignored', '--exclude-standard', '--directory'];
  await listUntracked(root, ignored, candidates, addOrEnter, signal);
  for (let at = 0; at < folders.length; at += FOLDERS_PER_RUN) {
    const some = ['--', ...folders.slice(at, at + FOLDERS_PER_RUN)];
    await listUntracked(root, some, candidates, add, signal);
  }
}

/** Calls `onName` with each name that `git ls-files --others` prints, until there are too many. Folders end in a slash. */
async function listUntracked(
  root: string,
  args: readonly string[],
  candidates: CandidateList,
  onName: (name: Buffer) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const settings = ['--literal-pathspecs'];
  const output = streamGit(root, ['ls-files', '-z', '--others', ...args], { settings, signal });
  for await (const names of splitAtNul(output)) {
    for (const name of names) {
      if (!candidates.hasRoom()) return;
      onName(name);
    }
  }
}

const isFolder = (name: Buffer) => name.at(-1) === SLASH;
