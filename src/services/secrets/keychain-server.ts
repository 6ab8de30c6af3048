/** Child process or thread that accesses the system's keychain for its parent. Calls of the library can block forever. */
import { isMainThread } from 'node:worker_threads';
import { createProcessPort, createThreadPort, serveWorker } from '../../base/worker-server.ts';
import { LocusError } from '../../shared/errors.ts';
import { escapeHidden } from '../../shared/quote.ts';

/** Name of Locus in the keychain. */
const SERVICE = 'Locus';
/** Without this, the library falls back to the kernel's keyring if there is no Secret Service. A restart empties that keyring. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

const load = () => import('@napi-rs/keyring');

async function openEntry(account: string) {
  const { Entry } = await load();
  return new Entry(SERVICE, account, OPTIONS);
}

const methods = {
  load: async () => {
    await load().catch((error) => {
      throw createFailure('Its library cannot be loaded.', error);
    });
  },
  /** Checks that the keychain answers, by reading an entry that does not exist. No system prompts its user for that. */
  reach: async () => {
    try {
      (await openEntry('reachable')).getSecret();
    } catch (error) {
      const [line = ''] = String((error as Error).message).split('\n');
      throw createFailure(`It cannot be reached (${escapeHidden(line.slice(0, 200))}).`, error);
    }
  },
  get: async ({ account }: { account: string }) => {
    const bytes = (await openEntry(account)).getSecret();
    return bytes && Buffer.from(bytes).toString('utf8');
  },
  /** Stores a secret. Returns when reading it back gives the same secret. */
  set: async ({ account, secret }: { account: string; secret: string }) => {
    const entry = await openEntry(account);
    // Stored as bytes: Windows has room for 2560 bytes, and would store text with two bytes for each character.
    entry.setSecret(Buffer.from(secret));
    if (Buffer.from(entry.getSecret() ?? []).toString('utf8') !== secret)
      throw createFailure('It did not store the secret.');
  },
  delete: async ({ account }: { account: string }) => {
    (await openEntry(account)).deleteCredential();
  },
};

export type KeychainMethods = typeof methods;

const createFailure = (message: string, cause?: unknown): LocusError =>
  new LocusError('bad-store', message, 'Unlock the keychain.', { cause });

serveWorker(isMainThread ? createProcessPort() : createThreadPort(), methods, {
  // The library's messages may quote a secret.
  explain: (error) =>
    error instanceof LocusError ? error : createFailure('It is locked, or rejected the request.'),
});
if (isMainThread) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
