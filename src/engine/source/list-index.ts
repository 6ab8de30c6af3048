import { splitAtNul, streamGit } from '../../base/git/git.ts';
import { formatCounted } from '../../shared/format-count.ts';
import type { CandidateList } from './candidates.ts';
import { MAX_NAMES } from './limits.ts';
import { addParentFolders } from './list-folder.ts';
import { listIncluded } from './list-included.ts';

/** Maximum length of a list of paths that fits on a command line everywhere. With a longer one, all files are listed and filtered. */
const MAX_ARGUMENTS_LENGTH = 8000;

const GITLINK = '160000';
const SPARSE = 'S'.charCodeAt(0);

/**
 * Lists a git working tree below `root`: tracked files (some may be missing from disk) and untracked ones that
 * are not ignored, or that are included. Submodules and nested repositories are reported and not entered.
 * Rejects as `git` does.
 * @returns no folders, because git also lists files behind new links
 */
export async function listIndex(
  root: string,
  candidates: CandidateList,
  only?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const paths = only && makePathArguments(only);
  const args = ['-z', '-t', '--stage', '--others', '--exclude-standard', ...(paths ?? [])];
  const settings = ['--literal-pathspecs'];
  const tracked = { sparse: 0 };
  const readLine = createLineReader(candidates, only, tracked);
  for await (const lines of splitAtNul(
    streamGit(root, ['ls-files', ...args], { settings, signal }),
  )) {
    for (const line of lines) {
      if (!candidates.hasRoom()) return [];
      readLine(line);
    }
  }
  await listIncluded(root, candidates, only, signal);
  if (tracked.sparse > 0) {
    const detail = `${formatCounted(tracked.sparse, 'file')} outside of the sparse checkout`;
    candidates.addSkipped({ path: './', reason: 'not checked out', detail });
  }
  return [];
}

/**
 * Creates a reader of lines: `? name` for an untracked file, `H mode id stage<tab>name` for a tracked one, and S in place of H for
 * one that a sparse checkout leaves out, which is counted in `tracked` if it could be indexed.
 */
function createLineReader(
  candidates: CandidateList,
  only: ReadonlySet<string> | undefined,
  tracked: { sparse: number },
): (line: Buffer) => void {
  let previous: Buffer | null = null;
  return (line) => {
    if (line[0] === '?'.charCodeAt(0)) {
      const name = line.subarray(2);
      if (name.at(-1) === '/'.charCodeAt(0))
        candidates.addSubmodule(name, 'a separate git repository');
      else if (isWanted(name, only)) candidates.addFile(name);
      return;
    }
    const tab = line.indexOf('\t');
    const name = line.subarray(tab + 1);
    // A file with merge conflicts is listed once for each of its stages, in a row.
    if (previous?.equals(name)) return;
    previous = name;
    if (line.toString('latin1', 2, 8) === GITLINK) {
      candidates.addSubmodule(name, 'a submodule; open it separately to search it');
    } else if (isWanted(name, only)) {
      const path = candidates.addFile(name);
      if (line[0] === SPARSE && path !== null && !only) tracked.sparse++;
    }
  };
}

function isWanted(name: Buffer, only?: ReadonlySet<string>): boolean {
  return !only || only.has(name.toString('utf8'));
}

/** Returns the paths as arguments, or null if they are too long. */
function makePathArguments(paths: ReadonlySet<string>): string[] | null {
  let length = 0;
  for (const path of paths) {
    length += path.length + 1;
    if (length > MAX_ARGUMENTS_LENGTH) return null;
  }
  return ['--', ...paths];
}

/** Lists folders that match an ignore rule but contain tracked files, and their ancestors. Rejects as `git` does. */
export async function listTrackedIgnoredFolders(
  root: string,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const folders = new Set<string>();
  const args = ['-z', '--cached', '--ignored', '--exclude-standard'];
  const output = streamGit(root, ['ls-files', ...args], { signal });
  for await (const names of splitAtNul(output)) {
    for (const name of names) addParentFolders(name.toString('utf8'), folders);
    if (folders.size > MAX_NAMES) break;
  }
  return folders;
}
