import { Worker } from 'node:worker_threads';
import { GitFailure } from '../../base/git/git.ts';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import { cancelled } from '../../shared/errors.ts';
import type { Commit } from './types.ts';
import type { GitNotice, HistoryMethods } from './worker.ts';

/** Heap of the thread in megabytes. Its use is bounded, whatever the diff. */
const HEAP_MB = 256;

/** Running threads. A thread that ends, for lack of memory or with the process, leaves its git processes behind. */
const threads = new Set<HistoryThread>();
process.on('exit', () => {
  for (const thread of threads) thread.killGits();
});

/** A thread that reads commits, so that calls and searches do not wait for git's output, nor git for them. */
export class HistoryThread {
  readonly #client: WorkerClient<HistoryMethods>;
  /** Ids of running git processes. One that starts while this process exits is missing, but ends when it writes. */
  readonly gitPids = new Set<number>();

  constructor() {
    threads.add(this);
    const thread = new Worker(new URL('./worker.ts', import.meta.url), {
      name: 'history',
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#client = new WorkerClient(linkThread(thread), {
      explainEnd,
      onNotice: ({ pid, runs }: GitNotice) => {
        if (runs) this.gitPids.add(pid);
        else this.gitPids.delete(pid);
      },
    });
    thread.once('exit', () => {
      threads.delete(this);
      this.killGits();
    });
  }

  /** Reads commits like `readCommits`. Also rejects with `GitFailure` if the thread ends. */
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

  killGits(): void {
    for (const pid of this.gitPids)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended already.
      }
    this.gitPids.clear();
  }
}

function explainEnd(reason: Error): GitFailure {
  return new GitFailure(
    `The commit history could not be read: ${reason.message}.`,
    'Index the repository again. It continues where it stopped.',
    -1,
  );
}
