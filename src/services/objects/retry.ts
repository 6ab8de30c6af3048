/** Once more, after a connection was cut. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LocusError } from '../../shared/errors.ts';
import { throwIfStopped } from './objects.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 200;

/**
 * What `work` returns, which is tried again after failures that are none of Locus' own words.
 * @throws LocusError as `work` does, at once, and `cancelled`; after the last attempt, what it threw.
 */
export async function withRetries<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    throwIfStopped(signal);
    try {
      return await work();
    } catch (error) {
      throwIfStopped(signal);
      if (error instanceof LocusError || attempt === ATTEMPTS) throw error;
    }
    // Not all clients at the same moment.
    const wait = FIRST_WAIT_MS * 2 ** (attempt - 1) * (1 + Math.random() / 4);
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}
