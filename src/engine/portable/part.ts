/** Validation that all parts of a portable snapshot share. */

import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { MAX_PART_BYTES, sharedIndexError } from '../../shared/shared-index.ts';

/** Limits of a part in JSON, several times what `exportSnapshot` writes. */
const LIMITS = { maxDepth: 8, maxContainers: 4_000_000, maxValues: 16_000_000 };

/**
 * Parses a part in JSON.
 * @throws LocusError `bad-objects` if it is invalid, too large in any way, or does not match the schema.
 */
export function parsePart<T>(bytes: Buffer, schema: z.ZodType<T>, what: string): T {
  const value = bytes.length > MAX_PART_BYTES ? undefined : parseBounded(bytes, LIMITS);
  if (value === undefined) throw sharedIndexError(`the ${what} are invalid JSON or too large`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw sharedIndexError(`the ${what} are invalid (${issue?.path.join('.')}: ${issue?.message})`);
}

export const count = z.int().min(0).max(0xffffffff);

/** Schema of a path inside a repository, with forward slashes, that git would check out. It stays inside on any system. */
export const plainPath = z
  .string()
  .min(1)
  .max(4096)
  .refine(isPlainPath, 'not a path inside a repository');

function isPlainPath(path: string): boolean {
  if (!path.isWellFormed() || path.includes('\0')) return false;
  // On Windows, these characters can lead elsewhere. On other systems they are ordinary.
  if (process.platform === 'win32' && /[\\:]/.test(path)) return false;
  return path
    .split('/')
    .every((name) => name !== '' && !/^\.{1,2}$/.test(name) && !isGitFolder(name));
}

/** Returns true for `.git`, also in the spellings that Windows and macOS treat as the same folder. Git uses the same rules. */
const isGitFolder = (name: string) =>
  /^(?:\.git|git~1)[ .]*$/i.test(
    name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''),
  );
