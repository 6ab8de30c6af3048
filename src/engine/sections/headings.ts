/** Headings of documentation, whose paths are the headings around them. */
import { formatName } from './names.ts';
import type { SectionList } from './section-list.ts';

export class Headings {
  readonly #list: SectionList;
  #open: { level: number; name: string }[] = [];

  constructor(list: SectionList) {
    this.#list = list;
  }

  /** Opens the section of a heading, unless it has no name. @param level 1 for the outermost */
  open(line: number, level: number, name: string, keys: readonly string[] = []): void {
    if (formatName(name) === '') {
      this.#list.addContent();
      return;
    }
    this.#open = this.#open.filter((heading) => heading.level < level);
    this.#open.push({ level, name });
    const path = this.#open.map((heading) => heading.name);
    this.#list.open(line, path, keys);
  }
}
