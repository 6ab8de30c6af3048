import { setImmediate as turn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { RightOfWay } from '../../base/right-of-way.ts';
import type { Stepwise } from './stepwise.ts';

const SLICE_MS = 15;

/**
 * Splits long synchronous work into slices, so that a search on the same thread need not wait for all of it.
 * Await `yieldIfDue()` between units of work; it throws when the signal was aborted.
 */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  readonly #yieldsTo: RightOfWay | undefined;
  #sliceStart = performance.now();

  /** @param yieldsTo what the work rests for, not only between slices */
  constructor(signal?: AbortSignal, yieldsTo?: RightOfWay) {
    this.#signal = signal;
    this.#yieldsTo = yieldsTo;
  }

  /**
   * Runs work to its end, breathing wherever it pauses.
   * @throws LocusError `cancelled`, and what the work throws
   */
  async run<T>(work: Stepwise<T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.yieldIfDue();
    }
  }

  /** @throws LocusError `cancelled`. */
  async yieldIfDue(): Promise<void> {
    throwIfCancelled(this.#signal, 'Indexing');
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await turn();
    await this.#yieldsTo?.free(this.#signal);
    this.#sliceStart = performance.now();
    throwIfCancelled(this.#signal, 'Indexing');
  }
}
