/** Where a repository's published indexes are listed, and what of it they are of. */
import { basename } from 'node:path';
import { remoteName } from '../../shared/remote-url.ts';
import { prefixOf, readOrigin } from '../remote/origin.ts';

/**
 * The name by which a repository is looked up: that of its remote `origin`, which is the same on every machine, else its folder's. Two
 * of one name do no harm: commits tell them apart.
 */
export async function sharedName(root: string): Promise<string> {
  const origin = await readOrigin({ root });
  return origin ? remoteName(origin.remote) : basename(root);
}

/** The opened folder's path in its repository, with a slash at the end; empty at the top, and for a bare one. */
export const sharedFolder = (root: string): Promise<string> => prefixOf({ root });
