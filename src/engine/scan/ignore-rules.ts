import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IGNORE_CASE } from './exclusion.ts';
import { linesOf, type Matcher, matcherOf } from './gitignore.ts';

/**
 * The `.gitignore` files below a root (and its `.git/info/exclude`), read as they are needed, without git.
 * A rule in a deeper folder overrides those above it; what lies in an ignored folder is ignored.
 */
export class IgnoreRules {
  readonly #root: string;
  readonly #matchers = new Map<string, Matcher | null>();
  readonly #folders = new Map<string, boolean>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether a file or folder, by its path relative to the root, is ignored. The root ('') never is. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === '') return false;
    if (isFolder) {
      const known = this.#folders.get(path);
      if (known !== undefined) return known;
    }
    const ignored = this.ignores(parentOf(path), true) || this.#matches(path, isFolder);
    if (isFolder) this.#folders.set(path, ignored);
    return ignored;
  }

  /** What the rules say about this path itself, its parent being included. */
  #matches(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const matcher = this.#matcher(folder);
      if (matcher) {
        const relative = folder === '' ? path : path.slice(folder.length + 1);
        const { ignored, unignored } = matcher.test(isFolder ? `${relative}/` : relative);
        if (unignored) return false;
        // A parent that this file ignores was included again by a deeper one, or we would not be here.
        const inherited =
          ignored && relative.includes('/') && matcher.ignores(`${parentOf(relative)}/`);
        if (ignored && !inherited) return true;
      }
      if (folder === '') return false;
    }
  }

  #matcher(folder: string): Matcher | null {
    let matcher = this.#matchers.get(folder);
    if (matcher === undefined) {
      const text = readIfThere(join(this.#root, folder, '.gitignore'));
      const outer = folder === '' ? readIfThere(join(this.#root, '.git', 'info', 'exclude')) : '';
      const lines = [...linesOf(outer), ...linesOf(text)];
      matcher = text || outer ? matcherOf(lines, { ignorecase: IGNORE_CASE }) : null;
      this.#matchers.set(folder, matcher);
    }
    return matcher;
  }
}

/** The folder of a relative path; '' for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
