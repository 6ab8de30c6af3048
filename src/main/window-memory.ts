import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { createFolder } from '../base/private.ts';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { writePrivateFile } from '../base/write-file.ts';

const MAX_BYTES = 1_000_000;

const windowState = z.object({
  window: z
    .object({
      x: z.int(),
      y: z.int(),
      width: z.int().min(1),
      height: z.int().min(1),
      maximized: z.boolean(),
    })
    .nullable()
    .default(null)
    .catch(null),
  /** Custom editor commands that the user confirmed. */
  editors: z.array(z.string()).default([]).catch([]),
});
export type RememberedState = z.output<typeof windowState>;

/** State of the desktop app between runs. An unreadable file counts as missing, because nothing in it is precious. */
export class WindowMemory {
  readonly #path: string;
  #value: RememberedState;

  constructor(path: string) {
    this.#path = path;
    this.#value = windowState.safeParse(readJson(path)).data ?? windowState.parse({});
  }

  get(): RememberedState {
    return this.#value;
  }

  /** Changes the state. If the file cannot be written, the change lasts until the app is closed. */
  set(change: Partial<RememberedState>): void {
    this.#value = { ...this.#value, ...change };
    try {
      createFolder(dirname(this.#path));
      writePrivateFile(this.#path, JSON.stringify(this.#value, null, 2));
    } catch (error) {
      console.error(`locus: ${this.#path} cannot be written: ${(error as Error).message}.`);
    }
  }
}

function readJson(path: string): unknown {
  try {
    const folder = new UntrustedFolder(dirname(path), 'bad-store');
    return JSON.parse(String(folder.readSync(basename(path), MAX_BYTES)));
  } catch {
    // The file is missing or damaged.
    return null;
  }
}
