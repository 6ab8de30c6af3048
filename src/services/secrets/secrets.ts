/**
 * Stores secrets for the user. A secret's owner has a file that holds either the secret or the name of its keychain entry. So the file
 * alone says where the secret is, and replacing the file by a rename is atomic.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { readVariable } from '../../base/environment.ts';
import { FileLock } from '../../base/file-lock.ts';
import { ignoring } from '../../base/log.ts';
import { createFolder } from '../../base/private.ts';
import { LocusError } from '../../shared/errors.ts';
import { deleteEntry, getEntry, KeychainFailure, reachKeychain, setEntry } from './keychain.ts';

/** A secret itself, or the name of its entry in the keychain. */
export const storedSecret = z.union([z.string(), z.object({ keychain: z.string().max(1_000) })]);
export type StoredSecret = z.output<typeof storedSecret>;

/** Slot of one secret in a file of its owner. `read` and `write` are synchronous. */
export interface SecretSlot {
  /** Data directory. */
  folder: string;
  /** Name such as “token for https://milvus.example.org”. A keychain entry is only used under the name that it was created for. */
  name: string;
  /** Remedy if the keychain cannot be used, as the end of a sentence. */
  remedy: string;
  read(): StoredSecret | null;
  /** Replaces the file. @param secret value of the secret, wherever it is stored */
  write(stored: StoredSecret | null, secret: string | null): void;
}

/** Milliseconds to wait for another process that is replacing a secret. */
const LOCK_MS = 2_000;

const isInKeychain = (stored: StoredSecret | null) => typeof stored === 'object' && stored !== null;

/**
 * Returns a secret; null if none is stored. Moves it to the file or keychain if LOCUS_KEYCHAIN asks for that.
 * @throws LocusError `bad-store` if it is in a keychain that cannot be used
 */
export async function readSecret(slot: SecretSlot): Promise<string | null> {
  const stored = slot.read();
  if (stored === null) return null;
  const secret = typeof stored === 'string' ? stored : await fetchSecret(slot, stored.keychain);
  // Another process has replaced it in the meantime.
  if (secret === null) return readSecret(slot);
  const mode = readVariable('LOCUS_KEYCHAIN');
  if (isInKeychain(stored) === (mode === 'off')) {
    const moved = moveSecret(slot, stored, secret);
    await (mode === 'on' ? moved : moved.catch(ignoring('move-secret')));
  }
  return secret;
}

/**
 * Stores a secret; null removes it.
 * @param options.replace false to keep a secret that is already stored; true by default
 * @throws LocusError `bad-store`
 */
export async function writeSecret(
  slot: SecretSlot,
  secret: string | null,
  { replace = true } = {},
): Promise<void> {
  const next = secret === null ? null : await putSecret(slot, secret, true);
  await replaceStored(slot, next, secret, (found) => replace || found === null);
}

/** Runs a task that replaces secrets in a data directory, under a lock. */
export function withSecretsLock<T>(folder: string, task: () => T): T {
  try {
    createFolder(folder);
    using lock = new FileLock(join(folder, 'secrets.lock'), { waitMs: LOCK_MS });
    if (lock.acquire()) return task();
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

/** Returns why the keychain is not used; null if it is used. */
export async function findKeychainObstacle(): Promise<string | null> {
  if (readVariable('LOCUS_KEYCHAIN') === 'off') return 'LOCUS_KEYCHAIN is off.';
  try {
    await reachKeychain();
    return null;
  } catch (error) {
    if (error instanceof KeychainFailure) return error.message;
    throw error;
  }
}

/** Reads a secret from the keychain. Returns null if the slot no longer names this entry. */
async function fetchSecret(slot: SecretSlot, account: string): Promise<string | null> {
  const isOurs = account.startsWith(`${slot.name} `);
  const found = isOurs ? await getEntry(account).catch(toReason) : null;
  if (typeof found === 'string') return found;
  if (!isDeepStrictEqual(slot.read(), { keychain: account })) return null;
  throw new LocusError(
    'bad-store',
    `The ${slot.name} is in the system’s keychain. ${found?.reason ?? 'It has no such entry.'}`,
    `Unlock the keychain, run Locus where it can be used, or ${slot.remedy}.`,
  );
}

const toReason = (error: Error) => ({ reason: error.message });

async function moveSecret(slot: SecretSlot, stored: StoredSecret, secret: string): Promise<void> {
  const next = await putSecret(slot, secret, false);
  if (isInKeychain(next) !== isInKeychain(stored))
    await replaceStored(slot, next, secret, (found) => isDeepStrictEqual(found, stored));
}

/** Stores a secret in a new keychain entry. Returns the secret itself if it belongs in the file. */
async function putSecret(
  slot: SecretSlot,
  secret: string,
  isUrgent: boolean,
): Promise<StoredSecret> {
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

/** Replaces the content of a slot if it is as expected, then removes the keychain entry that is no longer used. */
async function replaceStored(
  slot: SecretSlot,
  next: StoredSecret | null,
  secret: string | null,
  isExpected: (found: StoredSecret | null) => boolean,
): Promise<void> {
  let before: StoredSecret | null = null;
  try {
    withSecretsLock(slot.folder, () => {
      before = slot.read();
      if (isExpected(before)) slot.write(next, secret);
    });
  } finally {
    for (const stored of [before, next])
      await discardEntry(slot, stored).catch(ignoring('remove-secret'));
  }
}

/** Removes a keychain entry, unless the slot names it. */
async function discardEntry(slot: SecretSlot, stored: StoredSecret | null): Promise<void> {
  if (stored === null || typeof stored === 'string') return;
  if (isDeepStrictEqual(slot.read(), stored)) return;
  await deleteEntry(stored.keychain);
}
