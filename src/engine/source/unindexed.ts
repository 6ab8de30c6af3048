import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure, splitAtNul, streamGit } from '../../base/git/git.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { getUnsupportedLanguage, isUnsupportedCode } from '../languages/unsupported.ts';
import type { SourceTree } from './types.ts';

/** Maximum number of files that are returned; more would not fit a note. */
const MAX_FOUND = 20;

/**
 * Finds files of a tree that no listing contains: of unsupported kinds, or outside of a sparse checkout.
 * @param paths ends of paths, as segments without `.` and `..`. In a git working tree, any file with this end is found; elsewhere
 * only a file with this whole path
 */
export async function findUnindexed(
  tree: SourceTree,
  paths: readonly (readonly string[])[],
  signal?: AbortSignal,
): Promise<SkippedFile[]> {
  if (paths.length === 0) return [];
  const whole = paths.map((segments) => segments.join('/'));
  try {
    if (tree.revision !== null) {
      const args = ['--name-only', '-z', '--full-tree', tree.revision, '--', ...whole];
      return (await readNames(tree.root, ['ls-tree', ...args], signal)).map(createUnsupported);
    }
    if ((await tree.getHead(signal)) !== null) {
      const patterns = whole.map((path) => `:(glob)**/${path.replace(/[*?[\]\\]/g, '\\$&')}`);
      // Each line is a letter and a path; S marks a file that a sparse checkout leaves out.
      const lines = await readNames(tree.root, ['ls-files', '-t', '-z', '--', ...patterns], signal);
      return lines.map((line) =>
        line.startsWith('S ') ? createSparse(line.slice(2)) : createUnsupported(line.slice(2)),
      );
    }
  } catch (error) {
    // Git is missing or refuses, and the listing has said so.
    if (error instanceof GitFailure) return [];
    throw error;
  }
  const isFile = (path: string) =>
    lstatSync(join(tree.root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  return whole.filter(isFile).slice(0, MAX_FOUND).map(createUnsupported);
}

async function readNames(
  root: string,
  args: Parameters<typeof streamGit>[1],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const names: string[] = [];
  for await (const lines of splitAtNul(streamGit(root, args, { signal }))) {
    names.push(...lines.map(String));
    if (names.length >= MAX_FOUND) break;
  }
  return names.slice(0, MAX_FOUND);
}

function createUnsupported(path: string): SkippedFile {
  const detail = isUnsupportedCode(path)
    ? `${getUnsupportedLanguage(path)} is not supported yet`
    : 'files of its kind are not indexed';
  return { path, reason: 'unsupported', detail };
}

const createSparse = (path: string): SkippedFile => ({
  path,
  reason: 'not checked out',
  detail: 'it is outside of the sparse checkout; git sparse-checkout add fetches it',
});
