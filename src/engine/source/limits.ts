/** Limits for reading a repository. Anything beyond them is left out and reported, or ends in an error. */
import type { SkippedFile } from '../../shared/indexing.ts';

/** Maximum size of an indexed file in bytes: 1 MiB. Larger files are data or generated code. */
export const LARGEST_FILE = 1024 * 1024;
/** Maximum number of indexed files, and of their bytes. Ten times as many as in the largest repositories. */
export const MOST_FILES = 250_000;
export const MOST_BYTES = 1024 * LARGEST_FILE;
/** Maximum number of names of files, in any language, examined in one listing. */
export const MOST_NAMES = 5_000_000;
/** Maximum length of a path in bytes, which is that of Linux. A commit can contain longer ones. */
export const LONGEST_PATH = 4096;
/** Maximum size in bytes of an ignore file that Locus itself reads. Each rule is tried on each path. */
export const LARGEST_IGNORE_FILE = 128 * 1024;
/** Maximum number of rules about roles in all `.gitattributes`. Each is tried on each path; repositories have up to a dozen. */
export const MOST_ATTRIBUTE_RULES = 200;
/** Maximum number of `.gitattributes` files that are read. */
export const MOST_ATTRIBUTE_FILES = 200;

/** Maximum number of bytes of history that one run of git may print. */
export const MOST_HISTORY = 4096 * LARGEST_FILE;
/** Maximum number of bytes that git may allocate at once while it lists a commit's changes: a million files, or a folder of 200,000. */
export const MOST_NAMES_MEMORY = 8 * LARGEST_FILE;

/** Returns the report for a file over the limit, or null. `size` is in bytes. */
export function tooLarge(path: string, size: number): SkippedFile | null {
  if (size <= LARGEST_FILE) return null;
  const detail = `${(size / LARGEST_FILE).toFixed(1)} MiB; files over 1 MiB are not indexed`;
  return { path, reason: 'too large', detail };
}
