/** The operating system's keychain: Keychain on macOS, Credential Manager on Windows, a Secret Service on Linux. */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { linkProcess, linkThread, WorkerClient } from '../../base/worker-client.ts';
import { isCancelled } from '../../shared/errors.ts';
import type { KeychainMethods } from './keychain-server.ts';

/** Milliseconds to start a process with the library, which a busy machine may need. */
const LOAD_MS = 20_000;
/** Milliseconds to reach the keychain. */
const REACH_MS = 5_000;
/** Milliseconds for one secret: the system may ask its user to unlock the keychain. */
const UNLOCK_MS = 20_000;
/** Milliseconds for what can also be done later. */
const BRIEF_MS = 3_000;

/** Milliseconds until a keychain that was missing or hung is tried again: a window stays open while its user unlocks it. */
const RETRY_MS = 60_000;

/** Says in one sentence why the keychain did not answer, and quotes no secret. */
export class KeychainFailure extends Error {}

/** The reason why the keychain is not tried, and until when. */
let obstacle: { failure: KeychainFailure; until: number } | null = null;

/** Returns the secret of an entry; null if there is no such entry. @throws KeychainFailure as all functions here */
export const getEntry = (account: string): Promise<string | null> =>
  withKeychain(UNLOCK_MS, (keychain, options) => keychain.call('get', { account }, options));

/** Resolves when the keychain has the secret. @param isUrgent false to fail quickly if the keychain is locked */
export const setEntry = (account: string, secret: string, isUrgent: boolean): Promise<void> =>
  withKeychain(isUrgent ? UNLOCK_MS : BRIEF_MS, (keychain, options) =>
    keychain.call('set', { account, secret }, options),
  );

export const deleteEntry = (account: string): Promise<void> =>
  withKeychain(BRIEF_MS, (keychain, options) => keychain.call('delete', { account }, options));

/** Tries the keychain. */
export const reachKeychain = (): Promise<void> => withKeychain(BRIEF_MS, async () => {});

/**
 * Reaches the keychain in a process of its own, where a call that hangs is left behind, and runs `work` with it.
 * @throws KeychainFailure at once if the use before found that the keychain is missing or hangs
 */
async function withKeychain<T>(
  patienceMs: number,
  work: (keychain: WorkerClient<KeychainMethods>, options: { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (isWithoutSession()) throw new KeychainFailure('There is no D-Bus session here.');
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
    return await work(keychain, within(patienceMs));
  } catch (error) {
    const hangs = isCancelled(error);
    const { message } = error as Error;
    const text = hangs ? `It did not answer within ${Math.ceil(ms / 1000)} seconds.` : message;
    const failure = new KeychainFailure(text, { cause: error });
    if (hangs || !isReached) obstacle = { failure, until: performance.now() + RETRY_MS };
    throw failure;
  } finally {
    keychain.leaveBehind(ended());
  }
}

/** Returns true if Linux has no way to a Secret Service. Nothing is loaded or started to find out. */
function isWithoutSession({ env, platform } = process): boolean {
  if (platform !== 'linux' || env.DBUS_SESSION_BUS_ADDRESS) return false;
  return !env.XDG_RUNTIME_DIR || !existsSync(join(env.XDG_RUNTIME_DIR, 'bus'));
}

/** The desktop app cannot start Node, and ends its engine's process with the threads that hang. */
function start(): WorkerClient<KeychainMethods> {
  const script = new URL('./keychain-server.ts', import.meta.url);
  if (process.versions.electron !== undefined)
    return new WorkerClient(linkThread(new Worker(script)), { explainEnd: ended });
  const child = fork(fileURLToPath(script), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A child that hangs does not notice that its parent has ended.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return new WorkerClient(linkProcess(child), { explainEnd: ended });
}

const ended = () => new KeychainFailure('The process that uses it ended.');
