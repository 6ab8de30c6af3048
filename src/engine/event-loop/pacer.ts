import { setImmediate as turn } from 'node:timers/promises';
import { LocusError } from '../../shared/errors.ts';
import type { RightOfWay } from './right-of-way.ts';
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
    throwIfCancelled(this.#signal);
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await turn();
    await this.#yieldsTo?.free(this.#signal);
    this.#sliceStart = performance.now();
    throwIfCancelled(this.#signal);
  }
}

/** @throws LocusError `cancelled` when the signal of a search was aborted. */
export function throwIfSearchCancelled(signal?: AbortSignal): void {
  if (signal?.aborted) {
    throw new LocusError('cancelled', 'the search was cancelled', 'search again');
  }
}

/** @throws LocusError `cancelled` when the signal was aborted. What is stored by then stays. */
export function throwIfCancelled(signal?: AbortSignal): void {
  if (signal?.aborted) {
    throw new LocusError(
      'cancelled',
      'indexing was cancelled',
      'start it again: it goes on where it stopped',
    );
  }
}
