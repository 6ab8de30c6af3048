/** Which shared index this data directory reads from: nothing, until it is set up. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LocusError } from '../../shared/errors.ts';
import { parseJson } from '../http.ts';
import { prepareDataDirectory } from '../locations.ts';
import { openObjects, settled } from '../objects/open.ts';
import { writePrivateFile } from '../write-file.ts';
import { isPublicKey, type PublicKey } from './keys.ts';

const content = z.object({
  /** An address, see `openObjects`. */
  from: z.string().min(1).max(2000),
  /** Of the publishers that are trusted, beside one's own. */
  keys: z.array(z.string().refine(isPublicKey, 'no key of a publisher')).max(100),
});

/** Where indexes are taken from, and whose. */
export type SharedSource = z.infer<typeof content>;

const fileIn = (dataDirectory: string) => join(dataDirectory, 'shared-index.json');

/** Whether any is, without a look at what. */
export const isSetUp = (dataDirectory: string): boolean => existsSync(fileIn(dataDirectory));

/** @throws LocusError `bad-input` where what is set up cannot be understood. */
export function sharedSource(dataDirectory: string): SharedSource | null {
  const path = fileIn(dataDirectory);
  if (!existsSync(path)) return null;
  const parsed = content.safeParse(parseJson(readFileSync(path, 'utf8')));
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
