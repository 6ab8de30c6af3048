import type { Section } from './form.ts';
import { countLinesTo } from './lines.ts';
import { SectionList } from './section-list.ts';
import { splitYaml } from './yaml.ts';

/** Number of keys from which JSON is data. */
const MAX_KEYS = 2000;
/** Maximum length of a key or name in UTF-16 units. */
const MAX_STRING = 200;
/** Keys whose value names the object that they are in. */
const NAMING = new Set(['name', 'id', 'label', 'title', '$id']);

/** A mark, the start of a string or comment, or a word without quotes. */
const TOKEN = /[\n{}[\],:"']|\/\/|\/\*|[\w$][\w$-]*/g;

/** Splits JSON, with or without comments, by keys to depth two. Returns none for data: an array, or thousands of keys. */
export function splitJson(text: string): Section[] {
  // Files such as .prettierrc contain JSON or YAML.
  return YAML.test(text) ? splitYaml(text) : new JsonSplitter(text).split();
}

/** Start of a text that is YAML and not JSON: a key without braces. Behind comments, either is read as JSON. */
const YAML = /^(?:[A-Za-z][\w-]{0,40}:|---)(?:\s|$)/;

class JsonSplitter {
  readonly #text: string;
  readonly #list = new SectionList();
  #at = 0;
  #line = 1;
  /** Line of the last token, so that comments beside values are not those above a key. */
  #tokenLine = 0;
  /** Kinds of the open brackets. */
  readonly #open: ('{' | '[')[] = [];
  /** Number of keys. */
  #keyCount = 0;
  #topKey = '';
  /** Key whose value is next; null before a key or an item. */
  #key: string | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  split(): Section[] {
    for (let token = this.#next(); token !== null; token = this.#next()) {
      if (token === '[' && this.#open.length === 0 && this.#keyCount === 0) return [];
      this.#read(token);
      if (this.#keyCount > MAX_KEYS) return [];
    }
    return this.#list.end(countLinesTo(this.#line, this.#text));
  }

  /** Returns the next token, a string with its first quote only. Passes over lines and comments. */
  #next(): string | null {
    for (;;) {
      TOKEN.lastIndex = this.#at;
      const [token] = TOKEN.exec(this.#text) ?? [];
      if (!token) return null;
      this.#at = TOKEN.lastIndex;
      if (token === '\n') this.#line += 1;
      else if (token === '//') this.#skipComment('\n');
      else if (token === '/*') this.#skipComment('*/');
      else return token[0] === '"' || token[0] === "'" ? this.#readString(token) : token;
    }
  }

  #read(token: string): void {
    const inObject = this.#open.at(-1) === '{';
    if (token === '{' || token === '[') {
      if (token === '[') this.#list.addContent();
      this.#open.push(token);
      this.#key = null;
    } else if (token === '}' || token === ']') {
      this.#open.pop();
      this.#key = null;
    } else if (token === ',') this.#key = null;
    else if (token !== ':' && inObject && this.#key === null) this.#readKey(unquote(token));
    else if (token !== ':') this.#readValue(unquote(token));
    this.#tokenLine = this.#line;
  }

  #readKey(key: string): void {
    const depth = this.#open.length;
    this.#key = key;
    this.#keyCount += 1;
    const isInRootLine = this.#keyCount === 1 && this.#tokenLine === this.#line;
    if (isInRootLine) this.#list.addContent();
    if (depth === 1) {
      this.#topKey = key;
      this.#list.open(this.#line, [key]);
    } else if (depth === 2 && this.#open[0] === '{') {
      this.#list.open(this.#line, [this.#topKey, key]);
      this.#list.addContent();
    } else this.#list.addKey(key);
  }

  #readValue(value: string): void {
    this.#list.addContent();
    if (this.#key !== null && NAMING.has(this.#key)) this.#list.addKey(value);
  }

  /** Reads a string that ends at its quote or its line. Returns it with its first quote. */
  #readString(quote: string): string {
    const start = this.#at;
    const text = this.#text;
    let end = start;
    while (end < text.length && text[end] !== quote && text[end] !== '\n')
      end += text[end] === '\\' && text[end + 1] !== '\n' ? 2 : 1;
    this.#at = text[end] === quote ? end + 1 : end;
    return quote + text.slice(start, Math.min(end, start + MAX_STRING));
  }

  #skipComment(mark: string): void {
    const found = this.#text.indexOf(mark, this.#at);
    const end = found < 0 ? this.#text.length : found;
    const isAlone = this.#tokenLine < this.#line;
    for (;;) {
      if (isAlone) this.#list.addComment(this.#line);
      const newline = this.#text.indexOf('\n', this.#at);
      if (newline < 0 || newline >= end) break;
      this.#line += 1;
      this.#at = newline + 1;
    }
    this.#at = mark === '\n' ? end : Math.min(end + mark.length, this.#text.length);
  }
}

function unquote(token: string): string {
  return token[0] === '"' || token[0] === "'" ? token.slice(1) : token;
}
