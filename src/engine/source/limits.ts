/** What reading a repository may cost. Whatever is beyond is left out and reported, or ends in an error that says so. */
import type { SkippedFile } from '../../shared/indexing.ts';

/** Larger files are data or generated code: 1 MiB. */
export const LARGEST_FILE = 1024 * 1024;
/** Files that are indexed, and their bytes; ten times what the largest repositories have. */
export const MOST_FILES = 250_000;
export const MOST_BYTES = 1024 * LARGEST_FILE;
/** Names of files, of whatever language, that are looked at in one listing. */
export const MOST_NAMES = 5_000_000;
/** Bytes of a path; that of Linux. A commit can hold longer ones. */
export const LONGEST_PATH = 4096;
/** Bytes of an ignore file that Locus itself obeys. Each rule is tried on each path. */
export const LARGEST_IGNORE_FILE = 128 * 1024;
/** Rules about roles in all `.gitattributes` of a repository, each of which is tried on each path; some have a dozen. */
export const MOST_ATTRIBUTE_RULES = 200;
/** Such files that are read. */
export const MOST_ATTRIBUTE_FILES = 200;

/** Bytes of history that one run of git may print. */
export const MOST_HISTORY = 4096 * LARGEST_FILE;
/** Bytes that git may allocate at once while it lists what a commit changes: a million files, or a folder of 200,000. */
export const MOST_NAMES_MEMORY = 8 * LARGEST_FILE;

/** The report for a file over the limit, or null. `size` in bytes. */
export function tooLarge(path: string, size: number): SkippedFile | null {
  if (size <= LARGEST_FILE) return null;
  const detail = `${(size / LARGEST_FILE).toFixed(1)} MiB; files over 1 MiB are not indexed`;
  return { path, reason: 'too large', detail };
}
