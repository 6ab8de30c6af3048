import { realFolder } from '../../base/folders.ts';
import { GitFailure, git, gitLine, streamGit } from '../../base/git/git.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoted } from '../../shared/quoted.ts';
import { CommitTree } from './commit-tree.ts';
import { confine } from './confine.ts';
import { FolderTree } from './folder-tree.ts';
import { findRootFailure, readFooting } from './footing.ts';
import { type Exclusion, excluding } from './gitignore.ts';
import { listFolder } from './list-folder.ts';
import { listIndex } from './list-index.ts';
import type { SourceTree } from './types.ts';

export interface OpenOptions {
  /** Any name of a commit that git understands. Without it: what is on disk; in a bare repository, HEAD. */
  revision?: string;
  /** Patterns in `.gitignore` syntax, relative to the root, on top of what git ignores. */
  exclude?: string[];
  /** A folder outside of which nothing is read: neither the root may lie there nor what its repository leads to. */
  within?: string | null;
  signal?: AbortSignal;
}

/**
 * Opens a git working tree (or a folder inside one), any other folder, or a commit of any repository, bare
 * ones included. Nothing is checked out or written. The tree's `root` has its symbolic links resolved.
 * Throws `LocusError` 'bad-repository' for what is not a folder, an unknown revision, a git failure, or a repository
 * that leads out of `within`, and 'cancelled'; only plain folders can be opened without git.
 */
export async function openTree(root: string, options: OpenOptions = {}): Promise<SourceTree> {
  const { revision, within = null, signal } = options;
  const folder = realFolder(root);
  const excludes = excluding(options.exclude);
  const footing = readFooting(folder);
  const place = await locate(folder, within, signal);
  if (revision !== undefined || place.kind === 'store') {
    return openCommit(folder, place, revision, excludes, signal);
  }
  return openFolder(folder, place, footing, within, excludes);
}

/**
 * Opens a folder on disk. Its listing follows what becomes of the git repository around it: the folder is looked at
 * again once its footing differs.
 */
function openFolder(
  folder: string,
  opened: Place,
  openedFooting: string,
  within: string | null,
  excludes: Exclusion,
): SourceTree {
  let place = opened;
  let footing = openedFooting;
  const isInGit = async (signal: AbortSignal | undefined): Promise<boolean> => {
    const now = readFooting(folder);
    if (now !== footing) {
      const failure = findRootFailure(folder);
      if (failure) throw failure;
      place = await locate(folder, within, signal);
      footing = now;
    }
    return place.kind === 'work tree';
  };
  // What a repository leads to can change while it is open.
  const checkConfinement = () => confine(folder, within);
  return new FolderTree(
    folder,
    async (found, only, signal) => {
      if (!(await isInGit(signal))) return listFolder(folder, found, excludes, only, signal);
      if (!only) await checkConfinement();
      return listIndex(folder, found, only, signal);
    },
    excludes,
    async (signal) => {
      if (!(await isInGit(signal))) return null;
      await checkConfinement();
      return resolveObject(folder, 'HEAD^{commit}', signal);
    },
    () =>
      opened.kind === 'work tree' && place.kind !== 'work tree' ? [describeLostGit(folder)] : [],
  );
}

/** Returns what to say about a folder that was opened in a git repository and is in none now. */
export function describeLostGit(folder: string): string {
  return `${folder} is no longer in a git repository. Its files are indexed as those of a plain folder, with the history that was read before.`;
}

/** What git makes of a folder. */
type Place =
  /** `prefix` leads from the repository's top to the folder: '' or `some/folder/`. */
  | { kind: 'work tree'; prefix: string }
  /** A bare repository, or the inside of a `.git` folder. */
  | { kind: 'store'; gitFolder: string }
  | { kind: 'plain'; gitIsMissing: boolean };

async function locate(
  folder: string,
  within: string | null,
  signal: AbortSignal | undefined,
): Promise<Place> {
  try {
    if (!(await confine(folder, within))) return { kind: 'plain', gitIsMissing: false };
    const args = ['--is-inside-work-tree', '--show-prefix'];
    const output = await gitLine(folder, ['rev-parse', ...args], { signal });
    if (output.startsWith('true\n')) {
      const prefix = output.slice('true\n'.length);
      const foreign = prefix !== '' && (await isForeign(folder, signal));
      return foreign ? { kind: 'plain', gitIsMissing: false } : { kind: 'work tree', prefix };
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

/** Whether the repository around a folder ignores it, as it does a virtual environment: then it stands alone. */
async function isForeign(folder: string, signal: AbortSignal | undefined): Promise<boolean> {
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
  place: Place,
  revision: string | undefined,
  excludes: Exclusion,
  signal: AbortSignal | undefined,
): Promise<SourceTree> {
  if (place.kind === 'plain') {
    const [problem, remedy] = place.gitIsMissing
      ? ['git is not installed', 'Install git, or open the folder without a revision.']
      : [
          `${folder} is not in a git repository`,
          'Leave the revision out to open the folder as it is.',
        ];
    throw new LocusError('bad-repository', `There is no revision ${revision}: ${problem}`, remedy);
  }
  const root = place.kind === 'store' ? place.gitFolder : folder;
  const commit = await resolveCommit(root, revision ?? 'HEAD', signal);
  const prefix = place.kind === 'store' ? '' : place.prefix.slice(0, -1);
  const object = prefix === '' ? commit : await resolveObject(root, `${commit}:${prefix}`, signal);
  const tree = object && (await resolveObject(root, `${object}^{tree}`, signal));
  if (!tree) {
    throw new LocusError(
      'bad-repository',
      `${quoted(prefix)} is not a folder in revision ${quoted(revision ?? 'HEAD')}`,
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
      ? 'The repository has no commit yet: commit something, or open its working folder without a revision.'
      : 'Give a branch, a tag or a commit id; git log shows them. A shallow clone may not hold it.';
  throw new LocusError('bad-repository', `There is no commit ${revision} in ${root}`, remedy);
}

/** The full id of the commit that a name means, or null. */
export async function findCommit(
  root: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  // Two steps, because `:/text` would take the braces for a part of the text.
  const object = await resolveObject(root, name, signal);
  return object && resolveObject(root, `${object}^{commit}`, signal);
}

/** The full id of what a name means, or null. */
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
