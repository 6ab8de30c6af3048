import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { throwIfCancelled } from '../event-loop/pacer.ts';
import { GitFailure } from '../source/git.ts';
import { type FromReader, fromPlain, type ToReader } from './messages.ts';
import type { Commit } from './types.ts';

/** Megabytes of heap for the thread; what it holds of a diff is bounded. */
const HEAP = 256;

/** Those at work: a thread that is ended, by its memory or with the process, leaves behind the git that it has started. */
const threads = new Set<ReaderThread>();
process.on('exit', () => {
  for (const thread of threads) thread.endGits();
});

/** A thread that reads commits, so that neither calls nor searches wait for git's output, nor git for them. */
export class ReaderThread {
  readonly #worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'history',
    resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: HEAP },
  });
  readonly #ended: Promise<void>;
  /** The ids of the processes that it runs. One that starts while this process ends is not among them, and ends when it writes. */
  readonly gits = new Set<number>();

  constructor() {
    threads.add(this);
    this.#worker.on('message', (message: FromReader) => {
      if (message.type !== 'git') return;
      if (message.runs) this.gits.add(message.pid);
      else this.gits.delete(message.pid);
    });
    // Who reads is told; an error is followed by the exit.
    this.#worker.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        threads.delete(this);
        this.endGits();
        resolve();
      });
    });
  }

  /**
   * As `readCommits`; of one call after the other.
   * Rejects as that does, and with `GitFailure` when the thread ends.
   */
  async *read(
    root: string,
    hashes: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<Commit[]> {
    throwIfCancelled(signal);
    const given = { signal, close: ['exit'] };
    const messages = on(this.#worker, 'message', given) as AsyncIterable<[FromReader]>;
    this.#post({ type: 'read', root, hashes });
    let failure: Error | null = null;
    try {
      for await (const [message] of messages) {
        if (message.type === 'done') return;
        if (message.type === 'commits') yield message.commits;
        if (message.type !== 'failed') continue;
        failure = fromPlain(message.failure);
        break;
      }
    } catch (error) {
      throwIfCancelled(signal);
      throw ended(root, error);
    }
    throw failure ?? ended(root);
  }

  /** Ends git and the thread. */
  async close(): Promise<void> {
    this.#post({ type: 'stop' });
    await this.#ended;
  }

  /** Ends at once what the thread has started. */
  endGits(): void {
    for (const pid of this.gits) kill(pid);
    this.gits.clear();
  }

  #post(message: ToReader): void {
    this.#worker.postMessage(message);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function ended(root: string, error?: unknown): GitFailure {
  const why = error instanceof Error ? `: ${error.message}` : '';
  return new GitFailure(
    `The history of ${root} could not be read: its thread ended${why}`,
    'Index it again: it goes on where it stopped.',
    -1,
  );
}
