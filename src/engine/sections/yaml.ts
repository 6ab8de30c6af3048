import type { Section } from './form.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';
import { readYamlEntry, type YamlEntry } from './yaml-entry.ts';

/** Keys whose value names the mapping that they are in. */
const NAMING = new Set(['name', 'id', 'key', 'title', 'label', 'alias', 'repo', 'uses']);

/** Key that merges the mapping of an alias. */
const MERGE = '<<';

/** Splits YAML by keys and named items of lists, to depth two. Multi-line values are passed over by their indentation. */
export function splitYaml(text: string): Section[] {
  const splitter = new YamlSplitter();
  const lineCount = readLines(text, (line, number) => splitter.read(line, number));
  return splitter.list.end(lineCount);
}

const NONE = -1;

class YamlSplitter {
  readonly list = new SectionList();
  /** Indentation of the document's keys or items; -1 before the first. */
  #rootIndent = NONE;
  /** Name of the open key of depth one, and the indentation of its children; -1 before the first. */
  #top = '';
  #childIndent = NONE;
  /** True if the children are items of a list. */
  #hasItems = false;
  /** True if the open key of depth one may have children. */
  #hasChildren = false;
  /** Column of the keys of the open item while none of them names it; -1 otherwise. */
  #unnamedIndent = NONE;
  /** Indentation of the key of a multi-line value, whose lines are deeper; -1 outside. */
  #valueIndent = NONE;

  read(line: string, number: number): void {
    const indent = findText(line);
    if (indent === line.length || isTemplate(line, indent)) return;
    if (this.#valueIndent !== NONE) {
      if (indent > this.#valueIndent) return;
      this.#valueIndent = NONE;
    }
    if (isMarker(line)) {
      this.#rootIndent = NONE;
      this.#top = '';
      this.list.addComment(number);
    } else if (line[indent] === '#') this.list.addComment(number);
    else this.#readEntry(readYamlEntry(line, indent), number);
  }

  #readEntry(entry: YamlEntry, number: number): void {
    const { indent } = entry;
    if (entry.isBlock) this.#valueIndent = entry.key === '' ? indent : entry.keyIndent;
    if (this.#rootIndent === NONE) this.#rootIndent = indent;
    const isChildItem = entry.isItem && this.#top !== '' && this.#hasChildren;
    if (indent <= this.#rootIndent && !isChildItem) this.#openTop(entry, number);
    else this.#readChild(entry, number);
  }

  #openTop(entry: YamlEntry, number: number): void {
    const name = entry.isItem ? getItemName(entry) : entry.key;
    this.#top = entry.isItem ? '' : name;
    this.#childIndent = NONE;
    this.#hasChildren = !entry.isItem && entry.value === '';
    this.#unnamedIndent = NONE;
    if (name === '') this.list.addContent();
    else this.#open(number, [name], entry);
    if (entry.isItem || entry.value !== '') this.list.addContent();
    this.#addNames(entry);
  }

  #readChild(entry: YamlEntry, number: number): void {
    const { indent, isItem } = entry;
    if (this.#childIndent === NONE && this.#hasChildren) {
      this.#childIndent = indent;
      this.#hasItems = isItem;
    }
    const name = isItem ? getItemName(entry) : entry.key;
    const isChild = indent === this.#childIndent && isItem === this.#hasItems;
    if (isChild && name !== '' && name !== MERGE) this.#open(number, [this.#top, name], entry);
    else if (!isItem && indent === this.#unnamedIndent && NAMING.has(entry.key))
      this.#nameItem(entry.value);
    else if (name !== MERGE) this.list.addKey(entry.key);
    this.list.addContent();
    this.#addNames(entry);
  }

  #open(number: number, path: readonly string[], entry: YamlEntry): void {
    const { isItem, isBlock, key, value, keyIndent } = entry;
    this.list.open(number, path);
    const isUnnamed = isItem && !NAMING.has(key);
    this.#unnamedIndent = isUnnamed ? keyIndent : NONE;
    if (isUnnamed && !isBlock) this.list.addKey(value);
  }

  /** Names the open item by one of its keys below the first. */
  #nameItem(name: string): void {
    if (name !== '') this.#unnamedIndent = NONE;
    this.list.rename(name);
  }

  /** Adds the names that an entry's value gives: `name: CI`, `&anchor`. */
  #addNames({ key, value, anchor }: YamlEntry): void {
    if (NAMING.has(key)) this.list.addKey(value);
    this.list.addKey(anchor);
  }
}

/** Returns true for a line of a template, such as Helm's `{{- if … }}`, which stands at any indentation. */
function isTemplate(line: string, indent: number): boolean {
  return line[indent] === '{' && (line[indent + 1] === '{' || line[indent + 1] === '%');
}

/** Returns true for the line between two documents, and for directives. */
function isMarker(line: string): boolean {
  return /^(?:---|\.\.\.)(?:\s|$)|^%[A-Z]/.test(line);
}

/** Returns the name of an item of a list that is a mapping: the value of its first key. Empty for other items. */
function getItemName({ key, value, isBlock }: YamlEntry): string {
  if (key === '' || value === '' || isBlock) return key;
  return NAMING.has(key) ? value : `${key} ${value}`;
}
