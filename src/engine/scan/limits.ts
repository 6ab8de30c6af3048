import type { SkippedFile } from '../../shared/types.ts';

/** Larger files are data or generated code: 1 MiB. */
export const LARGEST_FILE = 1024 * 1024;

/** The report for a file over the limit, or null. `size` in bytes. */
export function tooLarge(path: string, size: number): SkippedFile | null {
  if (size <= LARGEST_FILE) return null;
  const detail = `${(size / LARGEST_FILE).toFixed(1)} MiB; files over 1 MiB are not indexed`;
  return { path, reason: 'too large', detail };
}
