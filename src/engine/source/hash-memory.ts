import type { Stats } from 'node:fs';
import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { readSections, writeSections } from '../columns/section-file.ts';
import { listOf, type StringColumns, StringTable } from '../columns/string-table.ts';

/** Milliseconds after a change in which another one may leave the same time stamp, on the coarsest file systems. */
const COARSEST_CLOCK = 2000;

/** Changes with what the columns of a file mean. */
const FORMAT = 'hashes 2';
const STAMPS = 4;
const HASH_BYTES = 20;

/** By what a change of a file's content shows. */
type Stamp = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/** As they are in a file. */
interface HashColumns {
  paths: StringColumns;
  hashes: Uint8Array;
  /** Numbers of `Stamp`, file by file. */
  stamps: Float64Array;
}

/**
 * Remembers the hashes of files that were read, for as long as their time stamps say that nothing changed; git does the same
 * in its index. Kept in a file, it spares the next process from reading all of them.
 */
export class HashMemory {
  #known = new Map<string, Stamp & { hash: string }>();
  #changed = false;

  /** Whether it knows something else than the file that it was read from, or written to. */
  get changed(): boolean {
    return this.#changed;
  }

  /** `stat` was taken before the content was read, at `readAt` (milliseconds since 1970). */
  remember(path: string, stat: Stats, readAt: number, hash: string): void {
    // What changed just now may change again unnoticed.
    const settled = readAt - Math.max(stat.mtimeMs, stat.ctimeMs) > COARSEST_CLOCK;
    const { size, mtimeMs, ctimeMs, ino } = stat;
    if (settled) this.#known.set(path, { size, mtimeMs, ctimeMs, ino, hash });
    else if (!this.#known.delete(path)) return;
    this.#changed = true;
  }

  /** The hash of a file that has this status now, or null. */
  recall(path: string, stat: Stats): string | null {
    const known = this.#known.get(path);
    const isAsItWas =
      known?.mtimeMs === stat.mtimeMs &&
      known.size === stat.size &&
      known.ctimeMs === stat.ctimeMs &&
      known.ino === stat.ino;
    return isAsItWas ? known.hash : null;
  }

  keepOnly(paths: readonly string[]): void {
    // Mostly they are the same.
    if (paths.length === this.#known.size && paths.every((path) => this.#known.has(path))) return;
    const kept = new Set(paths);
    for (const path of this.#known.keys()) {
      if (kept.has(path)) continue;
      this.#known.delete(path);
      this.#changed = true;
    }
  }

  /** Takes what another one read, for all that it knows. */
  adopt(read: HashMemory): void {
    this.#known = read.#known;
  }

  /** What was written to a file; nothing where that is not there, or not whole. */
  static from(path: string): HashMemory {
    const memory = new HashMemory();
    memory.#read(path);
    return memory;
  }

  #read(path: string): void {
    try {
      const columns = readSections<HashColumns>(path, FORMAT);
      if (!columns) return;
      const hex = Buffer.from(columns.hashes).toString('hex');
      for (const [place, name] of new StringTable(columns.paths).texts().entries()) {
        const [size = -1, mtimeMs = -1, ctimeMs = -1, ino = -1] = columns.stamps.slice(
          STAMPS * place,
          STAMPS * (place + 1),
        );
        const hash = hex.slice(2 * HASH_BYTES * place, 2 * HASH_BYTES * (place + 1));
        this.#known.set(name, { size, mtimeMs, ctimeMs, ino, hash });
      }
    } catch {
      // Not there, or damaged: the files are read.
    }
  }

  /** Writes what it knows to a file of its own, in place of the one that is there; one that cannot be written is no loss. */
  async write(path: string): Promise<void> {
    const entries = [...this.#known];
    const stamps = entries.flatMap(([, one]) => [one.size, one.mtimeMs, one.ctimeMs, one.ino]);
    const columns: HashColumns = {
      paths: listOf(entries.map(([name]) => name)),
      hashes: Buffer.from(entries.map(([, { hash }]) => hash).join(''), 'hex'),
      stamps: Float64Array.from(stamps),
    };
    // Should two processes write at once, checksums tell what came of it.
    const unfinished = `${path}.new`;
    this.#changed = false;
    try {
      rmSync(unfinished, { force: true });
      await writeSections(unfinished, FORMAT, columns);
      await rename(unfinished, path);
    } catch {
      // The next process reads the files.
    }
  }
}
