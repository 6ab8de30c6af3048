import { setImmediate as turn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { PriorityGate } from '../../base/priority-gate.ts';
import type { Stepwise } from './stepwise.ts';

const SLICE_MS = 15;

/**
 * Splits long synchronous work into slices, so that a search on the same thread need not wait for all of it.
 * Await `yieldIfDue()` between units of work.
 */
export class Pacer {
  readonly #signal: AbortSignal | undefined;
  readonly #yieldsTo: PriorityGate | undefined;
  #sliceStart = performance.now();

  /** @param yieldsTo more important work; this work pauses until it has ended */
  constructor(signal?: AbortSignal, yieldsTo?: PriorityGate) {
    this.#signal = signal;
    this.#yieldsTo = yieldsTo;
  }

  /**
   * Runs work to its end, and lets other work run at its pauses.
   * @throws LocusError `cancelled`, and errors of the work
   */
  async run<T>(work: Stepwise<T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.yieldIfDue();
    }
  }

  /**
   * Lets other work run if the current slice is over.
   * @throws LocusError `cancelled` if the signal is aborted
   */
  async yieldIfDue(): Promise<void> {
    throwIfCancelled(this.#signal, 'Indexing');
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await turn();
    await this.#yieldsTo?.waitUntilFree(this.#signal);
    this.#sliceStart = performance.now();
    throwIfCancelled(this.#signal, 'Indexing');
  }
}
