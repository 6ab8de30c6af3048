import type { Section } from './form.ts';
import { findText, readLines } from './lines.ts';
import { SectionList } from './section-list.ts';

/** Length of the start of a line that is read for a name, in UTF-16 units. */
const MAX_READ = 400;
/** Number of names by which dotted keys are grouped. */
const MAX_GROUP = 2;
const KEY = /^((?:[\w-]+|"[^"]*"|'[^']*')(?: *\. *(?:[\w-]+|"[^"]*"|'[^']*'))*)[ \t]*=/;
const TABLE = /^\[\[?([^[\]]+)\]\]?[ \t]*(?:#|$)/;
const NAME = /[^\s."']+|"([^"]*)"|'([^']*)'/g;
/** Part of a value that decides where it ends: a bracket, a string or a comment. */
const TOKEN = /"""|'''|["'#[\]{}]/g;

/** Splits TOML by tables, and by keys above the first table. */
export function splitToml(text: string): Section[] {
  const splitter = new TomlSplitter();
  const lineCount = readLines(text, (line, number) => splitter.read(line, number));
  return splitter.list.end(lineCount);
}

class TomlSplitter {
  readonly list = new SectionList();
  #isInTable = false;
  /** Start of the dotted keys in the open section. */
  #group = '';
  /** Open brackets of a value, and the quotes of its open multi-line string. */
  #depth = 0;
  #quotes = '';

  read(line: string, number: number): void {
    const at = findText(line);
    if (at === line.length) return;
    if (this.#depth > 0 || this.#quotes !== '') this.#readValue(line, 0);
    else if (line[at] === '#') this.list.addComment(number);
    else this.#readEntry(line, line.slice(at, at + MAX_READ), number);
  }

  #readEntry(line: string, written: string, number: number): void {
    const table = TABLE.exec(written)?.[1];
    if (table) {
      this.#isInTable = true;
      this.list.open(number, splitKey(table));
    } else this.#readKey(line, written, number);
  }

  #readKey(line: string, written: string, number: number): void {
    const [entry, key = ''] = KEY.exec(written) ?? [];
    if (entry && !this.#isInTable) this.#openKey(splitKey(key), number);
    else this.list.addKey(splitKey(key).join('.'));
    this.list.addContent();
    const start = line.length - line.trimStart().length;
    if (entry) this.#readValue(line, start + entry.length);
    if (/^(?:name|id)$/.test(key)) this.list.addKey(readString(written.slice(entry?.length)));
  }

  /** Opens the section of a key above the tables; dotted keys with the same start are one section. */
  #openKey(names: readonly string[], number: number): void {
    const group = names.slice(0, Math.min(MAX_GROUP, names.length - 1));
    const name = group.join('.');
    if (name === '' || name !== this.#group)
      this.list.open(number, group.length > 0 ? group : names);
    if (name !== '') this.list.addKey(names.join('.'));
    this.#group = name;
  }

  /** Follows brackets and strings to the end of a line. */
  #readValue(line: string, start: number): void {
    TOKEN.lastIndex = start;
    if (this.#quotes !== '') this.#closeString(line, start);
    while (this.#quotes === '') {
      const [token] = TOKEN.exec(line) ?? [];
      if (!token || token === '#') return;
      if (token === '[' || token === '{') this.#depth += 1;
      else if (token === ']' || token === '}') this.#depth = Math.max(0, this.#depth - 1);
      else if (token.length > 1) {
        this.#quotes = token;
        this.#closeString(line, TOKEN.lastIndex);
      } else TOKEN.lastIndex = findStringEnd(line, token, TOKEN.lastIndex);
    }
  }

  #closeString(line: string, start: number): void {
    const close = line.indexOf(this.#quotes, start);
    if (close < 0) return;
    TOKEN.lastIndex = close + this.#quotes.length;
    this.#quotes = '';
  }
}

/** Returns the index behind the end of a string on one line; the line's length if it is open. */
function findStringEnd(line: string, quote: string, start: number): number {
  let at = start;
  while (at < line.length && line[at] !== quote) at += line[at] === '\\' && quote === '"' ? 2 : 1;
  return at + 1;
}

function splitKey(key: string): string[] {
  return Array.from(key.matchAll(NAME), ([whole, double, single]) => double ?? single ?? whole);
}

function readString(written: string): string {
  return /^\s*["']([^"']*)["']/.exec(written)?.[1] ?? '';
}
