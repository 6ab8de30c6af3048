/** What was measured, in a file: who stops goes on from there. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { LocusError } from '../../src/shared/errors.ts';
import { firstResults, indexedFolder, limits, openSet } from './points.ts';

const kept = z.object({
  limits: limits.nullable().default(null),
  folders: z.record(z.string(), indexedFolder).default({}),
  first: z.record(z.string(), firstResults).default({}),
  open: z.record(z.string(), openSet).default({}),
});

export class Kept {
  readonly #path: string;
  readonly values: z.output<typeof kept>;

  /** @throws LocusError `bad-input` when the file is not one of these */
  constructor(path: string) {
    this.#path = path;
    try {
      this.values = kept.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
    } catch (error) {
      const { message } = error as Error;
      throw new LocusError(
        'bad-input',
        `${path} does not hold what was measured: ${message}`,
        'remove it to measure anew',
      );
    }
  }

  /** What is kept under a key, or what `measure` makes of it now. */
  async of<T>(among: Record<string, T>, key: string, measure: () => Promise<T>): Promise<T> {
    const before = among[key];
    if (before !== undefined) return before;
    const made = await measure();
    among[key] = made;
    this.write();
    return made;
  }

  write(): void {
    // Whole or not at all: it may be ended at any moment.
    writeFileSync(`${this.#path}.part`, `${JSON.stringify(this.values, null, 1)}\n`);
    renameSync(`${this.#path}.part`, this.#path);
  }
}
