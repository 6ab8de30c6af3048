import { hash } from 'node:crypto';
import { join } from 'node:path';
import { findGitFolders, readSmallFile } from './special-files.ts';

/** Maximum size of the list in bytes: 400,000 commits. */
const MAX_BYTES = 2 ** 24;

/**
 * Returns a text that changes whenever the history of a shallow clone ends at other commits; empty if the history is complete, or if
 * the folder is not in a repository.
 * @throws LocusError `bad-repository` if a file of the repository would block git forever
 */
export function readShallowBoundary(folder: string): string {
  const common = findGitFolders(folder).at(-1);
  if (common === undefined) return '';
  const list = readSmallFile(join(common, 'shallow'), MAX_BYTES, { followLinks: true });
  if (list === null) return '';
  const text = 'text' in list ? list.text : list.problem;
  return text === '' ? '' : hash('sha256', text).slice(0, 16);
}
