import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../engine/store/folder.ts';
import { PRIVATE_FILE } from '../engine/store/private.ts';

const ROTATE_AT = 5_000_000;

/** `locus.log` in a folder that the Help menu opens; the one before it is kept. Writing to it never fails the app. */
export class Log {
  readonly #path: string;
  #size = 0;

  constructor(folder: string) {
    this.#path = join(folder, 'locus.log');
    this.#try(() => {
      makeFolder(folder);
      this.#size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    });
  }

  /** @param who `app`, `engine` or `window`. */
  write(who: string, text: string): void {
    const entry = `${new Date().toISOString()} ${who}: ${text.trimEnd()}\n`;
    this.#try(() => {
      if (this.#size > ROTATE_AT) this.#rotate();
      appendFileSync(this.#path, entry, { mode: PRIVATE_FILE });
      this.#size += Buffer.byteLength(entry);
    });
  }

  #rotate(): void {
    renameSync(this.#path, this.#path.replace(/\.log$/, '.old.log'));
    this.#size = 0;
  }

  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      console.error('locus: the log cannot be written:', error);
    }
  }
}
