/** Limits for reading a repository. Anything beyond them is left out and reported, or ends in an error. */
import type { SkippedFile } from '../../shared/indexing.ts';

/** Maximum size of an indexed file in bytes: 1 MiB. Larger files are data or generated code. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Maximum number of indexed files, and of their bytes. Ten times as many as in the largest repositories. */
export const MAX_FILES = 250_000;
export const MAX_TOTAL_BYTES = 1024 * MAX_FILE_BYTES;
/** Maximum number of names of files, in any language, examined in one listing. */
export const MAX_NAMES = 5_000_000;
/** Maximum length of a path in bytes, which is that of Linux. A commit can contain longer ones. */
export const MAX_PATH_BYTES = 4096;
/** Maximum size in bytes of an ignore file that Locus itself reads. Each rule is tried on each path. */
export const MAX_IGNORE_FILE_BYTES = 128 * 1024;
/** Maximum number of rules in a `.locusignore` or `.locusinclude`. Each is tried on each path. */
export const MAX_SELECTION_RULES = 200;
/** Maximum number of rules about roles in all `.gitattributes`. Each is tried on each path; repositories have up to a dozen. */
export const MAX_ATTRIBUTE_RULES = 200;
/** Maximum number of `.gitattributes` files that are read. */
export const MAX_ATTRIBUTE_FILES = 200;

/** Maximum number of bytes of history that one run of git may print. */
export const MAX_HISTORY_BYTES = 4096 * MAX_FILE_BYTES;
/** Maximum number of bytes that git may allocate at once while it lists a commit's changes: a million files, or a folder of 200,000. */
export const MAX_NAMES_MEMORY = 8 * MAX_FILE_BYTES;

/** Returns the report for a file over the limit, or null. `size` is in bytes. */
export function checkFileSize(path: string, size: number): SkippedFile | null {
  if (size <= MAX_FILE_BYTES) return null;
  const detail = `${(size / MAX_FILE_BYTES).toFixed(1)} MiB; files over 1 MiB are not indexed`;
  return { path, reason: 'too large', detail };
}
