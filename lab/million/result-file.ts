/** Stores measurements in a file, so that an interrupted run can continue. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { LocusError } from '../../src/shared/errors.ts';
import { firstResults, indexedFolder, limits, openSet } from './points.ts';

/** Measurements so far. */
const storedResults = z.object({
  limits: limits.nullable().default(null),
  /** By the folder's path. */
  folders: z.record(z.string(), indexedFolder).default({}),
  /** By the paths of the folders that are opened together, as JSON. */
  first: z.record(z.string(), firstResults).default({}),
  open: z.record(z.string(), openSet).default({}),
});

export class ResultFile {
  readonly #path: string;
  readonly results: z.output<typeof storedResults>;

  /**
   * Reads the file if it exists.
   * @throws LocusError `bad-input` if the file is unreadable or is not a file of results
   */
  constructor(path: string) {
    this.#path = path;
    try {
      this.results = storedResults.parse(
        existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {},
      );
    } catch (error) {
      const { message } = error as Error;
      throw new LocusError(
        'bad-input',
        `${path} is not a file of results: ${message}.`,
        'Remove it to measure again.',
      );
    }
  }

  /**
   * Returns the result that is stored under `key`. If it is missing, measures it and writes the file.
   * @param stored one of the records of `results`
   */
  async measureOnce<T>(
    stored: Record<string, T>,
    key: string,
    measure: () => Promise<T>,
  ): Promise<T> {
    const existing = stored[key];
    if (existing !== undefined) return existing;
    const result = await measure();
    stored[key] = result;
    this.write();
    return result;
  }

  /** Writes all results to the file. */
  write(): void {
    // A complete file replaces the old one, since the process may end at any moment.
    writeFileSync(`${this.#path}.part`, `${JSON.stringify(this.results, null, 1)}\n`);
    renameSync(`${this.#path}.part`, this.#path);
  }
}
