/** Cancels a transfer that has stalled, even if a few bytes still arrive. */
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import { waitUnlessCancelled } from './cancel.ts';

/** Minimum number of bytes that must arrive within `STALL_MS`. It is similar to the low speed limits of curl and git. */
const MIN_BYTES = 64 * 2 ** 10;
export const STALL_MS = 60_000;

export interface StallOptions {
  /** Name of the other side in the error, such as "example.com". */
  source: string;
  code: LocusErrorCode;
  signal?: AbortSignal | undefined;
  /** Milliseconds; `STALL_MS` by default. */
  stallMs?: number | undefined;
}

/**
 * Runs a transfer, which calls `moved` with the number of bytes that arrived and should stop when its signal aborts. If it doesn't stop,
 * it is abandoned.
 * @throws LocusError with `code` if fewer than 64 KiB arrived within `stallMs`; `cancelled` if the caller's signal aborts.
 */
export async function runUnlessStalled<T>(
  { source, code, signal, stallMs = STALL_MS }: StallOptions,
  work: (signal: AbortSignal, addBytes: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController();
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < MIN_BYTES) stalled.abort();
    bytes = 0;
  }, stallMs);
  const both = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const addBytes = (more: number) => {
    bytes += more;
  };
  try {
    return await waitUnlessCancelled(work(both, addBytes), both, `The transfer from ${source}`);
  } catch (error) {
    if (!stalled.signal.aborted || signal?.aborted) throw error;
    throw new LocusError(
      code,
      `${source} has stopped responding.`,
      'Check the network and the address, then try again.',
      { cause: error },
    );
  } finally {
    clearInterval(timer);
  }
}
