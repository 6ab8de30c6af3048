/** Stores results in a file, so that an interrupted run can continue. */
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

export class ResultFile {
  readonly #path: string;
  readonly values: z.output<typeof kept>;

  /** @throws LocusError `bad-input` if the file has another format */
  constructor(path: string) {
    this.#path = path;
    try {
      this.values = kept.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
    } catch (error) {
      const { message } = error as Error;
      throw new LocusError(
        'bad-input',
        `${path} is not a file of results: ${message}.`,
        'Remove it to measure again.',
      );
    }
  }

  /** Returns the stored result of a key, or measures and stores it. */
  async measureOnce<T>(
    among: Record<string, T>,
    key: string,
    measure: () => Promise<T>,
  ): Promise<T> {
    const before = among[key];
    if (before !== undefined) return before;
    const made = await measure();
    among[key] = made;
    this.write();
    return made;
  }

  write(): void {
    // Renamed when complete, since the process may end at any moment.
    writeFileSync(`${this.#path}.part`, `${JSON.stringify(this.values, null, 1)}\n`);
    renameSync(`${this.#path}.part`, this.#path);
  }
}
