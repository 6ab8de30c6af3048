/** Cancellation: how work stops when its signal aborts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelled } from '../shared/errors.ts';

/**
 * Stops work whose signal has aborted.
 * @param work what is going on, as "Reading the list"
 * @throws LocusError `cancelled`
 */
export function throwIfCancelled(signal: AbortSignal | undefined, work: string): void {
  if (signal?.aborted) throw cancelled(work);
}

/**
 * Waits for a promise, or for the signal, whichever is first. An operation of the system that never returns, as on a network drive that
 * does not answer, keeps its thread; whoever asked for it goes on.
 * @param discard is given the value if it arrives after the signal, so that it can be closed.
 * @throws LocusError `cancelled`
 */
export async function untilCancelled<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  work: string,
  discard: (late: T) => void = () => {},
): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => {
    // The caller has left.
    promise.then(discard, () => {});
    reject(cancelled(work));
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Waits for so many milliseconds.
 * @param work what waits, as "The transfer"
 * @throws LocusError `cancelled`
 */
export async function pause(
  ms: number,
  signal: AbortSignal | undefined,
  work: string,
): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw cancelled(work);
  });
}
