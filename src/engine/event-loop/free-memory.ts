import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What V8 calls a collection after which it keeps no page that it could give back; others keep them for ten seconds. */
const ALL_OF_IT = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

let collect: ((options: typeof ALL_OF_IT) => void) | null = null;

/**
 * Gives the memory of large work that is done back to the system; takes two milliseconds for each MB that is left. V8 collects by itself
 * only when more is asked of it, and what comes next may need little of its heap, and much beside it.
 */
export function freeMemory(): void {
  collect ??= collector();
  collect(ALL_OF_IT);
}

/** `gc` of V8, which contexts have that are made after the flag was set; an engine may give none. */
function collector(): (options: typeof ALL_OF_IT) => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? (options) => found(options) : () => {};
}
