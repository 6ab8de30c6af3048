/** Which shared index this data directory reads from: nothing, until it is set up. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { writePrivateFile } from '../../base/write-file.ts';
import { LocusError } from '../../shared/errors.ts';
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

const FILE = 'shared-index.json';
const MAX_BYTES = 2 ** 20;

const fileIn = (dataDirectory: string) => join(dataDirectory, FILE);

/** Whether any is, without a look at what. */
export const isSetUp = (dataDirectory: string): boolean => existsSync(fileIn(dataDirectory));

/**
 * Returns what is set up; null for nothing.
 * @throws LocusError `bad-input` if the file cannot be understood, `bad-store` if it is no regular file.
 */
export function sharedSource(dataDirectory: string): SharedSource | null {
  const path = fileIn(dataDirectory);
  const bytes = new UntrustedFolder(dataDirectory, 'bad-store').readSync(FILE, MAX_BYTES);
  if (!bytes) return null;
  const parsed = content.safeParse(parseJsonOrNull(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new LocusError(
    'bad-input',
    `${path} does not say where the shared index is`,
    'set it up again with locus shared, or remove the file',
  );
}

/** Sets it up; null takes it back. */
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
  throw new LocusError(
    'bad-input',
    `${wrong.slice(0, 100)} is no key of a publisher`,
    'give what locus publish prints: ed25519: and 43 letters',
  );
}
