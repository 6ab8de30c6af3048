/**
 * Secrets that Locus stores for its user. The file of a secret's owner holds either the secret, or the name of its entry in the system's
 * keychain, so that whoever reads the file learns where the secret is, and one rename of the file decides.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readVariable } from '../../base/environment.ts';
import { FileLock } from '../../base/file-lock.ts';
import { ignoring } from '../../base/log.ts';
import { makeFolder } from '../../base/private.ts';
import { LocusError } from '../../shared/errors.ts';
import { deleteEntry, getEntry, KeychainFailure, reachKeychain, setEntry } from './keychain.ts';

/** A secret itself, or the name of its entry in the keychain. */
export const storedSecret = z.union([z.string(), z.object({ keychain: z.string().max(1_000) })]);
export type StoredSecret = z.output<typeof storedSecret>;

/** The place of one secret in a file of its owner. Both functions are synchronous. */
export interface SecretSlot {
  /** Data directory. */
  folder: string;
  /** As "token for https://milvus.example.org". An entry of the keychain is used only for the name that it was made for. */
  name: string;
  /** Remedy if the keychain cannot be used. */
  remedy: string;
  read(): StoredSecret | null;
  /** Replaces the file. @param secret what is stored, wherever it is */
  write(stored: StoredSecret | null, secret: string | null): void;
}

/** Milliseconds to wait for another process that replaces a secret. */
const LOCK_MS = 2_000;

const isInKeychain = (stored: StoredSecret | null) => typeof stored === 'object' && stored !== null;

/**
 * Returns a secret; null if none is stored. Moves it to where LOCUS_KEYCHAIN wants it.
 * @throws LocusError `bad-store` if it is in a keychain that cannot be used
 */
export async function readSecret(slot: SecretSlot): Promise<string | null> {
  const stored = slot.read();
  if (stored === null) return null;
  const secret = typeof stored === 'string' ? stored : await fetchSecret(slot, stored.keychain);
  // Another process has replaced it meanwhile.
  if (secret === null) return readSecret(slot);
  const mode = readVariable('LOCUS_KEYCHAIN');
  if (isInKeychain(stored) === (mode === 'off')) {
    const moved = move(slot, stored, secret);
    await (mode === 'on' ? moved : moved.catch(ignoring('move-secret')));
  }
  return secret;
}

/**
 * Stores a secret; null removes it.
 * @param options.replace false to keep what is stored already; true by default
 * @throws LocusError `bad-store`
 */
export async function writeSecret(
  slot: SecretSlot,
  secret: string | null,
  { replace = true } = {},
): Promise<void> {
  const next = secret === null ? null : await place(slot, secret, true);
  await swap(slot, next, secret, (found) => replace || found === null);
}

/** Runs `work`, which replaces files with secrets in a data directory, while no other process does. */
export function whileLocked<T>(folder: string, work: () => T): T {
  try {
    makeFolder(folder);
    using lock = new FileLock(join(folder, 'secrets.lock'), { waitMs: LOCK_MS });
    if (lock.acquire()) return work();
  } catch (error) {
    if (error instanceof LocusError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new LocusError(
      'bad-store',
      `Secrets cannot be stored in ${folder} (${code}).`,
      'Check the folder’s permissions and free space.',
      { cause: error },
    );
  }
  throw new LocusError('busy', 'Another process is storing a secret.', 'Try again.');
}

/** Returns why the keychain is not used; null if it is. */
export async function findObstacle(): Promise<string | null> {
  if (readVariable('LOCUS_KEYCHAIN') === 'off') return 'LOCUS_KEYCHAIN is off.';
  try {
    await reachKeychain();
    return null;
  } catch (error) {
    if (error instanceof KeychainFailure) return error.message;
    throw error;
  }
}

/** Returns null if the slot no longer names this entry. */
async function fetchSecret(slot: SecretSlot, account: string): Promise<string | null> {
  const isOurs = account.startsWith(`${slot.name} `);
  const found = isOurs ? await getEntry(account).catch(explain) : null;
  if (typeof found === 'string') return found;
  if (!isDeepStrictEqual(slot.read(), { keychain: account })) return null;
  throw new LocusError(
    'bad-store',
    `The ${slot.name} is in the system’s keychain. ${found?.reason ?? 'It has no such entry.'}`,
    `Unlock the keychain, run Locus where it can be used, or ${slot.remedy}.`,
  );
}

const explain = (error: Error) => ({ reason: error.message });

async function move(slot: SecretSlot, stored: StoredSecret, secret: string): Promise<void> {
  const next = await place(slot, secret, false);
  if (isInKeychain(next) !== isInKeychain(stored))
    await swap(slot, next, secret, (found) => isDeepStrictEqual(found, stored));
}

/** Puts a secret into a new entry of the keychain, unless it belongs into the file. */
async function place(slot: SecretSlot, secret: string, isUrgent: boolean): Promise<StoredSecret> {
  const mode = readVariable('LOCUS_KEYCHAIN');
  if (mode === 'off') return secret;
  const account = `${slot.name} ${randomUUID()}`;
  try {
    await setEntry(account, secret, isUrgent);
    return { keychain: account };
  } catch (error) {
    if (mode === 'auto') {
      ignoring('use-keychain')(error);
      return secret;
    }
    throw new LocusError(
      'bad-store',
      `The ${slot.name} cannot be stored in the system’s keychain. ${(error as Error).message}`,
      'Unlock or start the keychain, or unset LOCUS_KEYCHAIN to store it in a file.',
      { cause: error },
    );
  }
}

/** Replaces what a slot has if it is as expected, and removes the entry of the keychain that is not used then. */
async function swap(
  slot: SecretSlot,
  next: StoredSecret | null,
  secret: string | null,
  isExpected: (found: StoredSecret | null) => boolean,
): Promise<void> {
  let before: StoredSecret | null = null;
  try {
    whileLocked(slot.folder, () => {
      before = slot.read();
      if (isExpected(before)) slot.write(next, secret);
    });
  } finally {
    for (const stored of [before, next])
      await discard(slot, stored).catch(ignoring('remove-secret'));
  }
}

/** Removes an entry from the keychain, unless the slot names it. */
async function discard(slot: SecretSlot, stored: StoredSecret | null): Promise<void> {
  if (stored === null || typeof stored === 'string') return;
  if (isDeepStrictEqual(slot.read(), stored)) return;
  await deleteEntry(stored.keychain);
}
