import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { CommitTree } from './commit-tree.ts';
import { type Exclusion, excluding } from './exclusion.ts';
import { FolderTree } from './folder-tree.ts';
import { GitFailure, git } from './git.ts';
import { listFolder } from './list-folder.ts';
import { listIndex } from './list-index.ts';
import type { SourceTree } from './types.ts';

export interface OpenOptions {
  /** Any name of a commit that git understands. Without it: what is on disk; in a bare repository, HEAD. */
  revision?: string;
  /** Patterns in `.gitignore` syntax, relative to the root, on top of what git ignores. */
  exclude?: string[];
}

/**
 * Opens a git working tree (or a folder inside one), any other folder, or a commit of any repository, bare
 * ones included. Nothing is checked out or written. The tree's `root` has its symbolic links resolved.
 * Throws `LocusError` 'bad-repository' for what is not a folder, an unknown revision, or a git failure; only
 * plain folders can be opened without git.
 */
export async function openTree(root: string, options: OpenOptions = {}): Promise<SourceTree> {
  const folder = realFolder(root);
  const excludes = excluding(options.exclude);
  const place = await locate(folder);
  if (options.revision !== undefined || place.kind === 'store') {
    return openCommit(folder, place, options.revision, excludes);
  }
  if (place.kind === 'work tree') {
    return new FolderTree(
      folder,
      (found, only) => listIndex(folder, found, only),
      excludes,
      () => resolveObject(folder, 'HEAD^{commit}'),
    );
  }
  return new FolderTree(
    folder,
    (found, only) => listFolder(folder, found, excludes, only),
    excludes,
  );
}

/** An existing folder's path with links resolved. Throws `LocusError`. */
export function realFolder(root: string): string {
  try {
    const folder = realpathSync.native(resolve(root));
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new LocusError(
        'bad-repository',
        `${root} cannot be opened: ${message}`,
        'Check its permissions.',
      );
    }
    throw new LocusError('bad-repository', `${root} does not exist`, 'Give the path of a folder.');
  }
  throw new LocusError('bad-repository', `${root} is a file`, 'Give the folder that holds it.');
}

/** What git makes of a folder. */
type Place =
  /** `prefix` leads from the repository's top to the folder: '' or `some/folder/`. */
  | { kind: 'work tree'; prefix: string }
  /** A bare repository, or the inside of a `.git` folder. */
  | { kind: 'store'; gitFolder: string }
  | { kind: 'plain'; gitIsMissing: boolean };

async function locate(folder: string): Promise<Place> {
  try {
    const output = (
      await git(folder, 'rev-parse', '--is-inside-work-tree', '--show-prefix')
    ).toString('utf8');
    if (output.startsWith('true\n')) {
      const prefix = output.slice('true\n'.length, -1);
      if (prefix !== '' && (await isForeign(folder))) return { kind: 'plain', gitIsMissing: false };
      return { kind: 'work tree', prefix };
    }
    const gitFolder = (await git(folder, 'rev-parse', '--absolute-git-dir'))
      .toString('utf8')
      .slice(0, -1);
    return { kind: 'store', gitFolder };
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (error.exitCode === null) return { kind: 'plain', gitIsMissing: true };
    if (/not a git repository/.test(error.message)) return { kind: 'plain', gitIsMissing: false };
    throw error;
  }
}

/** Whether the repository around a folder ignores it, as it does a virtual environment: then it stands alone. */
async function isForeign(folder: string): Promise<boolean> {
  try {
    await git(folder, 'check-ignore', '--quiet', '.');
  } catch (error) {
    if (error instanceof GitFailure && error.exitCode === 1) return false;
    throw error;
  }
  return (await git(folder, 'ls-files', '-z', '--cached')).length === 0;
}

async function openCommit(
  folder: string,
  place: Place,
  revision: string | undefined,
  excludes: Exclusion,
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
  const commit = await resolveCommit(root, revision ?? 'HEAD');
  const prefix = place.kind === 'store' ? '' : place.prefix.slice(0, -1);
  const tree = prefix === '' ? commit : await resolveFolder(root, commit, prefix);
  if (!tree) {
    throw new LocusError(
      'bad-repository',
      `${prefix} is not a folder in revision ${revision}`,
      'Open the top folder of the repository, or choose another revision.',
    );
  }
  return new CommitTree(root, commit, tree, excludes);
}

/** The id of a folder's tree in a commit, or null. */
async function resolveFolder(root: string, commit: string, folder: string): Promise<string | null> {
  const object = await resolveObject(root, `${commit}:${folder}`);
  return object && resolveObject(root, `${object}^{tree}`);
}

async function resolveCommit(root: string, revision: string): Promise<string> {
  // Two steps, because `:/text` would take the braces for a part of the text.
  const object = await resolveObject(root, revision);
  const commit = object && (await resolveObject(root, `${object}^{commit}`));
  if (commit) return commit;
  const remedy =
    revision === 'HEAD'
      ? 'The repository has no commit yet: commit something, or open its working folder without a revision.'
      : 'Give a branch, a tag or a commit id; git log shows them. A shallow clone may not hold it.';
  throw new LocusError('bad-repository', `There is no commit ${revision} in ${root}`, remedy);
}

/** The full id of what a name means, or null. */
async function resolveObject(root: string, name: string): Promise<string | null> {
  if (name === '' || name.startsWith('-') || name.includes('\0')) return null;
  try {
    return (await git(root, 'rev-parse', '--verify', '--quiet', name)).toString('latin1').trim();
  } catch (error) {
    if (error instanceof GitFailure && error.exitCode !== null) return null;
    throw error;
  }
}
