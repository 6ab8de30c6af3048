import { LocusError } from '../shared/errors.ts';

interface Waiting {
  task: () => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * A latest-only queue: of the tasks it is given one runs and one waits at most, the latest; all others are `cancelled`.
 */
export class LatestOnly {
  #waiting: Waiting | null = null;
  #busy = false;

  /** @throws LocusError `cancelled` (as rejection) when a newer task came before this one was done. */
  run<T>(task: () => Promise<T>): Promise<T> {
    this.#waiting?.reject(superseded());
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
      try {
        const result = await task();
        if (this.#waiting) reject(superseded());
        else resolve(result as never);
      } catch (error) {
        reject(error as Error);
      }
    }
    this.#busy = false;
  }
}

const superseded = () =>
  new LocusError('cancelled', 'a newer search took its place', 'wait for the newer one');
