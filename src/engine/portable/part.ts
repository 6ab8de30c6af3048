/** What the parts of a portable snapshot have in common: how they are refused, and which paths are plain. */
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';

/** Of one part, before it is compressed. */
export const MAX_PART_BYTES = 192 * 2 ** 20;

export function refusal(
  what: string,
  remedy = 'publish it again, with the same version of Locus',
): LocusError {
  return new LocusError('bad-objects', `the shared index is refused: ${what}`, remedy);
}

/**
 * What a part says in JSON.
 * @throws LocusError `bad-objects` where it is none, or not as the schema has it.
 */
export function parsePart<T>(bytes: Buffer, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw refusal(`${what} are no JSON`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refusal(`${what} are not as they should be (${issue?.path.join('.')}: ${issue?.message})`);
}

export const count = z.int().min(0).max(0xffffffff);

/** A path inside a repository, with forward slashes; none that leads out of it, or means another place elsewhere. */
export const plainPath = z
  .string()
  .min(1)
  .max(4096)
  .refine(isPlainPath, 'no plain path inside a repository');

function isPlainPath(path: string): boolean {
  if (path.includes('\0')) return false;
  // There, they lead elsewhere; on other systems they are letters like others.
  if (process.platform === 'win32' && /[\\:]/.test(path)) return false;
  return path.split('/').every((name) => !['', '.', '..', '.git'].includes(name.toLowerCase()));
}
