/**
 * Work in a process of its own, so that memory and processor time are its own: a file of this folder that answers what it is
 * asked by `answer`, and is asked by `ask`.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SMALL_ARENA_VARIABLES, SMALL_HEAP_FLAGS } from '../../src/shared/small-heaps.ts';

/** Asks, in a process as a window's engine is one, the script next to this file; it ends with its answer. */
export function ask(script: string, question: object): Promise<unknown> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, [JSON.stringify(question)], {
    execArgv: [...SMALL_HEAP_FLAGS],
    env: { ...SMALL_ARENA_VARIABLES, ...process.env },
  });
  return new Promise((done, failed) => {
    child.once('message', done);
    child.once('error', failed);
    child.once('exit', (code, signal) =>
      failed(new Error(`${script} ended with ${code ?? signal}`)),
    );
  });
}

/** Answers, in the process that was asked, and ends it. */
export async function answer(work: (question: string) => Promise<object>): Promise<void> {
  const made = await work(process.argv[2] ?? '');
  process.send?.(made, () => process.exit(0));
}

/** MiB. */
export const peakMemory = (): number => process.resourceUsage().maxRSS / 1024;

/** Seconds of all threads of this process, without its children. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
