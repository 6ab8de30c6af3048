import { cancelled } from '../shared/errors.ts';

interface WaitingTask {
  task: (superseded: AbortSignal) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * Queue that runs one task and keeps at most one waiting: the latest. All others are `cancelled`.
 */
export class LatestOnly {
  #waiting: WaitingTask | null = null;
  #isRunning = false;
  /** Controller of the running task. */
  #controller: AbortController | null = null;

  /**
   * @param task its signal is aborted when a newer task arrives, so that it can stop
   * @throws LocusError `cancelled` (as rejection) if a newer task arrived before this one was done
   */
  run<T>(task: (superseded: AbortSignal) => Promise<T>): Promise<T> {
    this.#waiting?.reject(superseded());
    this.#controller?.abort();
    return new Promise<T>((resolve, reject) => {
      this.#waiting = { task, resolve, reject };
      if (!this.#isRunning) this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting) {
      // Let tasks that have already arrived replace the waiting one before it starts.
      await new Promise((turn) => setImmediate(turn));
      const { task, resolve, reject } = this.#waiting;
      this.#waiting = null;
      this.#controller = new AbortController();
      try {
        const result = await task(this.#controller.signal);
        if (this.#waiting) reject(superseded());
        else resolve(result as never);
      } catch (error) {
        reject(error as Error);
      }
    }
    this.#isRunning = false;
    this.#controller = null;
  }
}

const superseded = () => cancelled('The search', 'Wait for the newer one.');
