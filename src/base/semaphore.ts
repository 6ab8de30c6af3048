/** Limits the number of tasks that run at once. */
import { waitUnlessCancelled } from './cancel.ts';

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Runs `work` as soon as a permit is free. The permit is held until `work` has ended, even if the caller cancels earlier.
   * @param what name of the work in the error of a cancellation.
   * @throws LocusError `cancelled`
   */
  async run<T>(signal: AbortSignal | undefined, what: string, work: () => Promise<T>): Promise<T> {
    await waitUnlessCancelled(this.#acquire(), signal, what, () => this.#release());
    return waitUnlessCancelled(
      work().finally(() => this.#release()),
      signal,
      what,
    );
  }

  async #acquire(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
