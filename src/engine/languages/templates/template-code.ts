/** Collects what is found in a template: names, included templates, and named parts. */
import { MarkupCode } from '../javascript/markup-code.ts';
import { type Markup, TEMPLATE_NAME } from '../markup.ts';
import { formatInclude } from './include-names.ts';
import { type ChainPart, findCloser } from './names.ts';
import { createSections, type TemplatePart } from './template-sections.ts';
import { encodeName, RESERVED } from './written-names.ts';

/** Limit on reading ahead for closing brackets, as a multiple of the file's length. */
const MAX_READINGS = 8;
/** Maximum depth of nested blocks, and maximum number of names that a file binds. */
const MAX_DEPTH = 100;
const MAX_LOCALS = 200;
/** Maximum length of a page that is split into parts, in UTF-16 units. Nobody writes longer ones by hand. */
const MAX_PAGE = 200_000;
const PAGE = /^[\s\uFEFF]*<(?:!doctype|html|\?xml)\b/i;

interface Block {
  /** Words that close it. */
  closers: readonly string[];
  /** The part that it forms; null for a block without a name. */
  part: TemplatePart | null;
}

export class TemplateCode {
  readonly text: string;
  readonly #code: MarkupCode;
  readonly #blocks: Block[] = [];
  readonly #root: TemplatePart;
  readonly #includes = new Set<string>();
  readonly #locals = new Set<string>();
  readonly #scripts: { start: number; end: number }[] = [];
  readonly #nextOf = new Map<string, number>();
  /** Number of UTF-16 units that were read to find the ends of brackets. */
  #read = 0;
  #isEmpty = true;

  constructor(text: string) {
    this.text = text;
    this.#code = new MarkupCode(text);
    this.#root = { name: TEMPLATE_NAME, start: 0, end: text.length, isBlock: false, parts: [] };
  }

  /** Returns the offset of the next occurrence of a text, or -1. All calls for a file together take linear time. */
  find(mark: string, from: number): number {
    const known = this.#nextOf.get(mark) ?? -1;
    if (known >= from) return known === Number.POSITIVE_INFINITY ? -1 : known;
    const found = this.text.indexOf(mark, from);
    this.#nextOf.set(mark, found < 0 ? Number.POSITIVE_INFINITY : found);
    return found;
  }

  /** Returns the offset of the bracket that closes the one at an offset; -1 without one. */
  findCloser(open: number): number {
    const { length } = this.text;
    if (this.#read > MAX_READINGS * length) return -1;
    const end = findCloser(this.text, open, length);
    this.#read += (end < 0 ? length : end) - open;
    return end;
  }

  /** Keeps a script as code. Template code in it is replaced by `fillScript`. */
  addScript(start: number, end: number): void {
    this.#code.keep(start, end);
    this.#scripts.push({ start, end });
  }

  isInScript(at: number): boolean {
    const last = this.#scripts.at(-1);
    return last !== undefined && last.start <= at && at < last.end;
  }

  /** Replaces template code in a script by white space, or by a number if it has a value. */
  fillScript(start: number, end: number, hasValue: boolean): void {
    this.#code.put(start, ' '.repeat(end - start));
    if (hasValue) this.#code.put(start, '0');
  }

  /** Adds a name that may be called: a statement of its own. */
  addChain(parts: readonly ChainPart[]): void {
    const [first] = parts;
    if (!first || RESERVED.has(first.name) || this.isInScript(first.at)) return;
    if (parts.at(-1)?.name.length === 1) return;
    this.#isEmpty = false;
    this.#code.put(first.at - 1, ';');
    for (const [i, { at, name }] of parts.entries()) {
      this.#code.put(at, encodeName(name));
      this.#code.put(at + name.length, i + 1 < parts.length ? '.' : ';');
    }
  }

  /** Adds a list of names that a handler in HTML calls, which are those of scripts. Its first offset is that of the quote. */
  addHandler(quote: number, end: number, names: readonly ChainPart[]): void {
    if (names.length === 0) return;
    this.#isEmpty = false;
    this.#code.put(quote - 1, ';[');
    for (const { at, name } of names) this.#code.put(at, `${name},`);
    this.#code.put(end, '];');
  }

  /** Adds the name of another template that is included or extended here. */
  addInclude(at: number, written: string): void {
    const name = formatInclude(written);
    if (name === '' || this.isInScript(at)) return;
    this.#isEmpty = false;
    // The name has as many characters as the written one, or fewer, and one in front.
    this.#code.addName(at - 1, name);
    this.#code.put(at - 1 + name.length, ';');
    this.#includes.add(name);
  }

  addLocal(name: string): void {
    if (this.#locals.size < MAX_LOCALS) this.#locals.add(name);
  }

  /**
   * Opens a block.
   * @param name null for a block without a name; a named one is a part if it is the first on its line
   * @param closers words that end it
   * @param isBlock false if the name can be called
   */
  open(start: number, name: string | null, closers: readonly string[], isBlock = true): void {
    this.#isEmpty = false;
    if (this.#blocks.length === MAX_DEPTH) return;
    const isPart = name !== null && this.#isFirstOnLine(start);
    const part = isPart ? { name, start, end: this.text.length, isBlock, parts: [] } : null;
    this.#blocks.push({ closers, part });
  }

  /** Returns true for an offset with only white space before it on its line. */
  #isFirstOnLine(start: number): boolean {
    let at = start - 1;
    while (at >= 0 && /[ \t\uFEFF]/.test(this.text.charAt(at))) at--;
    return at < 0 || this.text[at] === '\n';
  }

  /** Closes the innermost block that ends with a word, and those in it. */
  close(end: number, word: string): void {
    const at = this.#blocks.findLastIndex(({ closers }) => closers.includes(word));
    if (at < 0) return;
    for (const _ of this.#blocks.slice(at)) this.#endBlock(end);
  }

  /** Adds a part of the template from one offset to another. `isBlock` is false if its name can be called. */
  addPart(name: string, start: number, end: number, isBlock: boolean): void {
    if (this.#blocks.length === MAX_DEPTH) return;
    this.open(start, name, [], isBlock);
    this.#endBlock(end);
  }

  #endBlock(end: number): void {
    const part = this.#blocks.pop()?.part;
    if (!part) return;
    part.end = end;
    const around = this.#blocks.findLast((block) => block.part)?.part ?? this.#root;
    around.parts.push(part);
  }

  finish(): Markup {
    while (this.#blocks.length > 0) this.#endBlock(this.text.length);
    const markup = this.#code.finish([]);
    const isPage = PAGE.test(this.text.slice(0, 1_000));
    const isPlain = this.#isEmpty && (isPage || this.text.trim() === '');
    if (this.text.length > MAX_PAGE || isPlain) return markup;
    const sections = createSections(this.text, this.#root, this.#scripts);
    const [first] = sections;
    if (first) first.components = [...this.#includes];
    for (const section of sections) section.locals = [...this.#locals];
    return { ...markup, sections };
  }
}
