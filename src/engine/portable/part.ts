/** What the parts of a portable snapshot have in common: how they are refused, and which paths are plain. */

import { z } from 'zod';
import { parseBounded } from '../../base/json.ts';
import { MAX_PART_BYTES, refusal } from '../../shared/shared-index.ts';

/** Largest shape of a part in JSON: several times what `exportSnapshot` puts into one. */
const LIMITS = { maxDepth: 8, maxContainers: 4_000_000, maxValues: 16_000_000 };

/**
 * Parses a part in JSON.
 * @throws LocusError `bad-objects` if it is invalid, too large in any way, or does not match the schema.
 */
export function parsePart<T>(bytes: Buffer, schema: z.ZodType<T>, what: string): T {
  const value = bytes.length > MAX_PART_BYTES ? undefined : parseBounded(bytes, LIMITS);
  if (value === undefined) throw refusal(`${what} are no JSON within the limits`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refusal(`${what} are not as they should be (${issue?.path.join('.')}: ${issue?.message})`);
}

export const count = z.int().min(0).max(0xffffffff);

/** A path inside a repository, with forward slashes, that git would check out: it leads nowhere else on any system. */
export const plainPath = z
  .string()
  .min(1)
  .max(4096)
  .refine(isPlainPath, 'no plain path inside a repository');

function isPlainPath(path: string): boolean {
  if (!path.isWellFormed() || path.includes('\0')) return false;
  // On Windows they lead elsewhere; on other systems they are letters like others.
  if (process.platform === 'win32' && /[\\:]/.test(path)) return false;
  return path
    .split('/')
    .every((name) => name !== '' && !/^\.{1,2}$/.test(name) && !isGitFolder(name));
}

/** As git has it: also in the spellings that Windows and macOS take for the same folder. */
const isGitFolder = (name: string) =>
  /^(?:\.git|git~1)[ .]*$/i.test(
    name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ''),
  );
