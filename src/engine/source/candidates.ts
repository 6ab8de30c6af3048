import { isAbsolute, sep } from 'node:path';
import { decodeName } from '../../base/decode-source.ts';
import { grouped } from '../../shared/grouped.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { unreadKindOf } from '../languages/unread.ts';
import { type AttributeFile, attributeRules, isAttributeFile } from './attributes.ts';
import type { Exclusion } from './gitignore.ts';
import {
  LONGEST_PATH,
  MOST_ATTRIBUTE_FILES,
  MOST_BYTES,
  MOST_FILES,
  MOST_NAMES,
} from './limits.ts';
import type { SourceEntry, SourceListing } from './types.ts';

/** What every way of listing does with a name: sorts out unreadable, unwanted and excluded ones. */
export class CandidateList {
  readonly files: string[] = [];
  readonly skipped: SkippedFile[] = [];
  readonly submodules: string[] = [];
  /** Files in languages that are not read, by what people call them. */
  readonly unread = new Map<string, number>();
  readonly attributeFiles: string[] = [];
  readonly accepts: (path: string) => boolean;
  readonly #excludes: Exclusion;
  #names = 0;
  #full = false;

  constructor(accepts: (path: string) => boolean, excludes: Exclusion) {
    this.accepts = accepts;
    this.#excludes = excludes;
  }

  /** Counts a name. False when there are more than Locus takes: then the list says so, and its maker ends. */
  hasRoom(): boolean {
    if (this.#full) return false;
    this.#names++;
    const kept = this.files.length + this.skipped.length;
    this.#full = this.#names > MOST_NAMES || kept >= MOST_FILES;
    if (this.#full) this.skip(tooMany('./', this.files.length));
    return !this.#full;
  }

  /** Takes a name relative to the root, a string where it is UTF-8; returns its path if the file is to be listed. */
  file(name: Buffer | string): string | null {
    if (Buffer.byteLength(name) > LONGEST_PATH) {
      this.#skipLongName(Buffer.from(name));
      return null;
    }
    const { path, printable } = decodeName(name);
    // A manifest counts among them: nobody finds its text.
    this.#countUnread(printable);
    if (!this.accepts(printable)) {
      if (path !== null && isAttributeFile(path)) this.#takeAttributeFile(path);
      return null;
    }
    if (path === null) {
      this.skip({ path: printable, reason: 'unreadable', detail: 'its name is not UTF-8' });
      return null;
    }
    if (leadsOut(path)) {
      const detail = 'its name leads out of its folder';
      this.skip({ path, reason: 'outside the root', detail });
      return null;
    }
    const excluded = this.#excludes(path);
    if (excluded) {
      this.skip(excluded);
      return null;
    }
    this.files.push(path);
    return path;
  }

  #takeAttributeFile(path: string): void {
    if (this.attributeFiles.length < MOST_ATTRIBUTE_FILES && !leadsOut(path))
      this.attributeFiles.push(path);
  }

  #countUnread(path: string): void {
    const kind = unreadKindOf(path);
    if (kind !== null && !this.#excludes(path)) {
      this.unread.set(kind, (this.unread.get(kind) ?? 0) + 1);
    }
  }

  submodule(name: Buffer, detail: string): void {
    const path = decodeName(name).printable.replace(/\/$/, '');
    this.submodules.push(path);
    this.skip({ path, reason: 'submodule', detail });
  }

  skip(file: SkippedFile): void {
    this.skipped.push(file);
  }

  /** All that was found, in order; files beyond `MOST_BYTES` are left out. */
  listing(entries: SourceEntry[], attributes: readonly AttributeFile[]): SourceListing {
    entries.sort(byPath);
    let bytes = 0;
    const end = entries.findIndex(({ size }) => {
      bytes += size;
      return bytes > MOST_BYTES;
    });
    const cut = entries[end];
    if (cut) this.skip(tooMany(cut.path, end));
    return {
      entries: cut ? entries.slice(0, end) : entries,
      skipped: this.skipped.sort(byPath),
      submodules: this.submodules.sort(),
      unread: Object.fromEntries(this.unread),
      attributes: attributeRules(attributes),
    };
  }

  #skipLongName(name: Buffer): void {
    if (!this.accepts(decodeName(name).printable)) return;
    const start = decodeName(name.subarray(0, SHOWN_OF_LONG_NAME)).printable;
    const detail = `its path has ${name.length} bytes, of at most ${LONGEST_PATH}`;
    this.skip({ path: `${start}…`, reason: 'unreadable', detail });
  }
}

const SHOWN_OF_LONG_NAME = 100;

const SEPARATORS = sep === '/' ? '/' : /[/\\]/;

/** Git makes no such names, but an index or a tree can be written by hand. */
function leadsOut(path: string): boolean {
  return isAbsolute(path) || (path.includes('..') && path.split(SEPARATORS).includes('..'));
}

/** What says that there are too many files; `from` is the first that is left out, or the folder where that is not known. */
function tooMany(from: string, taken: number): SkippedFile {
  const detail = `only ${grouped(taken)} files are indexed; open a folder of it instead`;
  return { path: from, reason: 'too many', detail };
}

/** Sorts by path in UTF-16 order, the same on every machine. */
function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
