import type { Section } from './form.ts';
import { formatKey, formatName } from './names.ts';

const MAX_SECTIONS = 2000;
const MAX_KEYS = 100;

interface OpenSection {
  path: readonly string[];
  startLine: number;
  /** Line of its name, below its comments and the parents that only introduce it. */
  nameLine: number;
  keys: Set<string>;
  /** False for a parent that has introduced nothing but children so far. */
  hasContent: boolean;
}

/**
 * Collects the sections of a text that is read from top to bottom. Lines are 1-based.
 *
 * Comments directly above a name belong to its section. A parent without content of its own becomes part of its first child.
 */
export class SectionList {
  readonly #done: Section[] = [];
  #open: OpenSection = createSection([], 1, 1);
  /** First line of the comments that end at `#leadEnd`. */
  #leadStart = 0;
  #leadEnd = -1;
  /** First line of comments, if the first section has any. */
  #notice = 0;

  /** Begins a section, unless its name is empty. A second one on the line of the last is a key of that one. */
  open(line: number, path: readonly string[], keys: readonly string[] = []): void {
    const names = path.map(formatName);
    const name = names.at(-1);
    const open = this.#open;
    if (!name || names.includes('')) this.addContent();
    else if (
      this.#isFull ||
      (line === open.nameLine && (open.path.length > 0 || open.hasContent))
    ) {
      this.addKey(name);
      this.addContent();
    } else if (this.#introduces(names, line)) {
      const { startLine, keys: before } = open;
      this.#open = { ...createSection(names, startLine, line), keys: before };
    } else {
      const hasLead = this.#leadEnd === line - 1 && this.#leadStart > open.nameLine;
      const startLine = hasLead ? this.#leadStart : line;
      this.#close(startLine);
      this.#open = createSection(names, startLine, line);
    }
    for (const key of keys) this.addKey(key);
  }

  /** Gives the open section another name in place of the last of its path. */
  rename(written: string): void {
    const name = formatName(written);
    if (name !== '') this.#open.path = [...this.#open.path.slice(0, -1), name];
  }

  /** Marks that the open section has content besides its children. */
  addContent(): void {
    this.#open.hasContent = true;
  }

  /** Adds another name of the open section. Its own name and empty ones do not count. */
  addKey(written: string): void {
    const { keys, path } = this.#open;
    if (keys.size >= MAX_KEYS) return;
    const key = formatKey(written);
    if (key !== '' && key !== path.at(-1)) keys.add(key);
  }

  /** Adds a line that belongs to the name below it, if there is one directly below. */
  addComment(line: number): void {
    if (this.#leadEnd !== line - 1) this.#leadStart = line;
    this.#leadEnd = line;
    // A notice at the top that belongs to no name is a section, unlike a comment between a parent and its first child.
    if (this.#open.path.length === 0) this.#notice ||= line;
  }

  /** Closes the last section, at the last line of the text. */
  end(lineCount: number): Section[] {
    if (lineCount > 0) this.#close(lineCount + 1);
    return this.#done;
  }

  get #isFull(): boolean {
    return this.#done.length >= MAX_SECTIONS - 1;
  }

  /** Returns true if the open section only introduces a child. */
  #introduces(names: readonly string[], line: number): boolean {
    const { path, hasContent } = this.#open;
    if (hasContent || names.length <= path.length) return false;
    if (path.length > 0) return path.every((name, index) => name === names[index]);
    const isAttached = this.#leadStart === this.#notice && this.#leadEnd === line - 1;
    return this.#notice === 0 || isAttached;
  }

  #close(nextLine: number): void {
    const { path, startLine, keys } = this.#open;
    this.#done.push({ path, startLine, endLine: nextLine - 1, keys: [...keys] });
  }
}

function createSection(path: readonly string[], startLine: number, nameLine: number): OpenSection {
  return { path, startLine, nameLine, keys: new Set(), hasContent: false };
}
