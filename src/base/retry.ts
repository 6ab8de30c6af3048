/** Retries failed work, with increasing delays. */
import { pause, throwIfCancelled } from './cancel.ts';

/** Function that returns the delay in milliseconds after `failures` consecutive failures (at least 1), the last of which is `error`. */
export type RetryDelays = (failures: number, error: unknown) => number;

/** Returns delays that double. Each is up to 25 % longer at random, so that not all clients retry at the same moment. */
export function doublingDelays(firstMs: number, maxMs = Number.POSITIVE_INFINITY): RetryDelays {
  return (failures) => Math.min(firstMs * 2 ** (failures - 1), maxMs) * (1 + Math.random() / 4);
}

/** Returns delays from a list. The last one applies to all further failures. */
export function listedDelays(list: readonly [number, ...number[]]): RetryDelays {
  return (failures) => list[Math.min(failures, list.length) - 1] ?? list[0];
}

export interface RetryOptions {
  attempts: number;
  delays: RetryDelays;
  signal?: AbortSignal | undefined;
  /** Name of the work in the error of a cancellation, such as "The transfer". */
  name: string;
  shouldRetry: (error: unknown) => boolean;
}

/**
 * Returns the result of the first attempt that succeeds.
 * @throws LocusError `cancelled`, or the error of the last attempt
 */
export async function retry<T>(
  work: () => Promise<T>,
  { attempts, delays, signal, name, shouldRetry }: RetryOptions,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    throwIfCancelled(signal, name);
    try {
      return await work();
    } catch (error) {
      throwIfCancelled(signal, name);
      if (failures >= attempts || !shouldRetry(error)) throw error;
      await pause(delays(failures, error), signal, name);
    }
  }
}

/** Schedules retries of work whose failures are reported elsewhere. */
export class RetryTimer {
  readonly #delays: RetryDelays;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(delays: RetryDelays) {
    this.#delays = delays;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure and runs `start` after its delay. Replaces an earlier schedule. */
  schedule(start: () => void, error?: unknown): NodeJS.Timeout {
    this.stop();
    this.#timer = setTimeout(start, this.#delays(++this.#failures, error));
    return this.#timer;
  }

  reset(): void {
    this.#failures = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
