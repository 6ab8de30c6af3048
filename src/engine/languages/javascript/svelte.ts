/** Reads the components of Svelte and Astro, in which braces are code and everything outside of scripts is the template. */
import type { Markup } from '../markup.ts';
import { findCodeEnd } from './code-end.ts';
import { MarkupCode } from './markup-code.ts';
import { isCodeScript, type MarkupTag, MarkupTags } from './markup-tags.ts';
import type { TemplatePiece } from './template-parts.ts';

const NEXT = /[<{]/g;
const BLOCK = /\s*([#:@/])(\w+)/y;
/** Attributes whose name is that of a function or a variable: `use:tooltip`, `class:open`. */
const NAMING = /^(?:use|transition|in|out|animate|bind|class|style):([\w$.]+)/;
/** Those whose name is another one's if they have a value. */
const SHORTHAND = /^(?:bind|class|style):/;
/** Parts of a block that bind names. */
const BINDING = /\s(?:as|then|catch)(?:\s|$)/;
/** Mark of a store's value. */
const STORE = /(?<![\w$.])\$(?=[A-Za-z_])/g;
const SNIPPET_NAME = /\s*([\w$]+)/y;
const FRONTMATTER = /^\s*---/;

/** Reads a component of Svelte. */
export function readSvelte(text: string): Markup {
  return new BraceReader(text, true).read(0);
}

/** Reads a component of Astro. The code at its top is between lines of hyphens. */
export function readAstro(text: string): Markup {
  const reader = new BraceReader(text, false);
  const start = FRONTMATTER.exec(text)?.[0].length;
  const end = start === undefined ? -1 : text.indexOf('\n---', start);
  if (start === undefined || end < 0) return reader.read(0);
  reader.code.keep(start, end);
  return reader.read(end + '\n---'.length);
}

class BraceReader {
  readonly code: MarkupCode;
  readonly #text: string;
  readonly #tags: MarkupTags;
  /** True for blocks such as `{#if}`, as in Svelte. */
  readonly #hasBlocks: boolean;
  readonly #pieces: TemplatePiece[] = [];
  /** Start of the template that is being read, and true once it has a tag or an expression. */
  #start = 0;
  #hasMarkup = false;
  /** Snippet that is being read, and the number of snippets around the text. */
  #snippet: { start: number; name: string } | null = null;
  #snippetDepth = 0;

  constructor(text: string, hasBlocks: boolean) {
    this.code = new MarkupCode(text);
    this.#text = text;
    this.#tags = new MarkupTags(text, true);
    this.#hasBlocks = hasBlocks;
  }

  read(from: number): Markup {
    const text = this.#text;
    let at = from;
    this.#start = from;
    for (;;) {
      NEXT.lastIndex = at;
      const next = NEXT.exec(text)?.index;
      if (next === undefined) break;
      at = text[next] === '{' ? this.#readBraces(next) : this.#readMarkup(next);
    }
    this.#endTemplate(text.length, text.length);
    return this.code.finish(this.#pieces);
  }

  #readMarkup(at: number): number {
    if (this.#text.startsWith('<!--', at)) return this.#tags.skipComment(at);
    const tag = this.#tags.readTag(at);
    if (!tag) return at + 1;
    if ((tag.name === 'script' || tag.name === 'style') && !tag.isSelfClosing)
      return this.#readRawBlock(at, tag);
    this.#hasMarkup = true;
    this.#readTag(tag);
    return tag.end;
  }

  #readRawBlock(at: number, tag: MarkupTag): number {
    const closing = this.#text.indexOf(`</${tag.name}`, tag.end);
    const last = closing < 0 ? this.#text.length : closing;
    const end = this.#text.indexOf('>', last) + 1 || this.#text.length;
    if (tag.name === 'script' && isCodeScript(this.#text, tag)) this.code.keep(tag.end, last);
    this.#endTemplate(at, end);
    return end;
  }

  /** Ends the template before an offset. Another one may begin at `next`. */
  #endTemplate(end: number, next: number): void {
    if (this.#snippet) this.#pieces.push({ ...this.#snippet, end });
    else {
      let start = this.#start;
      while (start < end && /\s/.test(this.#text.charAt(start))) start++;
      if (this.#hasMarkup) this.#pieces.push({ start, end, name: null });
    }
    this.#start = next;
    this.#hasMarkup = false;
    this.#snippet = null;
    this.#snippetDepth = 0;
  }

  #readTag({ name, nameStart, attributes }: MarkupTag): void {
    this.code.addTagStart(nameStart - 1);
    if (/^[A-Z][\w$.]*$/.test(name) || /^[\w$]+\.[\w$.]+$/.test(name))
      this.code.addName(nameStart, name);
    for (const { name, nameStart, valueStart, valueEnd, form } of attributes) {
      const named = this.#hasBlocks ? NAMING.exec(name) : null;
      if (named?.[1] && (form === 'none' || !SHORTHAND.test(name)))
        this.code.addName(nameStart + named[0].length - named[1].length, named[1]);
      if (this.#hasBlocks && name.startsWith('let:'))
        this.code.addLocals(nameStart + 'let:'.length, nameStart + name.length);
      if (form === 'braces') this.#readCode(valueStart, valueEnd);
      else if (form === 'quoted') this.#readQuoted(valueStart, valueEnd);
    }
  }

  /** Reads the expressions in `"a {b} c"`. */
  #readQuoted(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const open = this.#text.indexOf('{', at);
      if (open < 0 || open >= end) return;
      const close = this.#tags.findBraceEnd(open + 1, end);
      if (close < 0) return;
      this.#readCode(open + 1, close);
      at = close + 1;
    }
  }

  #readBraces(at: number): number {
    const end = this.#tags.findBraceEnd(at + 1);
    if (end < 0) return at + 1;
    this.#readCode(at + 1, end);
    this.#hasMarkup = true;
    return this.#isSnippetEnd(at + 1) ? this.#endSnippet(end + 1) : end + 1;
  }

  /** Reads what is between braces: an expression, or the start of a block. */
  #readCode(start: number, end: number): void {
    BLOCK.lastIndex = start;
    const block = this.#hasBlocks ? BLOCK.exec(this.#text) : null;
    if (!block || BLOCK.lastIndex > end) {
      this.#addExpression(start, end);
      return;
    }
    const [whole, mark, word] = block;
    const after = start + whole.length;
    if (mark === '@') this.#addExpression(word === 'const' ? after - word.length : after, end);
    else if (word === 'snippet') this.#startSnippet(start - 1, after, end);
    else if (mark === '#') this.#readBlock(after, end);
    else if (word === 'else') this.#readElse(after, end);
    else if (mark === ':') this.code.addLocals(after, end);
  }

  /** Reads `items as item, i (item.id)`, `promise then value` or a condition. */
  #readBlock(start: number, end: number): void {
    const code = this.#text.slice(start, end);
    const binding = BINDING.exec(code);
    if (!binding) {
      this.#addExpression(start, end);
      return;
    }
    const bound = start + binding.index + binding[0].length;
    const isPattern = '{['.includes(this.#text.charAt(bound));
    const afterPattern = isPattern ? findCodeEnd(this.#text, bound + 1, end) : bound;
    const key = this.#text.indexOf('(', Math.max(afterPattern, bound));
    const hasKey = key >= 0 && key < end;
    this.#addExpression(start, start + binding.index);
    this.code.addLocals(bound, hasKey ? key : end);
    if (hasKey) this.#addExpression(key + 1, this.#text.lastIndexOf(')', end));
  }

  /** Adds an expression. `$total` in a component of Svelte is the value of the store `total`. */
  #addExpression(start: number, end: number): void {
    this.code.addExpression(start, end);
    if (!this.#hasBlocks) return;
    for (const { index } of this.#text.slice(start, end).matchAll(STORE))
      this.code.put(start + index, ' ');
  }

  #readElse(start: number, end: number): void {
    const condition = this.#text.slice(start, end).search(/\bif\b/);
    if (condition >= 0) this.#addExpression(start + condition + 'if'.length, end);
  }

  /** Reads `row(item)`. A snippet that begins a line, outside of any other, is a function of its own. */
  #startSnippet(at: number, nameStart: number, end: number): void {
    SNIPPET_NAME.lastIndex = nameStart;
    const name = SNIPPET_NAME.exec(this.#text)?.[1];
    if (name === undefined || SNIPPET_NAME.lastIndex > end) return;
    const isFirst = at === 0 || this.#text[at - 1] === '\n';
    if (isFirst && this.#snippetDepth === 0) {
      this.#endTemplate(at, at);
      this.#snippet = { start: at, name };
    } else this.code.locals.push({ at, name });
    this.#snippetDepth++;
    this.code.addLocals(SNIPPET_NAME.lastIndex, end);
  }

  #isSnippetEnd(start: number): boolean {
    BLOCK.lastIndex = start;
    const block = this.#hasBlocks ? BLOCK.exec(this.#text) : null;
    return block?.[1] === '/' && block[2] === 'snippet';
  }

  #endSnippet(end: number): number {
    this.#snippetDepth = Math.max(0, this.#snippetDepth - 1);
    if (this.#snippetDepth === 0 && this.#snippet) this.#endTemplate(end, end);
    return end;
  }
}
