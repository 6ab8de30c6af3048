import { isAbsolute, sep } from 'node:path';
import { decodeName } from '../../base/decode-source.ts';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { getUnsupportedLanguage } from '../languages/unsupported.ts';
import { type AttributeFile, isAttributeFile, parseAttributeRules } from './attributes.ts';
import {
  MAX_ATTRIBUTE_FILES,
  MAX_EXCLUDED,
  MAX_FILES,
  MAX_NAMES,
  MAX_PATH_BYTES,
  MAX_TOTAL_BYTES,
} from './limits.ts';
import type { FileSelection } from './selection.ts';
import type { SourceEntry, SourceListing } from './types.ts';

/** Collects the names of a listing. Sorts out names that are unreadable, of no interest or excluded. */
export class CandidateList {
  readonly files: string[] = [];
  readonly skipped: SkippedFile[];
  readonly submodules: string[] = [];
  /** Number of files in unsupported languages, by the language's title. */
  readonly unsupported = new Map<string, number>();
  readonly attributeFiles: string[] = [];
  readonly accepts: (path: string) => boolean;
  readonly selection: FileSelection;
  #names = 0;
  #excluded = 0;
  #full = false;

  constructor(accepts: (path: string) => boolean, selection: FileSelection) {
    this.accepts = accepts;
    this.selection = selection;
    this.skipped = [...selection.unreadable];
  }

  /** Counts a name. Returns false if there are too many, which is reported in `skipped`. The caller then stops listing. */
  hasRoom(): boolean {
    if (this.#full) return false;
    this.#names++;
    const excluded = Math.min(this.#excluded, MAX_EXCLUDED);
    const listed = this.files.length + this.skipped.length - excluded;
    this.#full = this.#names > MAX_NAMES || listed >= MAX_FILES;
    if (this.#full) this.addSkipped(createTooManyReport('./', this.files.length));
    return !this.#full;
  }

  /** Adds a name relative to the root, a string if it is UTF-8. Returns the path if the file is listed. */
  addFile(name: Buffer | string): string | null {
    if (Buffer.byteLength(name) > MAX_PATH_BYTES) {
      this.#skipLongName(Buffer.from(name));
      return null;
    }
    const { path, printable } = decodeName(name);
    // Manifests in unsupported formats count too, because their text cannot be searched.
    this.#countUnread(printable);
    if (!this.accepts(printable)) {
      if (path !== null && isAttributeFile(path)) this.#takeAttributeFile(path);
      return null;
    }
    if (path === null) {
      this.addSkipped({ path: printable, reason: 'unreadable', detail: 'its name is not UTF-8' });
      return null;
    }
    if (pointsOutside(path)) {
      const detail = 'its name points outside its folder';
      this.addSkipped({ path, reason: 'outside the root', detail });
      return null;
    }
    const excluded = this.selection.excludes(path);
    if (excluded) {
      this.addSkipped(excluded);
      return null;
    }
    this.files.push(path);
    return path;
  }

  #takeAttributeFile(path: string): void {
    if (this.attributeFiles.length < MAX_ATTRIBUTE_FILES && !pointsOutside(path))
      this.attributeFiles.push(path);
  }

  #countUnread(path: string): void {
    const kind = getUnsupportedLanguage(path);
    if (kind !== null && !this.selection.excludes(path)) {
      this.unsupported.set(kind, (this.unsupported.get(kind) ?? 0) + 1);
    }
  }

  addSubmodule(name: Buffer, detail: string): void {
    const path = decodeName(name).printable.replace(/\/$/, '');
    this.submodules.push(path);
    this.addSkipped({ path, reason: 'submodule', detail });
  }

  addSkipped(file: SkippedFile): void {
    if (file.reason === 'excluded' && this.#excluded++ >= MAX_EXCLUDED) return;
    this.skipped.push(file);
  }

  /** Returns everything that was found, in order. Files beyond `MAX_TOTAL_BYTES` are left out. */
  createListing(entries: SourceEntry[], attributes: readonly AttributeFile[]): SourceListing {
    entries.sort(comparePaths);
    let bytes = 0;
    const end = entries.findIndex(({ size }) => {
      bytes += size;
      return bytes > MAX_TOTAL_BYTES;
    });
    const cut = entries[end];
    if (cut) this.addSkipped(createTooManyReport(cut.path, end));
    this.#countUnlisted();
    return {
      entries: cut ? entries.slice(0, end) : entries,
      skipped: this.skipped.sort(comparePaths),
      submodules: this.submodules.sort(),
      unsupported: Object.fromEntries(this.unsupported),
      attributes: parseAttributeRules(attributes),
    };
  }

  /** Says in the last report of an excluded file how many are not listed. */
  #countUnlisted(): void {
    const more = this.#excluded - MAX_EXCLUDED;
    const last = this.skipped.findLastIndex(({ reason }) => reason === 'excluded');
    const file = this.skipped[last];
    if (more <= 0 || !file) return;
    const detail = `${file.detail}; ${formatCounted(more, 'more file')} left out are not listed`;
    this.skipped[last] = { ...file, detail };
  }

  #skipLongName(name: Buffer): void {
    if (!this.accepts(decodeName(name).printable)) return;
    const start = decodeName(name.subarray(0, SHOWN_PATH_BYTES)).printable;
    const detail = `its path has ${name.length} bytes, over the limit of ${MAX_PATH_BYTES}`;
    this.addSkipped({ path: `${start}…`, reason: 'unreadable', detail });
  }
}

const SHOWN_PATH_BYTES = 100;

const SEPARATORS = sep === '/' ? '/' : /[/\\]/;

/** Returns true for a path with `..` or from the file system's root. Git makes none, but an index can be written by hand. */
function pointsOutside(path: string): boolean {
  return isAbsolute(path) || (path.includes('..') && path.split(SEPARATORS).includes('..'));
}

/** Creates the report that there are too many files. `from` is the first file left out, or the folder if that is unknown. */
function createTooManyReport(from: string, taken: number): SkippedFile {
  const detail = `only ${formatCount(taken)} files are indexed; open a subfolder instead`;
  return { path: from, reason: 'too many', detail };
}

/** Compares by path in UTF-16 order, which is the same on every machine. */
function comparePaths(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
