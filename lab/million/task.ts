/**
 * Runs work in a separate process, so that its memory and processor time can be measured. A script of this folder handles the
 * question with `answer`; `ask` starts it.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../../src/shared/small-heaps.ts';

/** Starts a script of this folder in a process like that of a window's engine, and returns its answer. */
export function runTask(script: string, question: object): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, [JSON.stringify(question)], {
    execArgv: [...SMALL_HEAP_FLAGS],
    env: { ...SMALL_ARENA_VARIABLES, ...process.env },
  });
  return new Promise((done, failed) => {
    child.once('message', done);
    child.once('error', failed);
    child.once('exit', (code, signal) =>
      failed(new Error(`${script} exited with ${code ?? signal}.`)),
    );
  });
}

/** Answers the question in the started process, and ends the process. */
export async function answerTask(work: (question: string) => Promise<object>): Promise<void> {
  const made = await work(process.argv[2] ?? '');
  process.send?.(made, () => process.exit(0));
}

/** Returns the peak memory of this process in MiB. */
export const peakMemory = (): number => process.resourceUsage().maxRSS / 1024;

/** Returns the processor time of all threads of this process in seconds, without its children. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
