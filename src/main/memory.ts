import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../engine/store/private.ts';

const remembered = z.object({
  window: z
    .object({
      x: z.int(),
      y: z.int(),
      width: z.int().min(1),
      height: z.int().min(1),
      maximised: z.boolean(),
    })
    .nullable()
    .default(null)
    .catch(null),
  /** Commands of the user's own that may open files; each was confirmed once. */
  editors: z.array(z.string()).default([]).catch([]),
});
export type Remembered = z.output<typeof remembered>;

/** What this host keeps between runs. A file that cannot be read counts as none: nothing in it is precious. */
export class Memory {
  readonly #path: string;
  #value: Remembered;

  constructor(path: string) {
    this.#path = path;
    this.#value = remembered.safeParse(readJson(path)).data ?? remembered.parse({});
  }

  get(): Remembered {
    return this.#value;
  }

  /** Written whole or not at all. */
  set(change: Partial<Remembered>): void {
    this.#value = { ...this.#value, ...change };
    mkdirSync(dirname(this.#path), { recursive: true, mode: PRIVATE_FOLDER });
    const text = JSON.stringify(this.#value, null, 2);
    writeFileSync(`${this.#path}.new`, text, { mode: PRIVATE_FILE });
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
