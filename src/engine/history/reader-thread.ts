import { Worker } from 'node:worker_threads';
import { GitFailure } from '../../base/git/git.ts';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import { cancelled } from '../../shared/errors.ts';
import type { Commit } from './types.ts';
import type { GitNotice, HistoryMethods } from './worker.ts';

/** Megabytes of heap for the thread; what it holds of a diff is bounded. */
const HEAP = 256;

/** Those at work: a thread that is ended, by its memory or with the process, leaves behind the git that it has started. */
const threads = new Set<ReaderThread>();
process.on('exit', () => {
  for (const thread of threads) thread.endGits();
});

/** A thread that reads commits, so that neither calls nor searches wait for git's output, nor git for them. */
export class ReaderThread {
  readonly #client: WorkerClient<HistoryMethods>;
  /** The ids of the processes that it runs. One that starts while this process ends is not among them, and ends when it writes. */
  readonly gits = new Set<number>();

  constructor() {
    threads.add(this);
    const thread = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'history',
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: HEAP },
    });
    this.#client = new WorkerClient(linkThread(thread), {
      explainEnd,
      onNotice: ({ pid, runs }: GitNotice) => {
        if (runs) this.gits.add(pid);
        else this.gits.delete(pid);
      },
    });
    thread.once('exit', () => {
      threads.delete(this);
      this.endGits();
    });
  }

  /** As `readCommits`. Rejects with `GitFailure` when the thread ends, too. */
  async *read(
    root: string,
    hashes: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<Commit[]> {
    const params = { root, hashes };
    const failure = yield* this.#client.stream('read', params, { signal, name: 'Indexing' });
    if (failure) throw new GitFailure(failure.message, failure.remedy, failure.exitCode);
  }

  async close(): Promise<void> {
    await this.#client.close(cancelled('Reading the history'));
  }

  endGits(): void {
    for (const pid of this.gits)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone.
      }
    this.gits.clear();
  }
}

function explainEnd(reason: Error): GitFailure {
  return new GitFailure(
    `The history could not be read: ${reason.message}.`,
    'Index the repository again. It continues where it stopped.',
    -1,
  );
}
