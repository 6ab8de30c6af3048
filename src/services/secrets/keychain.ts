/** Accesses the system's keychain: Keychain on macOS, Credential Manager on Windows, a Secret Service on Linux. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { linkProcess, linkThread, WorkerClient } from '../../base/worker-client.ts';
import { isCancelled } from '../../shared/errors.ts';
import type { KeychainMethods } from './keychain-server.ts';

/** Milliseconds to start the process and load its library, which can be slow on a busy machine. */
const LOAD_MS = 20_000;
/** Milliseconds to reach the keychain. */
const REACH_MS = 5_000;
/** Milliseconds for one secret: the system may prompt the user to unlock the keychain. */
const UNLOCK_MS = 20_000;
/** Milliseconds for calls that can also be made later. */
const BRIEF_MS = 3_000;

/** Milliseconds until a missing or hanging keychain is tried again, so that a user can unlock it while a window is open. */
const RETRY_MS = 60_000;

/** Says in one sentence why the keychain failed. Never quotes a secret. */
export class KeychainFailure extends Error {}

/** Reason why the keychain is not tried now, and until when. */
let obstacle: { failure: KeychainFailure; until: number } | null = null;

/** Returns the secret of an entry; null if it is missing. @throws KeychainFailure as all functions here */
export const getEntry = (account: string): Promise<string | null> =>
  withKeychain(UNLOCK_MS, (keychain, options) => keychain.call('get', { account }, options));

/** Stores a secret. @param isUrgent false to fail quickly if the keychain is locked */
export const setEntry = (account: string, secret: string, isUrgent: boolean): Promise<void> =>
  withKeychain(isUrgent ? UNLOCK_MS : BRIEF_MS, (keychain, options) =>
    keychain.call('set', { account, secret }, options),
  );

export const deleteEntry = (account: string): Promise<void> =>
  withKeychain(BRIEF_MS, (keychain, options) => keychain.call('delete', { account }, options));

/** Checks that the keychain can be reached. */
export const reachKeychain = (): Promise<void> => withKeychain(BRIEF_MS, async () => {});

/**
 * Runs a task with the keychain in a separate process, which is left behind if a call hangs.
 * @throws KeychainFailure at once if the last attempt found that the keychain is missing or hangs
 */
async function withKeychain<T>(
  limitMs: number,
  task: (keychain: WorkerClient<KeychainMethods>, options: { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (isWithoutSession()) throw new KeychainFailure('There is no D-Bus session.');
  if (obstacle && performance.now() < obstacle.until) throw obstacle.failure;
  const keychain = start();
  let isReached = false;
  let ms = 0;
  const within = (limit: number) => {
    ms = limit;
    return { signal: AbortSignal.timeout(limit) };
  };
  try {
    await keychain.call('load', undefined, within(LOAD_MS));
    await keychain.call('reach', undefined, within(REACH_MS));
    isReached = true;
    return await task(keychain, within(limitMs));
  } catch (error) {
    const hangs = isCancelled(error);
    const { message } = error as Error;
    const text = hangs ? `It did not answer within ${Math.ceil(ms / 1000)} seconds.` : message;
    const failure = new KeychainFailure(text, { cause: error });
    if (hangs || !isReached) obstacle = { failure, until: performance.now() + RETRY_MS };
    throw failure;
  } finally {
    keychain.killWithoutWaiting(createEndedError());
  }
}

/** Returns true on Linux without a D-Bus session, and so without a Secret Service. Loads and starts nothing. */
function isWithoutSession({ env, platform } = process): boolean {
  if (platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS) return false;
  return !env.XDG_RUNTIME_DIR || !existsSync(join(env.XDG_RUNTIME_DIR, 'bus'));
}

/** Starts the keychain process. The desktop app cannot start Node, so it uses a thread, which ends with the engine's process. */
function start(): WorkerClient<KeychainMethods> {
  const script = new URL('./keychain-server.ts', import.meta.url);
  if (process.versions.electron !== undefined)
    return new WorkerClient(linkThread(new Worker(script)), { explainEnd: createEndedError });
  const child = fork(fileURLToPath(script), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A hanging child would not notice that its parent has ended.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return new WorkerClient(linkProcess(child), { explainEnd: createEndedError });
}

const createEndedError = () => new KeychainFailure('The keychain process ended unexpectedly.');
