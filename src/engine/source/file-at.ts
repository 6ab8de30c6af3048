import { decodeSource } from '../../base/decode-source.ts';
import { GitFailure, git } from '../../base/git/git.ts';
import { LARGEST_FILE } from './limits.ts';
import type { SourceTree } from './types.ts';

/** A commit's id, as much of it as people copy. */
const COMMIT = /^[\da-f]{7,64}$/;
const TAG = /^[\w][\w.+-]{0,100}$/;

/**
 * The text of a file at a commit or a tag; null where the repository has no such version of it, or none that can be read. A
 * branch is not looked up: where it is now says nothing of where it was.
 * @param path from the root of the repository
 */
export async function fileAt(
  tree: SourceTree,
  revision: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> {
  if (!TAG.test(revision) || (await tree.head(signal)) === null) return null;
  const commit = COMMIT.test(revision) ? revision : `refs/tags/${revision}`;
  try {
    const options = { maxBytes: LARGEST_FILE, signal };
    const read = decodeSource(
      await git(tree.root, ['cat-file', 'blob', `${commit}:${path}`], options),
    );
    return 'text' in read ? read.text : null;
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
