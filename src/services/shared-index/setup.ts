/** Which shared index this data directory reads from: nothing, until it is set up. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { badInput, LocusError } from '../../shared/errors.ts';
import type { LastPull } from '../../shared/shared-index.ts';
import { prepareDataDirectory } from '../locations.ts';
import { openObjects, settled } from '../objects/open.ts';
import { isPublicKey, type PublicKey } from './keys.ts';

const content = z.object({
  /** An address, see `openObjects`. */
  from: z.string().min(1).max(2000),
  /** Of the publishers that are trusted, beside one's own. */
  keys: z.array(z.string().refine(isPublicKey, 'no key of a publisher')).max(100),
});

/** Where indexes are taken from, and whose. */
export type SharedSource = z.infer<typeof content>;

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

const fileIn = (dataDirectory: string) => join(dataDirectory, FILE);

export const isSetUp = (dataDirectory: string): boolean => existsSync(fileIn(dataDirectory));

/** Returns null for a missing file, undefined for one that holds something else. @throws LocusError `bad-store` if it is no regular file */
function readStored<T>(dataDirectory: string, file: string, schema: z.ZodType<T>) {
  const bytes = new UntrustedFolder(dataDirectory, 'bad-store').readSync(file, MAX_BYTES);
  return bytes && schema.safeParse(parseJsonOrNull(bytes.toString('utf8'))).data;
}

/** @throws LocusError `bad-input` if the file cannot be understood, `bad-store` if it is no regular file. */
export function sharedSource(dataDirectory: string): SharedSource | null {
  const stored = readStored(dataDirectory, FILE, content);
  if (stored !== undefined) return stored;
  throw badInput(
    `${fileIn(dataDirectory)} does not say where the shared index is`,
    'set it up again with locus shared, or remove the file',
  );
}

export function setSharedSource(dataDirectory: string, source: SharedSource | null): void {
  const path = fileIn(prepareDataDirectory(dataDirectory));
  if (source === null) rmSync(path, { force: true });
  else writePrivateFile(path, `${JSON.stringify(content.parse(source), null, 2)}\n`);
}

/**
 * Sets it up as a person says: `place` as `openObjects` takes it, a folder from where the process is. These keys are all that are
 * trusted from then on, beside one's own.
 * @throws LocusError `bad-input`
 */
export async function setUpShared(
  dataDirectory: string,
  place: string,
  keys: readonly string[],
): Promise<void> {
  (await openObjects(place)).close();
  setSharedSource(dataDirectory, { from: settled(place), keys: checkedKeys(keys) });
}

/** @throws LocusError `bad-input` for the first that is no public key. */
export function checkedKeys(keys: readonly string[]): PublicKey[] {
  const wrong = keys.find((key) => !isPublicKey(key));
  if (wrong === undefined) return [...new Set(keys)];
  throw badInput(
    `${wrong.slice(0, 100)} is no key of a publisher`,
    'give what locus publish prints: ed25519: and 43 letters',
  );
}

/** Returns the note about the last pull; null if it is missing or unreadable. */
export function lastPull(dataDirectory: string): LastPull | null {
  try {
    return readStored(dataDirectory, LAST_FILE, lastPullContent) ?? null;
  } catch (error) {
    if (error instanceof LocusError) return null;
    throw error;
  }
}

/** Stores the note about the last pull. A failure is ignored: the pull itself succeeded. */
export function noteLastPull(dataDirectory: string, last: LastPull): void {
  try {
    writePrivateFile(join(dataDirectory, LAST_FILE), `${JSON.stringify(last, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
