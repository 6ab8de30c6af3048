import { realFolder } from '../../base/folders.ts';
import { GitFailure, git, gitLine, streamGit } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteText } from '../../shared/quote.ts';
import { CommitTree } from './commit-tree.ts';
import { confine } from './confine.ts';
import { findRootFailure, readFingerprint } from './folder-fingerprint.ts';
import { FolderTree } from './folder-tree.ts';
import { createExclusion, type ExclusionFilter } from './gitignore.ts';
import { readHeadCommit } from './head-commit.ts';
import { listFolder } from './list-folder.ts';
import { listIndex } from './list-index.ts';
import type { SourceTree } from './types.ts';

export interface OpenTreeOptions {
  /** Any name of a commit that git understands. Default: the files on disk; in a bare repository, HEAD. */
  revision?: string;
  /** Patterns in `.gitignore` syntax, relative to the root, on top of what git ignores. */
  exclude?: string[];
  /** Folder that must contain the root and its repository's data. Nothing outside is read; null allows everything. */
  within?: string | null;
  signal?: AbortSignal;
}

/**
 * Opens a git working tree (or a folder inside one), any other folder, or a commit of any repository, bare
 * ones included. Nothing is checked out or written. The tree's `root` has its symbolic links resolved.
 * Without git, only folders on disk can be opened.
 * @throws LocusError `bad-repository` if the root is not a folder, the revision is unknown, git fails, or the repository
 *   is outside `within`; `cancelled`
 */
export async function openTree(root: string, options: OpenTreeOptions = {}): Promise<SourceTree> {
  const { revision, within = null, signal } = options;
  const folder = realFolder(root);
  const excludes = createExclusion(options.exclude);
  const fingerprint = readFingerprint(folder);
  const location = await locate(folder, within, signal);
  if (revision !== undefined || location.kind === 'store') {
    return openCommit(folder, location, revision, excludes, signal);
  }
  return openFolder(folder, location, fingerprint, within, excludes);
}

/** Opens a folder on disk. If its fingerprint changes, the git repository around it is located again. */
function openFolder(
  folder: string,
  opened: GitLocation,
  openedFingerprint: string,
  within: string | null,
  excludes: ExclusionFilter,
): SourceTree {
  let location = opened;
  let fingerprint = openedFingerprint;
  const isInGit = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const now = readFingerprint(folder);
    if (now !== fingerprint) {
      const failure = findRootFailure(folder);
      if (failure) throw failure;
      location = await locate(folder, within, signal);
      fingerprint = now;
    }
    return location.kind === 'work tree';
  };
  // A repository's pointers and links can change while it is open.
  const checkConfinement = () => confine(folder, within);
  return new FolderTree(
    folder,
    async (found, only, signal) => {
      if (!(await isInGit(signal))) return listFolder(folder, found, only, signal);
      if (!only) await checkConfinement();
      return listIndex(folder, found, only, signal);
    },
    excludes,
    async (signal) => {
      if (!(await isInGit(signal))) return null;
      await checkConfinement();
      return readHeadCommit(folder) ?? resolveObject(folder, 'HEAD^{commit}', signal);
    },
    () =>
      opened.kind === 'work tree' && location.kind !== 'work tree' ? [describeLostGit(folder)] : [],
  );
}

/** Returns the message for a folder that was in a git repository when it was opened, and no longer is. */
export function describeLostGit(folder: string): string {
  return `${folder} is no longer in a git repository. It is indexed as a plain folder, with the history that was read before.`;
}

/** Folder as git sees it. */
type GitLocation =
  /** `prefix` is the folder's path relative to the repository's top: '' or `some/folder/`. */
  | { kind: 'work tree'; prefix: string }
  /** A bare repository, or the inside of a `.git` folder. */
  | { kind: 'store'; gitFolder: string }
  | { kind: 'plain'; gitIsMissing: boolean };

async function locate(
  folder: string,
  within: string | null,
  signal: AbortSignal | undefined,
): Promise<GitLocation> {
  try {
    if (!(await confine(folder, within))) return { kind: 'plain', gitIsMissing: false };
    const args = ['--is-inside-work-tree', '--show-prefix'];
    const output = await gitLine(folder, ['rev-parse', ...args], { signal });
    if (output.startsWith('true\n')) {
      const prefix = output.slice('true\n'.length);
      const isIgnored = prefix !== '' && (await isIgnoredByRepository(folder, signal));
      return isIgnored ? { kind: 'plain', gitIsMissing: false } : { kind: 'work tree', prefix };
    }
    const gitFolder = await gitLine(folder, ['rev-parse', '--absolute-git-dir'], { signal });
    return { kind: 'store', gitFolder };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.exitCode === null) return { kind: 'plain', gitIsMissing: true };
    if (/not a git repository/.test(error.message)) return { kind: 'plain', gitIsMissing: false };
    throw error;
  }
}

/** Returns true if the repository around a folder ignores it, like a virtual environment. It then counts as a plain folder. */
async function isIgnoredByRepository(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await git(folder, ['check-ignore', '--quiet', '.'], { signal });
  } catch (error) {
    if (error instanceof GitFailure && error.exitCode === 1) return false;
    throw error;
  }
  for await (const _ of streamGit(folder, ['ls-files', '-z', '--cached'], { signal })) return false;
  return true;
}

async function openCommit(
  folder: string,
  location: GitLocation,
  revision: string | undefined,
  excludes: ExclusionFilter,
  signal: AbortSignal | undefined,
): Promise<SourceTree> {
  if (location.kind === 'plain') {
    const [problem, remedy] = location.gitIsMissing
      ? ['git is not installed', 'Install git, or open the folder without a revision.']
      : [`${folder} is not in a git repository`, 'Open the folder without a revision.'];
    const text = `The revision ${revision} cannot be opened: ${problem}.`;
    throw new LocusError('bad-repository', text, remedy);
  }
  const root = location.kind === 'store' ? location.gitFolder : folder;
  const commit = await resolveCommit(root, revision ?? 'HEAD', signal);
  const prefix = location.kind === 'store' ? '' : location.prefix.slice(0, -1);
  const object = prefix === '' ? commit : await resolveObject(root, `${commit}:${prefix}`, signal);
  const tree = object && (await resolveObject(root, `${object}^{tree}`, signal));
  if (!tree) {
    throw new LocusError(
      'bad-repository',
      `${quoteText(prefix)} is not a folder in revision ${quoteText(revision ?? 'HEAD')}.`,
      'Open the top folder of the repository, or choose another revision.',
    );
  }
  return new CommitTree(root, commit, tree, excludes);
}

async function resolveCommit(
  root: string,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const commit = await findCommit(root, revision, signal);
  if (commit) return commit;
  const remedy =
    revision === 'HEAD'
      ? 'Commit something first, or open the working folder without a revision.'
      : 'Use a branch, a tag or a commit id. A shallow clone may lack older commits.';
  throw new LocusError('bad-repository', `There is no commit ${revision} in ${root}.`, remedy);
}

/** Returns the full id of the commit that a name means, or null. */
export async function findCommit(
  root: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  // Resolved in two steps, because `:/text` would treat the braces as part of the text.
  const object = await resolveObject(root, name, signal);
  return object && resolveObject(root, `${object}^{commit}`, signal);
}

/** Returns the full id of the object that a name means, or null. */
async function resolveObject(
  root: string,
  name: string,
  signal?: AbortSignal,
): Promise<string | null> {
  if (name === '' || name.startsWith('-') || name.includes('\0')) return null;
  try {
    return await gitLine(root, ['rev-parse', '--verify', '--quiet', name], { signal });
  } catch (error) {
    if (error instanceof GitFailure && error.gitRefused) return null;
    throw error;
  }
}
