/** A process or thread that uses the system's keychain for the one that started it. Calls of the library block it, perhaps for ever. */
import { isMainThread } from 'node:worker_threads';
import { processPort, serveWorker, threadPort } from '../../base/worker-server.ts';
import { LocusError } from '../../shared/errors.ts';
import { visible } from '../../shared/quoted.ts';

/** Name of Locus in the keychain. */
const SERVICE = 'Locus';
/** Otherwise the library uses the kernel's keyring where there is no Secret Service, which a restart empties. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

const load = () => import('@napi-rs/keyring');

async function openEntry(account: string) {
  const { Entry } = await load();
  return new Entry(SERVICE, account, OPTIONS);
}

const methods = {
  load: async () => {
    await load().catch((error) => {
      throw failure('Its library cannot be loaded.', error);
    });
  },
  /** Tries the keychain without a secret: no system asks its user for an entry that does not exist. */
  reach: async () => {
    try {
      (await openEntry('reachable')).getSecret();
    } catch (error) {
      const [line = ''] = String((error as Error).message).split('\n');
      throw failure(`It cannot be reached (${visible(line.slice(0, 200))}).`, error);
    }
  },
  get: async ({ account }: { account: string }) => {
    const bytes = (await openEntry(account)).getSecret();
    return bytes && Buffer.from(bytes).toString('utf8');
  },
  /** Returns when the keychain has answered with the same secret. */
  set: async ({ account, secret }: { account: string; secret: string }) => {
    const entry = await openEntry(account);
    // As bytes: Windows has room for 2560, and stores text with two for each character.
    entry.setSecret(Buffer.from(secret));
    if (Buffer.from(entry.getSecret() ?? []).toString('utf8') !== secret)
      throw failure('It did not keep the secret.');
  },
  delete: async ({ account }: { account: string }) => {
    (await openEntry(account)).deleteCredential();
  },
};

export type KeychainMethods = typeof methods;

const failure = (message: string, cause?: unknown): LocusError =>
  new LocusError('bad-store', message, 'Unlock the keychain.', { cause });

serveWorker(isMainThread ? processPort() : threadPort(), methods, {
  // The library's words may quote a secret.
  explain: (error) =>
    error instanceof LocusError ? error : failure('It is locked, or refused the request.'),
});
if (isMainThread) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
