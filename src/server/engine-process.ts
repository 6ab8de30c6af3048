import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from '../backend/messages.ts';
import type { SessionOptions } from '../backend/session.ts';
import type { EngineProcess } from '../backend/supervisor.ts';
import { SMALL_ARENAS, SMALL_HEAPS } from '../shared/small-heaps.ts';

const ENTRY = fileURLToPath(new URL('../backend/node.ts', import.meta.url));

/** The engine as a child process. */
export interface ForkedEngine extends EngineProcess {
  pid: number | undefined;
  /** `sent` is called when the message has left this process, or cannot. */
  send(message: ToEngine, sent?: () => void): void;
  onMessage(listener: (message: FromEngine) => void): void;
}

export function forkEngine(options: SessionOptions): ForkedEngine {
  const child = fork(ENTRY, [JSON.stringify(options)], {
    execArgv: [...SMALL_HEAPS, ...process.execArgv],
    env: { ...SMALL_ARENAS, ...process.env },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const send = (message: ToEngine, sent?: () => void) => {
    if (child.connected) child.send(message, () => sent?.());
    else sent?.();
  };
  return {
    pid: child.pid,
    send,
    onMessage: (listener) => child.on('message', listener as (message: unknown) => void),
    onExit: (listener) => {
      child.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
    },
    stop: () => send({ type: 'stop' }),
    kill: () => child.kill('SIGKILL'),
  };
}
