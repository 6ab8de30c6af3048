import { splitAtNul, streamGit } from '../../base/git/git.ts';
import type { CandidateList } from './candidates.ts';
import { MOST_NAMES } from './limits.ts';
import { addParentFolders } from './list-folder.ts';

/** Longer lists of paths do not fit on a command line everywhere; then everything is listed and cut down after. */
const LONGEST_ARGUMENTS = 8000;

const GITLINK = '160000';

/**
 * Lists a git working tree below `root`: tracked files (some may be gone from disk) and untracked ones that
 * are not ignored. Submodules and repositories inside this one are named and not entered.
 * Rejects as `git` does.
 * @returns no folders: git lists files behind new links, too
 */
export async function listIndex(
  root: string,
  candidates: CandidateList,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const paths = only && narrow(only);
  const args = ['-z', '-t', '--stage', '--others', '--exclude-standard', ...(paths ?? [])];
  const settings = ['--literal-pathspecs'];
  const line = lineReader(candidates, only);
  for await (const lines of splitAtNul(
    streamGit(root, ['ls-files', ...args], { settings, signal }),
  )) {
    for (const each of lines) {
      if (!candidates.hasRoom()) return [];
      line(each);
    }
  }
  return [];
}

/** Takes `? name` for an untracked file and `H mode id stage<tab>name` for a tracked one. */
function lineReader(
  candidates: CandidateList,
  only: ReadonlySet<string> | undefined,
): (line: Buffer) => void {
  let previous: Buffer | null = null;
  return (line) => {
    if (line[0] === '?'.charCodeAt(0)) {
      const name = line.subarray(2);
      if (name.at(-1) === '/'.charCodeAt(0))
        candidates.submodule(name, 'a git repository of its own');
      else if (wanted(name, only)) candidates.file(name);
      return;
    }
    const tab = line.indexOf('\t');
    const name = line.subarray(tab + 1);
    // A file in conflict is listed once for each of its stages, one after the other.
    if (previous?.equals(name)) return;
    previous = name;
    if (line.toString('latin1', 2, 8) === GITLINK) {
      candidates.submodule(name, 'a submodule; open it by itself to search it');
    } else if (wanted(name, only)) candidates.file(name);
  };
}

function wanted(name: Buffer, only?: ReadonlySet<string>): boolean {
  return !only || only.has(name.toString('utf8'));
}

/** The paths as arguments, or null when they are too many. */
function narrow(paths: ReadonlySet<string>): string[] | null {
  let length = 0;
  for (const path of paths) {
    length += path.length + 1;
    if (length > LONGEST_ARGUMENTS) return null;
  }
  return ['--', ...paths];
}

/**
 * Folders that the ignore rules name but that hold tracked files all the same, ancestors included.
 * Rejects as `git` does.
 */
export async function trackedIgnoredFolders(
  root: string,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const folders = new Set<string>();
  const args = ['-z', '--cached', '--ignored', '--exclude-standard'];
  const output = streamGit(root, ['ls-files', ...args], { signal });
  for await (const names of splitAtNul(output)) {
    for (const name of names) addParentFolders(name.toString('utf8'), folders);
    if (folders.size > MOST_NAMES) break;
  }
  return folders;
}
