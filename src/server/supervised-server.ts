/**
 * Runs the server in its own process and restarts it after a crash, with the same port and token, so that open windows and
 * agents continue. This process only waits and does not load the server's modules.
 */
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../backend/supervisor.ts';
import { log } from '../base/log.ts';
import { type Failure, fromFailure } from '../shared/errors.ts';
import { createToken } from './access.ts';
import { type ForkedChild, forkChild } from './child.ts';
import type { ServerOptions } from './options.ts';
import type { ServerAddress } from './server.ts';

const ENTRY = fileURLToPath(new URL('./host.ts', import.meta.url));
/** Crashes in a row after which the server is not restarted. */
const MAX_CRASHES = 5;

export type ToServer = { type: 'serve'; options: ServerOptions } | { type: 'stop' };

export type FromServer =
  | { type: 'listening'; address: ServerAddress }
  /** The server cannot start, and a restart would fail in the same way. */
  | { type: 'failed'; failure: Failure };

export type ForkedServer = ForkedChild<ToServer, FromServer>;

export interface SupervisedServer extends AsyncDisposable {
  address: ServerAddress;
  /** Rejects if the server cannot be restarted. */
  failed: Promise<never>;
}

/**
 * Starts the server and keeps it running.
 *
 * @param onRestart receives the reason for the crash, as text
 * @throws LocusError as `startServer`; Error if the process exits before it listens
 */
export async function superviseServer(
  options: ServerOptions,
  onRestart: (reason: string) => void,
  start: () => ForkedServer = () => forkChild<ToServer, FromServer>(ENTRY),
): Promise<SupervisedServer> {
  const listening = Promise.withResolvers<ServerAddress>();
  const failure = Promise.withResolvers<never>();
  // Whoever awaits `failed` handles it.
  failure.promise.catch(() => {});
  let startOptions = { ...options, token: createToken() };
  let hasListened = false;
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= supervisor.close();
    return closing;
  };
  const fail = (error: Error) => {
    failure.reject(error);
    close();
  };
  const supervisor = new Supervisor(start, {
    onStart: (host) => {
      host.onMessage((message) => {
        if (message.type === 'failed') return fail(fromFailure(message.failure));
        hasListened = true;
        startOptions = { ...startOptions, port: message.address.port };
        listening.resolve(message.address);
      });
      host.send({ type: 'serve', options: startOptions });
    },
    onCrash: (reason, inARow) => {
      log('process-ended', { process: 'server', reason });
      if (!hasListened) fail(new Error(`The server could not start: ${reason}.`));
      else if (inARow < MAX_CRASHES) onRestart(reason);
      else fail(new Error(`The server crashed ${inARow} times in a row: ${reason}.`));
    },
  });
  try {
    const address = await Promise.race([listening.promise, failure.promise]);
    return { address, failed: failure.promise, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
