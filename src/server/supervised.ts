/**
 * The browser host in a process of its own, which is started again if it ends by itself: on the same port and with the same token, so
 * that open windows and agents go on. This process only waits, and loads nothing of the host.
 */
import { fileURLToPath } from 'node:url';
import { Supervisor } from '../backend/supervisor.ts';
import { log } from '../base/log.ts';
import { type Failure, fromWire } from '../shared/errors.ts';
import { createToken } from './access.ts';
import { type ForkedChild, forkChild } from './child.ts';
import type { ServerAddress, ServerOptions } from './server.ts';

const ENTRY = fileURLToPath(new URL('./host.ts', import.meta.url));
/** Crashes in a row after which it stays down. */
const MAX_CRASHES = 5;

export type ToHost = { type: 'serve'; options: ServerOptions } | { type: 'stop' };

export type FromHost =
  | { type: 'listening'; address: ServerAddress }
  /** The process is of no use: another start would fail in the same way. */
  | { type: 'failed'; failure: Failure };

export type ForkedHost = ForkedChild<ToHost, FromHost>;

export interface SupervisedServer extends AsyncDisposable {
  address: ServerAddress;
  /** Rejects when the host cannot be started again. */
  failed: Promise<never>;
}

/**
 * Starts the browser host and keeps it running.
 *
 * @param onRestart is given the reason why the host ended, in words.
 * @throws LocusError as `startServer` does; Error if the process ends before it listens.
 */
export async function superviseServer(
  options: ServerOptions,
  onRestart: (reason: string) => void,
  start: () => ForkedHost = () => forkChild<ToHost, FromHost>(ENTRY),
): Promise<SupervisedServer> {
  const listening = Promise.withResolvers<ServerAddress>();
  const failure = Promise.withResolvers<never>();
  // Whoever awaits `failed` is told.
  failure.promise.catch(() => {});
  let wanted = { ...options, token: createToken() };
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
        if (message.type === 'failed') return fail(fromWire(message.failure));
        hasListened = true;
        wanted = { ...wanted, port: message.address.port };
        listening.resolve(message.address);
      });
      host.send({ type: 'serve', options: wanted });
    },
    onCrash: (reason, inARow) => {
      log('process-ended', { process: 'server', reason });
      if (!hasListened) fail(new Error(`The server could not start: ${reason}.`));
      else if (inARow < MAX_CRASHES) onRestart(reason);
      else fail(new Error(`The server ended ${inARow} times in a row: ${reason}.`));
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
