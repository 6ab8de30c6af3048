/** The shared index that a data directory reads from; none until it is set up. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import type { LastPull } from '../../shared/shared-index.ts';
import { prepareDataDirectory } from '../locations.ts';
import { makeAbsoluteAddress, openObjects } from '../objects/open.ts';
import { isPublicKey, type PublicKey } from './keys.ts';

const content = z.object({
  /** Address, see `openObjects`. */
  from: z.string().min(1).max(2000),
  /** Keys of trusted publishers, besides the user's own. */
  keys: z.array(z.string().refine(isPublicKey, 'not a public key')).max(100),
});

/** Address of the shared index, and the keys of its trusted publishers. */
export type SharedIndexSource = z.infer<typeof content>;

const count = z.int().min(0);
const lastPullContent: z.ZodType<LastPull> = z.object({
  at: z.iso.datetime(),
  root: z.string(),
  taken: z
    .object({
      commit: z.string(),
      behind: count,
      from: z.string(),
      files: count,
      chunks: count,
      parts: count,
      bytes: count,
      embeddings: z.boolean(),
    })
    .nullable(),
  failure: z.object({ message: z.string(), remedy: z.string() }).nullable(),
});

const FILE = 'shared-index.json';
const LAST_FILE = 'shared-index-last.json';
const MAX_BYTES = 2 ** 20;

const getPath = (dataDirectory: string) => join(dataDirectory, FILE);

export const isSharedIndexSetUp = (dataDirectory: string): boolean =>
  existsSync(getPath(dataDirectory));

/** Reads a file; null if it is missing, undefined if its content is invalid. @throws LocusError `bad-store` if it is not a regular file */
function readStored<T>(dataDirectory: string, file: string, schema: z.ZodType<T>) {
  const bytes = new UntrustedFolder(dataDirectory, 'bad-store').readSync(file, MAX_BYTES);
  return bytes && schema.safeParse(parseJsonOrNull(bytes.toString('utf8'))).data;
}

/** Reads the setup; null if none exists. @throws LocusError `bad-input` if it is invalid, `bad-store` if it is not a regular file */
export function readSharedSource(dataDirectory: string): SharedIndexSource | null {
  const stored = readStored(dataDirectory, FILE, content);
  if (stored !== undefined) return stored;
  throw badInput(
    `${getPath(dataDirectory)} is damaged: it does not name a shared index.`,
    'Set the shared index up again with locus shared, or remove the file.',
  );
}

export function writeSharedSource(dataDirectory: string, source: SharedIndexSource | null): void {
  const path = getPath(prepareDataDirectory(dataDirectory));
  if (source === null) rmSync(path, { force: true });
  else writePrivateFile(path, `${JSON.stringify(content.parse(source), null, 2)}\n`);
}

/**
 * Sets up the shared index. `place` is an address for `openObjects`; a relative folder is resolved from the current folder. Only
 * these keys are trusted from then on, besides the user's own.
 * @throws LocusError `bad-input`
 */
export async function setUpSharedIndex(
  dataDirectory: string,
  place: string,
  keys: readonly string[],
): Promise<void> {
  (await openObjects(place)).close();
  writeSharedSource(dataDirectory, {
    from: makeAbsoluteAddress(place),
    keys: checkPublicKeys(keys),
  });
}

/** Checks public keys and removes duplicates. @throws LocusError `bad-input` for an invalid one */
export function checkPublicKeys(keys: readonly string[]): PublicKey[] {
  const wrong = keys.find((key) => !isPublicKey(key));
  if (wrong === undefined) return [...new Set(keys)];
  throw badInput(
    `${wrong.slice(0, 100)} is not a public key.`,
    'Give the key that locus publish prints: ed25519: followed by 43 letters.',
  );
}

/** Reads the record of the last pull; null if it is missing or unreadable. */
export function readLastPull(dataDirectory: string): LastPull | null {
  try {
    return readStored(dataDirectory, LAST_FILE, lastPullContent) ?? null;
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

/** Writes the record of the last pull. Failures are ignored, because the pull itself succeeded. */
export function writeLastPull(dataDirectory: string, last: LastPull): void {
  try {
    writePrivateFile(join(dataDirectory, LAST_FILE), `${JSON.stringify(last, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
