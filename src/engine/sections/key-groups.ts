import type { SectionList } from './section-list.ts';

/** Groups the lines of a file of keys: those with the same prefix, and keys without prefix up to a blank line. */
export class KeyGroups {
  readonly #list: SectionList;
  #prefix: string | null = null;
  /** The only key of the open group, by which it is named; empty if there are more. */
  #only = '';

  constructor(list: SectionList) {
    this.#list = list;
  }

  /** Adds a key to the open group, or opens the group that it begins. A group of several keys has the name of their prefix. */
  add(line: number, key: string): void {
    const names = getPrefix(key);
    const prefix = names.join('.');
    if (prefix !== this.#prefix) {
      this.#list.open(line, names.length > 0 && key.includes('.') ? names : [key]);
      this.#only = key;
    } else if (this.#only !== '') {
      if (prefix !== '' && !key.includes('.')) this.#list.rename(prefix);
      this.#list.addKey(this.#only);
      this.#only = '';
    }
    this.#prefix = prefix;
    this.#list.addKey(key);
  }

  /** Ends the open group if its keys have no prefix. */
  endBlock(): void {
    if (this.#prefix === '') this.#prefix = null;
  }
}

/** Returns the names that begin a key: `DB` of `DB_HOST`, `spring` and `datasource` of `spring.datasource.url`. */
function getPrefix(key: string): string[] {
  const dotted = key.split('.');
  if (dotted.length > 1) return dotted.slice(0, Math.min(2, dotted.length - 1));
  const end = key.search(/[_-]/);
  return end > 0 ? [key.slice(0, end)] : [];
}
