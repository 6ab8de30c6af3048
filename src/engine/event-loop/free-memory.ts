import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's options for a collection that returns every free page at once; other collections keep them for ten seconds. */
const LAST_RESORT = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

let collect: ((options: typeof LAST_RESORT) => void) | null = null;

/**
 * Returns memory to the system after large work. Takes two milliseconds for each MB that stays in use. V8 itself collects
 * only when its heap grows, but the next work may need little heap and much other memory.
 */
export function freeMemory(): void {
  collect ??= createCollector();
  collect(LAST_RESORT);
}

/** Returns V8's `gc`. Only contexts created after setting the flag have it. Returns a no-op if the engine has none. */
function createCollector(): (options: typeof LAST_RESORT) => void {
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  return typeof found === 'function' ? (options) => found(options) : () => {};
}
