/** Limits for reading a repository. Anything beyond them is left out and reported, or ends in an error. */
import type { SkippedFile } from '../../shared/indexing.ts';

const MEBIBYTE = 1024 * 1024;

/** Maximum size of an indexed file in bytes: 8 MiB. Larger files are data or generated code. */
export const MAX_FILE_BYTES = 8 * MEBIBYTE;
/**
 * Size in bytes from which a file is large: it is read and parsed alone, because parsing takes up to a hundred times its size of
 * memory, and indexed only if it is code that people write.
 */
export const LARGE_FILE_BYTES = MEBIBYTE;
/** Maximum number of indexed files, and of their bytes. Ten times as many as in the largest repositories. */
export const MAX_FILES = 250_000;
/** Maximum number of files left out by patterns that are listed. The others are only counted. */
export const MAX_EXCLUDED = 10_000;
export const MAX_TOTAL_BYTES = 1024 * MEBIBYTE;
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
export const MAX_HISTORY_BYTES = 4096 * MEBIBYTE;
/** Maximum number of bytes that git may allocate at once while it lists a commit's changes: a million files, or a folder of 200,000. */
export const MAX_NAMES_MEMORY = 8 * MEBIBYTE;

/** Returns the report for a file over the limit, or null. `size` is in bytes. */
export function checkFileSize(path: string, size: number): SkippedFile | null {
  if (size <= MAX_FILE_BYTES) return null;
  return createSizeReport(path, size, 'files over 8 MiB are not indexed');
}

/** Returns the report for a large file that is minified or generated. */
export const reportLargeGenerated = (path: string, size: number): SkippedFile =>
  createSizeReport(path, size, 'minified and generated files over 1 MiB are not indexed');

function createSizeReport(path: string, size: number, rule: string): SkippedFile {
  return { path, reason: 'too large', detail: `${(size / MEBIBYTE).toFixed(1)} MiB; ${rule}` };
}

/** Returns the files in batches that may be read at the same time: all small ones, then each large one alone. */
export function batchBySize<File extends { size: number }>(files: readonly File[]): File[][] {
  const isLarge = ({ size }: File) => size > LARGE_FILE_BYTES;
  const small = files.filter((file) => !isLarge(file));
  return [small, ...files.filter(isLarge).map((file) => [file])];
}
