/** A file with what an interrupted run finished, one line for each item, so that the next run continues. */

import { hash } from 'node:crypto';
import { appendFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import { badInput, type LocusError } from '../../shared/errors.ts';
import { quoteName } from '../../shared/quote.ts';
import { VERSION } from '../../shared/version.ts';
import { parseJsonLines } from './dataset.ts';

export interface ResumeFileFormat<T extends object> {
  /** Command that writes the file, for errors. */
  command: string;
  /** Schema of an item. */
  item: z.ZodType<T>;
  /** Returns the models and the ranker that an item is from; undefined if none is. */
  getSystem(item: T): string | undefined;
}

export class ResumeFile<T extends object> {
  readonly #path: string;
  readonly #format: ResumeFileFormat<T>;
  readonly #setup: string;
  readonly #finished = new Map<string, T>();
  #system: string | null = null;

  /**
   * @param text content of the file. Its last line is ignored if it was cut off.
   * @param options everything that can change a result besides the item's key
   * @throws LocusError `bad-input` if the file is something else, or cannot be written to, or if its items come from another setup
   */
  constructor(path: string, text: string, options: unknown, format: ResumeFileFormat<T>) {
    this.#path = path;
    this.#format = format;
    this.#setup = hash('sha256', JSON.stringify([VERSION, options]));
    const end = text.lastIndexOf('\n') + 1;
    const rest = text.slice(end);
    const whole = rest.startsWith(START) || START.startsWith(rest) ? text.slice(0, end) : text;
    const header = z.looseObject({ setup: z.string(), issue: z.string() });
    const remedy = `Give a file that ${format.command} --resume wrote, or a new one.`;
    for (const row of parseJsonLines(whole, path, z.intersection(header, format.item), remedy)) {
      if (row.setup !== this.#setup) throw createMixedError(path);
      this.#keep(row.issue, row);
    }
    this.#write(() => {
      appendFileSync(path, '');
      if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
    });
  }

  /** @param identity everything that makes this item what it is, as JSON */
  find(identity: unknown): T | null {
    return this.#finished.get(getKey(identity)) ?? null;
  }

  /** Adds an item. @throws LocusError `bad-input` if the file cannot be written to, or if its items are from other models */
  add(identity: unknown, item: T): void {
    const key = getKey(identity);
    this.#keep(key, item);
    const row = { setup: this.#setup, issue: key, ...item };
    this.#write(() => appendFileSync(this.#path, `${JSON.stringify(row)}\n`));
  }

  #keep(key: string, item: T): void {
    const system = this.#format.getSystem(item);
    if (system !== undefined) {
      this.#system ??= system;
      if (system !== this.#system) throw createMixedError(this.#path);
    }
    this.#finished.set(key, item);
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (cause) {
      const reason = (cause as Error).message.split(',')[0];
      throw badInput(`Cannot write to ${this.#path}: ${reason}.`, 'Name another file.', { cause });
    }
  }
}

/** Beginning of each line. */
const START = '{"setup":"';

const createMixedError = (path: string): LocusError =>
  badInput(
    `The issues in ${quoteName(path)} were evaluated with another version, model or option.`,
    'Use the same ones, or name a new file.',
  );

const getKey = (identity: unknown): string => hash('sha256', JSON.stringify(identity));
