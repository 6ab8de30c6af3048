import type { Stats } from 'node:fs';

/** Milliseconds after a change in which another one may leave the same time stamp, on the coarsest file systems. */
const COARSEST_CLOCK = 2000;

/** Remembers the hashes of files that were read, for as long as their time stamps say that nothing changed. */
export class HashMemory {
  readonly #known = new Map<string, { stamp: string; hash: string }>();

  /** `stat` was taken before the content was read, at `readAt` (milliseconds since 1970). */
  remember(path: string, stat: Stats, readAt: number, hash: string): void {
    // What changed just now may change again unnoticed.
    const settled = readAt - Math.max(stat.mtimeMs, stat.ctimeMs) > COARSEST_CLOCK;
    if (settled) this.#known.set(path, { stamp: stampOf(stat), hash });
    else this.#known.delete(path);
  }

  /** The hash of a file that has this status now, or null. */
  recall(path: string, stat: Stats): string | null {
    const known = this.#known.get(path);
    return known && known.stamp === stampOf(stat) ? known.hash : null;
  }
}

function stampOf(stat: Stats): string {
  return `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`;
}
