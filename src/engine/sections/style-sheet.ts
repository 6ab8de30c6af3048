import type { Section } from './form.ts';
import { countLinesTo } from './lines.ts';
import { SectionList } from './section-list.ts';
import { findSelectorKeys, StatementGroups } from './selectors.ts';

/** Length of a selector or declaration that is read, in UTF-16 units. */
const MAX_READ = 400;
/** Number of nested rules from which `&` is not read. */
const MAX_NESTING = 20;
/** At-rules whose rules are sections of their own. */
const GROUP = /^@(?:media|supports|layer|container|scope|document|-moz-document|include)\b/;

/** A bracket, the end of a statement, or the start of text in which those have no meaning. */
const TOKEN = /[\n{};"']|\/\*|\/\/|#\{|url\(/g;

/** Splits CSS by its rules. */
export function splitStyles(text: string): Section[] {
  return new StyleSplitter(text, false).split();
}

/** Splits SCSS or Less, which have comments to the end of a line, by their rules. */
export function splitNestedStyles(text: string): Section[] {
  return new StyleSplitter(text, true).split();
}

/** Splits style sheets by their rules, those in `@media` and the like included. */
class StyleSplitter {
  readonly #text: string;
  readonly #list = new SectionList();
  readonly #statements = new StatementGroups(this.#list);
  readonly #hasLineComments: boolean;
  #at = 0;
  #line = 1;
  #depth = 0;
  /** Name of the open block at the top, and whether the blocks in it are sections. */
  #top = '';
  #isGroup = false;
  /** By depth, the class to which `&` adds in nested rules. */
  readonly #classes: string[] = [];
  /** Start of the open statement or selector, with white space before it, and its line. */
  #start = 0;
  #startLine = 1;
  /** True once the open statement is known to have text. */
  #hasText = false;
  /** For each mark, the index up to which its line is known to have none, so that no text is searched twice. */
  readonly #missing = new Map<string, number>();

  constructor(text: string, hasLineComments: boolean) {
    this.#text = text;
    this.#hasLineComments = hasLineComments;
  }

  split(): Section[] {
    for (let token = this.#next(); token !== null; token = this.#next()) {
      if (token === '{') this.#openBlock();
      else if (token === '}') this.#closeBlock();
      else this.#endStatement();
      this.#begin();
    }
    return this.#list.end(countLinesTo(this.#line, this.#text));
  }

  /** Returns the next bracket or semicolon. */
  #next(): string | null {
    for (;;) {
      TOKEN.lastIndex = this.#at;
      const [token] = TOKEN.exec(this.#text) ?? [];
      if (!token) return null;
      this.#at = TOKEN.lastIndex;
      if (token === '\n') this.#line += 1;
      else if (token === '/*') this.#skipComment('*/');
      else if (token === '//') this.#readSlashes();
      else if (token === '#{' || token === 'url(') this.#skipInLine(token === '#{' ? '}' : ')');
      else if (token === '"' || token === "'") this.#skipInLine(token);
      else return token;
    }
  }

  #begin(): void {
    this.#start = this.#at;
    this.#startLine = this.#line;
    this.#hasText = false;
  }

  /** Returns the open statement without comments, and the line on which it begins. */
  #readStatement(): { text: string; line: number } {
    const written = this.#text.slice(this.#start, this.#at - 1);
    const text = written.trimStart();
    if (text === '') return { text, line: this.#line };
    const lead = written.slice(0, written.length - text.length);
    const line = this.#startLine + (lead.match(/\n/g)?.length ?? 0);
    const comments = this.#hasLineComments
      ? /\/\*.{0,500}?\*\/|\/\/[^\n]*/gs
      : /\/\*.{0,500}?\*\//gs;
    return { text: text.slice(0, MAX_READ).replace(comments, ' ').trim(), line };
  }

  #openBlock(): void {
    const { text, line } = this.#readStatement();
    this.#depth += 1;
    const keys = findSelectorKeys(
      text.replace(/&(?=[\w-])/g, `.${this.#classes[this.#depth - 1] ?? ''}`),
    );
    if (this.#depth < MAX_NESTING) this.#classes[this.#depth] = keys.at(-1) ?? '';
    if (this.#depth === 1) {
      this.#top = text;
      this.#isGroup = GROUP.test(text) || text[0] !== '@';
      this.#list.open(line, [text], keys);
      this.#statements.end();
    } else if (this.#depth === 2 && this.#isGroup) {
      this.#list.open(line, [this.#top, text], keys);
      this.#list.addContent();
    } else for (const key of keys) this.#list.addKey(key);
  }

  #closeBlock(): void {
    if (this.#depth > 0) this.#endStatement();
    this.#depth = Math.max(0, this.#depth - 1);
  }

  #endStatement(): void {
    const { text, line } = this.#readStatement();
    if (text === '') return;
    if (this.#depth === 0) this.#statements.add(text, line, this.#line);
    else {
      // Rules in a block with declarations of its own are part of it.
      if (this.#depth === 1) this.#isGroup = false;
      this.#list.addContent();
      this.#list.addKey(/^(--[\w-]+)[ \t]*:/.exec(text)?.[1] ?? '');
    }
  }

  #readSlashes(): void {
    if (this.#hasLineComments && this.#text[this.#at - 3] !== ':') this.#skipComment('\n');
  }

  /** Passes over a comment. One between statements belongs to the next. */
  #skipComment(mark: string): void {
    const text = this.#text;
    this.#hasText ||= text.slice(this.#start, this.#at - 2).trim() !== '';
    const first = this.#line;
    const found = text.indexOf(mark, this.#at);
    const end = found < 0 ? text.length : found;
    for (
      let at = text.indexOf('\n', this.#at);
      at >= 0 && at < end;
      at = text.indexOf('\n', at + 1)
    )
      this.#line += 1;
    this.#at = mark === '\n' ? end : Math.min(end + mark.length, text.length);
    if (this.#hasText) return;
    const isBeside = this.#start > 0 && first === this.#startLine;
    for (let line = first; line <= this.#line && !isBeside; line++) this.#list.addComment(line);
    this.#begin();
  }

  /** Passes over text that ends with a mark on the same line. */
  #skipInLine(mark: string): void {
    if (this.#at < (this.#missing.get(mark) ?? 0)) return;
    const text = this.#text;
    let end = this.#at;
    while (end < text.length && text[end] !== mark && text[end] !== '\n')
      end += text[end] === '\\' && text[end + 1] !== '\n' ? 2 : 1;
    if (text[end] === mark) this.#at = end + 1;
    else this.#missing.set(mark, end);
  }
}
