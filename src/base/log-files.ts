/** Files of the log: written by several processes at once, bounded in size and number, and read back. */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { LogTail } from '../shared/rpc/events.ts';
import { defer } from './defer.ts';
import { NO_FOLLOW, UntrustedFolder } from './untrusted-folder.ts';

const MAX_BYTES = 1_000_000;
const MAX_FILES = 5;
/** Maximum number of consecutive file numbers that other files may occupy. */
const MAX_SKIPPED = 10;

const NAME = /^locus-(\d{1,12})\.log$/;
const getName = (number: number) => `locus-${number}.log`;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW;

/** Returns the numbers of the log's files, oldest first. */
const listNumbers = (folder: string): number[] =>
  readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);

/**
 * Files `locus-1.log`, `locus-2.log` … Every process appends to the file with the highest number, with one write per call, so that
 * entries of several processes don't mix. A full file is never renamed or truncated: all writers continue with the next number. A file
 * that is not a private file of this user is not touched, and its number is skipped.
 */
export class LogFiles {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #maxFiles: number;
  #number = 0;
  #isTorn = false;

  /**
   * @param folder created by the first entry; its parent must exist.
   * @param maxBytes size of a file, which the last entry may exceed.
   */
  constructor(folder: string, maxBytes = MAX_BYTES, maxFiles = MAX_FILES) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#maxFiles = maxFiles;
  }

  /** Appends whole lines. Returns false if no file could be opened. @throws the system's errors */
  append(lines: string): boolean {
    const file = this.#open();
    if (file === null) return false;
    using _end = defer(() => closeSync(file));
    const bytes = Buffer.from(this.#isTorn ? `\n${lines}` : lines);
    this.#isTorn = writeSync(file, bytes) < bytes.length;
    return true;
  }

  #open(): number | null {
    const before = this.#number;
    // The file is missing for the first entry, or if other processes are so far ahead that it was removed.
    if (before === 0 || !this.#stat(before)) this.#number = this.#findNewest();
    for (let attempt = 0; attempt < MAX_SKIPPED; attempt++) {
      const file = this.#openNumber(this.#number);
      if (file !== null) {
        if (this.#number > before) this.#removeOld();
        return file;
      }
      const newest = this.#findNewest();
      this.#number = newest > this.#number ? newest : this.#number + 1;
    }
    return null;
  }

  /** Returns null for a full file, and for anything that is not a private file of this user. */
  #openNumber(number: number): number | null {
    const found = this.#stat(number);
    if (found && (!isPrivate(found) || found.size >= this.#maxBytes)) return null;
    const file = openSync(join(this.#folder, getName(number)), APPEND, 0o600);
    if (isPrivate(fstatSync(file))) return file;
    closeSync(file);
    return null;
  }

  #findNewest(): number {
    // Recursive, so that it does not fail if another process creates it first. A removed data directory is not created again.
    if (existsSync(dirname(this.#folder)))
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return listNumbers(this.#folder).at(-1) ?? 1;
  }

  #removeOld(): void {
    for (const number of listNumbers(this.#folder)) {
      const found = this.#stat(number);
      if (number <= this.#number - this.#maxFiles && found && isPrivate(found))
        rmSync(join(this.#folder, getName(number)), { force: true });
    }
  }

  #stat(number: number): Stats | undefined {
    return lstatSync(join(this.#folder, getName(number)), { throwIfNoEntry: false });
  }
}

/** Returns true for a regular file with one name that only this user can read and write. On Windows, users and modes are not checked. */
function isPrivate(found: Stats): boolean {
  if (!found.isFile() || found.nlink !== 1) return false;
  return !process.getuid || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
}

const ENTRY =
  /^\d{4}-\d\d-\d\dT[\d:.]+Z (error|warn|info|debug) [a-z]+\[[\d.]+\] [a-z-]+( [a-z]+=\S+)*$/;

/** Reads the end of a data directory's log. Lines that are not entries, such as incomplete ones or other programs' files, are left out. */
export function readLog(dataDirectory: string, maxLines: number): LogTail {
  const folder = join(dataDirectory, 'logs');
  const entries = listFiles(folder).flatMap((name) =>
    readEntries(new UntrustedFolder(folder, 'bad-store'), name),
  );
  const count = (level: string) => entries.filter((line) => line.split(' ')[1] === level).length;
  const lines = entries.slice(-maxLines);
  return { folder, lines, errors: count('error'), warnings: count('warn') };
}

function listFiles(folder: string): string[] {
  try {
    return listNumbers(folder)
      .slice(-2 * MAX_FILES)
      .map(getName);
  } catch {
    // Nothing has been logged yet.
    return [];
  }
}

function readEntries(folder: UntrustedFolder, name: string): string[] {
  try {
    const text = folder.readSync(name, 2 * MAX_BYTES)?.toString('utf8') ?? '';
    return text.split('\n').filter((line) => ENTRY.test(line));
  } catch {
    // A log file that is a link, a pipe or huge is skipped.
    return [];
  }
}
