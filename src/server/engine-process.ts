import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from '../backend/messages.ts';
import type { SessionOptions } from '../backend/session.ts';
import type { EngineProcess } from '../backend/supervisor.ts';

const ENTRY = fileURLToPath(new URL('../backend/node.ts', import.meta.url));

/** The engine as a child process. */
export interface ForkedEngine extends EngineProcess {
  pid: number | undefined;
  /** `sent` is called when the message has left this process, or cannot. */
  send(message: ToEngine, sent?: () => void): void;
  onMessage(listener: (message: FromEngine) => void): void;
}

/**
 * The engine does with a third less memory: V8's young generation, of which each thread has one, may grow to three times 16 MiB
 * in place of 32, and glibc has two arenas in place of eight a processor, and gives blocks back that are freed. Other C libraries do not know
 * these variables. docs/measurements.md has what they save and cost.
 */
const SMALL_HEAPS = ['--max-semi-space-size=16'];
const SMALL_ARENAS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

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
