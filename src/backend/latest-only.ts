import { cancelled } from '../shared/errors.ts';

interface Waiting {
  task: (superseded: AbortSignal) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * A latest-only queue: of the tasks it is given one runs and one waits at most, the latest; all others are `cancelled`.
 */
export class LatestOnly {
  #waiting: Waiting | null = null;
  #busy = false;
  /** Of the task that runs. */
  #running: AbortController | null = null;

  /**
   * @param task is told by the signal that a newer one has come, and may stop then.
   * @throws LocusError `cancelled` (as rejection) when a newer task came before this one was done.
   */
  run<T>(task: (superseded: AbortSignal) => Promise<T>): Promise<T> {
    this.#waiting?.reject(superseded());
    this.#running?.abort();
    return new Promise<T>((resolve, reject) => {
      this.#waiting = { task, resolve, reject };
      if (!this.#busy) this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#waiting) {
      // Newer tasks that have arrived already take its place before it costs anything.
      await new Promise((turn) => setImmediate(turn));
      const { task, resolve, reject } = this.#waiting;
      this.#waiting = null;
      this.#running = new AbortController();
      try {
        const result = await task(this.#running.signal);
        if (this.#waiting) reject(superseded());
        else resolve(result as never);
      } catch (error) {
        reject(error as Error);
      }
    }
    this.#busy = false;
    this.#running = null;
  }
}

const superseded = () => cancelled('The search', 'Wait for the newer one.');
