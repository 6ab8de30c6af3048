import type { SkippedFile } from '../../shared/types.ts';
import { decodeName } from './decode.ts';
import type { Exclusion } from './exclusion.ts';

/** Files that a way of listing (git's index, a walk, a commit) found, before they are looked at one by one. */
export interface Candidates {
  files: string[];
  skipped: SkippedFile[];
  submodules: string[];
}

/** What every way of listing does with a name: sorts out unreadable, unwanted and excluded ones. */
export class CandidateList implements Candidates {
  readonly files: string[] = [];
  readonly skipped: SkippedFile[] = [];
  readonly submodules: string[] = [];
  readonly accepts: (path: string) => boolean;
  readonly #excludes: Exclusion;

  constructor(accepts: (path: string) => boolean, excludes: Exclusion) {
    this.accepts = accepts;
    this.#excludes = excludes;
  }

  /** Takes a name relative to the root; returns its path if the file is to be listed. */
  file(name: Buffer): string | null {
    const { path, printable } = decodeName(name);
    if (!this.accepts(printable)) return null;
    if (path === null) {
      this.skip({ path: printable, reason: 'unreadable', detail: 'its name is not UTF-8' });
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

  submodule(name: Buffer, detail: string): void {
    const path = decodeName(name).printable.replace(/\/$/, '');
    this.submodules.push(path);
    this.skip({ path, reason: 'submodule', detail });
  }

  skip(file: SkippedFile): void {
    this.skipped.push(file);
  }
}

/** Sorts by path in UTF-16 order, the same on every machine. */
export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
