/** Starts child processes of Locus. Parent and child exchange messages; the child exits when the channel closes. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from '../backend/messages.ts';
import type { SessionOptions } from '../backend/session.ts';
import type { SupervisedProcess } from '../backend/supervisor.ts';
import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../shared/small-heaps.ts';

export interface ForkedChild<Sent, Received> extends SupervisedProcess {
  pid: number | undefined;
  /** Sends a message. `sent` is called when it has left this process, or if it cannot be sent. */
  send(message: Sent, sent?: () => void): void;
  onMessage(listener: (message: Received) => void): void;
}

/** Starts a script as a child process with small heaps. The message `stop` asks it to exit. */
export function forkChild<Sent extends { type: string }, Received>(
  script: string,
  args: readonly string[] = [],
): ForkedChild<Sent | { type: 'stop' }, Received> {
  const child = fork(script, args, {
    execArgv: [...SMALL_HEAP_FLAGS, ...process.execArgv],
    env: { ...SMALL_ARENA_VARIABLES, ...process.env },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const send = (message: Sent | { type: 'stop' }, sent?: () => void) => {
    if (child.connected) child.send(message, () => sent?.());
    else sent?.();
  };
  return {
    pid: child.pid,
    send,
    onMessage: (listener) => child.on('message', listener as (message: unknown) => void),
    onExit: (listener) => {
      child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
      // If the process cannot start, for lack of memory or process ids, no exit event follows.
      child.on('error', ({ message }) => {
        if (child.pid === undefined) listener(message);
      });
    },
    stop: () => send({ type: 'stop' }),
    kill: () => child.kill('SIGKILL'),
  };
}

export type ForkedEngine = ForkedChild<ToEngine, FromEngine>;

const ENGINE = fileURLToPath(new URL('../backend/node.ts', import.meta.url));

export function forkEngine(options: SessionOptions): ForkedEngine {
  return forkChild<ToEngine, FromEngine>(ENGINE, [JSON.stringify(options)]);
}
