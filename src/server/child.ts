/** Processes of Locus, started by others of it. They exchange messages and end with the channel between them. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from '../backend/messages.ts';
import type { SessionOptions } from '../backend/session.ts';
import type { EngineProcess } from '../backend/supervisor.ts';
import { SMALL_ARENAS, SMALL_HEAPS } from '../shared/small-heaps.ts';

export interface ForkedChild<Sent, Received> extends EngineProcess {
  pid: number | undefined;
  /** `sent` is called when the message has left this process, or cannot. */
  send(message: Sent, sent?: () => void): void;
  onMessage(listener: (message: Received) => void): void;
}

/** Starts a script as a child process with small heaps. A message `stop` asks it to end. */
export function forkChild<Sent extends { type: string }, Received>(
  script: string,
  args: readonly string[] = [],
): ForkedChild<Sent | { type: 'stop' }, Received> {
  const child = fork(script, args, {
    execArgv: [...SMALL_HEAPS, ...process.execArgv],
    env: { ...SMALL_ARENAS, ...process.env },
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
      // Without memory or a free process number there is no exit to follow.
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
