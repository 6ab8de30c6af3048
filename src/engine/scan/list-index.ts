import type { CandidateList } from './candidates.ts';
import { git, splitAtNul } from './git.ts';
import { parentOf } from './ignore-rules.ts';

/** Longer lists of paths do not fit on a command line everywhere; then everything is listed and cut down after. */
const LONGEST_ARGUMENTS = 8000;

const GITLINK = '160000';

/**
 * Lists a git working tree below `root`: tracked files (some may be gone from disk) and untracked ones that
 * are not ignored. Submodules and repositories inside this one are named and not entered.
 */
export async function listIndex(
  root: string,
  candidates: CandidateList,
  only?: ReadonlySet<string>,
): Promise<void> {
  const paths = only && narrow(only);
  // `? name` for an untracked file, `H mode id stage<tab>name` for a tracked one.
  const output = await git(
    root,
    '--literal-pathspecs',
    'ls-files',
    '-z',
    '-t',
    '--stage',
    '--others',
    '--exclude-standard',
    ...(paths ?? []),
  );
  let previous: Buffer | null = null;
  for (const line of splitAtNul(output)) {
    if (line[0] === '?'.charCodeAt(0)) {
      const name = line.subarray(2);
      if (name.at(-1) === '/'.charCodeAt(0))
        candidates.submodule(name, 'a git repository of its own');
      else if (wanted(name, only)) candidates.file(name);
      continue;
    }
    const tab = line.indexOf('\t');
    const name = line.subarray(tab + 1);
    // A file in conflict is listed once for each of its stages, one after the other.
    if (previous?.equals(name)) continue;
    previous = name;
    if (line.toString('latin1', 2, 8) === GITLINK) {
      candidates.submodule(name, 'a submodule; open it by itself to search it');
    } else if (wanted(name, only)) candidates.file(name);
  }
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

/** Folders that the ignore rules name but that hold tracked files all the same, ancestors included. */
export async function trackedIgnoredFolders(root: string): Promise<Set<string>> {
  const folders = new Set<string>();
  const output = await git(root, 'ls-files', '-z', '--cached', '--ignored', '--exclude-standard');
  for (const name of splitAtNul(output)) {
    for (let folder = parentOf(name.toString('utf8')); folder !== ''; folder = parentOf(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}
