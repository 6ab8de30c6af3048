import { join } from 'node:path';
import { readSmallFile } from '../../base/git/special-files.ts';
import { getParent } from '../../shared/address.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import { linesOf, type Matcher, makeMatcher } from './gitignore.ts';
import { LARGEST_IGNORE_FILE } from './limits.ts';

export const IGNORE_FILE = '.gitignore';

/**
 * The `.gitignore` files below a root (and its `.git/info/exclude`), read as they are needed, without git.
 * A rule in a deeper folder overrides those above it; what lies in an ignored folder is ignored.
 */
export class IgnoreRules {
  /** Ignore files whose rules could not be read and do not hold. */
  readonly unread: SkippedFile[] = [];
  readonly #root: string;
  readonly #matchers = new Map<string, Matcher | null>();
  readonly #folders = new Map<string, boolean>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Spares the look for an ignore file in a folder of which it is known that it has none. */
  hasNone(folder: string): void {
    // The root has another file of rules.
    if (folder !== '') this.#matchers.set(folder, null);
  }

  /** Whether a file or folder, by its path relative to the root, is ignored. The root ('') never is. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === '') return false;
    if (isFolder) {
      const known = this.#folders.get(path);
      if (known !== undefined) return known;
    }
    const ignored = this.ignores(getParent(path), true) || this.#matches(path, isFolder);
    if (isFolder) this.#folders.set(path, ignored);
    return ignored;
  }

  /** What the rules say about this path itself, its parent being included. */
  #matches(path: string, isFolder: boolean): boolean {
    for (let folder = getParent(path); ; folder = getParent(folder)) {
      const matcher = this.#matcher(folder);
      if (matcher) {
        const relative = folder === '' ? path : path.slice(folder.length + 1);
        const { ignored, unignored } = matcher.test(isFolder ? `${relative}/` : relative);
        if (unignored) return false;
        // A parent that this file ignores was included again by a deeper one, or we would not be here.
        const inherited =
          ignored && relative.includes('/') && matcher.ignores(`${getParent(relative)}/`);
        if (ignored && !inherited) return true;
      }
      if (folder === '') return false;
    }
  }

  #matcher(folder: string): Matcher | null {
    let matcher = this.#matchers.get(folder);
    if (matcher === undefined) {
      const text = this.#read(folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`);
      const outer = folder === '' ? this.#read('.git/info/exclude', { followLinks: true }) : '';
      const lines = [...linesOf(outer), ...linesOf(text)];
      matcher = text || outer ? makeMatcher(lines) : null;
      this.#matchers.set(folder, matcher);
    }
    return matcher;
  }

  /** Like git, follows no link to an ignore file of the tree. */
  #read(path: string, options = { followLinks: false }): string {
    const file = readSmallFile(join(this.#root, path), LARGEST_IGNORE_FILE, options);
    if (file && 'problem' in file) {
      const detail = `its rules do not hold: ${file.problem}`;
      this.unread.push({ path, reason: 'unreadable', detail });
    }
    return file && 'text' in file ? file.text : '';
  }
}
