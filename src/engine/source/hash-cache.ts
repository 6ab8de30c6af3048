import type { Stats } from 'node:fs';
import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { readSections, writeSections } from '../columns/section-file.ts';
import { packStrings, type StringColumns, StringTable } from '../columns/string-table.ts';

/** Time after a change in which another change may leave the same time stamp, on the coarsest file systems. */
const MAX_CLOCK_STEP_MS = 2000;

/** Format version, to be changed with the meaning of the columns. */
const FORMAT = 'hashes 2';
const STAMP_FIELDS = 4;
const HASH_BYTES = 20;

/** Status fields that tell whether a file's content changed. */
type Stamp = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/** Columns as stored in a file. */
interface HashColumns {
  paths: StringColumns;
  hashes: Uint8Array;
  /** The four numbers of `Stamp`, file by file. */
  stamps: Float64Array;
}

/**
 * Caches the hashes of files while their time stamps stay the same, as git does in its index. The cache is saved in a file,
 * so that the next process need not read all files again.
 */
export class HashCache {
  #hashes = new Map<string, Stamp & { hash: string }>();
  #changed = false;

  /** True if the cache differs from the file that it was read from or written to. */
  get isChanged(): boolean {
    return this.#changed;
  }

  /** Stores a hash. `stat` was taken before the content was read, at `readAt` (milliseconds since 1970). */
  store(path: string, stat: Stats, readAt: number, hash: string): void {
    // A file that has just changed may change again without a new time stamp.
    const isSettled = readAt - Math.max(stat.mtimeMs, stat.ctimeMs) > MAX_CLOCK_STEP_MS;
    const { size, mtimeMs, ctimeMs, ino } = stat;
    if (isSettled) this.#hashes.set(path, { size, mtimeMs, ctimeMs, ino, hash });
    else if (!this.#hashes.delete(path)) return;
    this.#changed = true;
  }

  /** Returns the hash of a file with this current status, or null if it is not cached. */
  find(path: string, stat: Stats): string | null {
    const cached = this.#hashes.get(path);
    const isUnchanged =
      cached?.mtimeMs === stat.mtimeMs &&
      cached.size === stat.size &&
      cached.ctimeMs === stat.ctimeMs &&
      cached.ino === stat.ino;
    return isUnchanged ? cached.hash : null;
  }

  /** Removes the hashes of all other paths. */
  retainOnly(paths: readonly string[]): void {
    // Usually the paths are the same.
    if (paths.length === this.#hashes.size && paths.every((path) => this.#hashes.has(path))) return;
    const kept = new Set(paths);
    for (const path of this.#hashes.keys()) {
      if (kept.has(path)) continue;
      this.#hashes.delete(path);
      this.#changed = true;
    }
  }

  /** Replaces all hashes by those of another cache. */
  adopt(read: HashCache): void {
    this.#hashes = read.#hashes;
  }

  /** Returns the cache that was written to a file; an empty one if the file is missing or damaged. */
  static load(path: string): HashCache {
    const memory = new HashCache();
    memory.#read(path);
    return memory;
  }

  #read(path: string): void {
    try {
      const columns = readSections<HashColumns>(path, FORMAT);
      if (!columns) return;
      const hex = Buffer.from(columns.hashes).toString('hex');
      for (const [index, name] of new StringTable(columns.paths).getTexts().entries()) {
        const [size = -1, mtimeMs = -1, ctimeMs = -1, ino = -1] = columns.stamps.slice(
          STAMP_FIELDS * index,
          STAMP_FIELDS * (index + 1),
        );
        const hash = hex.slice(2 * HASH_BYTES * index, 2 * HASH_BYTES * (index + 1));
        this.#hashes.set(name, { size, mtimeMs, ctimeMs, ino, hash });
      }
    } catch {
      // The file is missing or damaged, so all files are read again.
    }
  }

  /** Writes the cache to a file, replacing it. Failures are ignored, because the cache only saves work. */
  async save(path: string): Promise<void> {
    const entries = [...this.#hashes];
    const stamps = entries.flatMap(([, one]) => [one.size, one.mtimeMs, one.ctimeMs, one.ino]);
    const columns: HashColumns = {
      paths: packStrings(entries.map(([name]) => name)),
      hashes: Buffer.from(entries.map(([, { hash }]) => hash).join(''), 'hex'),
      stamps: Float64Array.from(stamps),
    };
    // If two processes write at the same time, the checksums reveal damage.
    const unfinished = `${path}.new`;
    this.#changed = false;
    try {
      rmSync(unfinished, { force: true });
      await writeSections(unfinished, FORMAT, columns);
      await rename(unfinished, path);
    } catch {
      // The next process reads all files again.
    }
  }
}
