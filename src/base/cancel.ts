/** Cancels work when its signal aborts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelled } from '../shared/errors.ts';

/**
 * Throws if the signal has aborted.
 * @param work name of the work, such as "Reading the list".
 * @throws LocusError `cancelled`
 */
export function throwIfCancelled(signal: AbortSignal | undefined, work: string): void {
  if (signal?.aborted) throw cancelled(work);
}

/**
 * Waits for a promise or for the signal, whichever is first. A system call that never returns, as on a network drive that doesn't
 * respond, keeps its thread, but the caller continues.
 * @param discard called with the value if it arrives after the signal, so that it can be closed.
 * @throws LocusError `cancelled`
 */
export async function waitUnlessCancelled<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  work: string,
  discard: (late: T) => void = () => {},
): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => {
    // The caller no longer waits for the value.
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
 * Waits for some milliseconds.
 * @param work name of the work that waits, such as "The transfer".
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
