import { join } from 'node:path';
import { readSmallFile } from '../../base/git/special-files.ts';
import { getParent } from '../../shared/address.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { makeMatcher, type PathMatcher, splitLines } from './gitignore.ts';
import { MAX_IGNORE_FILE_BYTES } from './limits.ts';

export const IGNORE_FILE = '.gitignore';

/**
 * Rules of the `.gitignore` files below a root and of its `.git/info/exclude`, read when needed, without git.
 * A rule in a deeper folder overrides those above it. Everything in an ignored folder is ignored.
 */
export class IgnoreRules {
  /** Ignore files that could not be read, and whose rules are not applied. */
  readonly unreadable: SkippedFile[] = [];
  readonly #root: string;
  readonly #matchers = new Map<string, PathMatcher | null>();
  readonly #folders = new Map<string, boolean>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Records that a folder has no ignore file, so that it is not looked for. */
  markWithoutRules(folder: string): void {
    // The root also has `.git/info/exclude`.
    if (folder !== '') this.#matchers.set(folder, null);
  }

  /** Returns true if a file or folder is ignored, by its path relative to the root. The root ('') never is. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === '') return false;
    if (isFolder) {
      const cached = this.#folders.get(path);
      if (cached !== undefined) return cached;
    }
    const ignored = this.ignores(getParent(path), true) || this.#matchesRule(path, isFolder);
    if (isFolder) this.#folders.set(path, ignored);
    return ignored;
  }

  /** Returns true if a rule ignores this path itself. Its parent must not be ignored. */
  #matchesRule(path: string, isFolder: boolean): boolean {
    for (let folder = getParent(path); ; folder = getParent(folder)) {
      const matcher = this.#getMatcher(folder);
      if (matcher) {
        const relative = folder === '' ? path : path.slice(folder.length + 1);
        const { ignored, unignored } = matcher.test(isFolder ? `${relative}/` : relative);
        if (unignored) return false;
        // If this file's rules ignore the parent, a deeper file includes it again, because the parent is not ignored.
        const inherited =
          ignored && relative.includes('/') && matcher.ignores(`${getParent(relative)}/`);
        if (ignored && !inherited) return true;
      }
      if (folder === '') return false;
    }
  }

  #getMatcher(folder: string): PathMatcher | null {
    let matcher = this.#matchers.get(folder);
    if (matcher === undefined) {
      const text = this.#read(folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`);
      const outer = folder === '' ? this.#read('.git/info/exclude', { followLinks: true }) : '';
      const lines = [...splitLines(outer), ...splitLines(text)];
      matcher = text || outer ? makeMatcher(lines) : null;
      this.#matchers.set(folder, matcher);
    }
    return matcher;
  }

  /** Reads an ignore file. Like git, follows no link to an ignore file of the tree. */
  #read(path: string, options = { followLinks: false }): string {
    const file = readSmallFile(join(this.#root, path), MAX_IGNORE_FILE_BYTES, options);
    if (file && 'problem' in file) {
      const detail = `its rules are not applied: ${file.problem}`;
      this.unreadable.push({ path, reason: 'unreadable', detail });
    }
    return file && 'text' in file ? file.text : '';
  }
}
