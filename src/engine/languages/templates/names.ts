/** Finds names in the expressions of templates, in any language: `a.b`, `$a->b`, `A::b`, `a&.b?`. */

export interface ChainPart {
  at: number;
  name: string;
}

export interface NameChain {
  parts: readonly [ChainPart, ...ChainPart[]];
  end: number;
  /** Last character before it in the expression other than white space; empty at its start. */
  before: string;
  /** Text of the expression behind it, of at most 40 UTF-16 units. */
  after: string;
}

/** String, comment or name. */
const NEXT = /["'`]|(?:#[ \t]|\/\/)[^\n]*|@?[\p{L}_$][\p{L}\p{N}_$]*/gu;
const SUFFIX = /[?!](?![=\w])/y;
const LINK = /(?:\?->|->|::|[?&]?\.)(?=[\p{L}_])/uy;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const AFTER = 40;

/** Returns the chains of names in a part of a text. Strings and comments are skipped. */
export function* findChains(text: string, start: number, end: number): Generator<NameChain> {
  for (let at = start; at < end; ) {
    NEXT.lastIndex = at;
    const found = NEXT.exec(text);
    if (!found || found.index >= end) return;
    const [written] = found;
    const first = written.charAt(0);
    if (/["'`#/]/.test(first)) {
      const isComment = first === '#' || first === '/';
      at = isComment ? found.index + written.length : skipString(text, found.index, end);
      continue;
    }
    const before = findBefore(text, start, found.index);
    const head = addSuffix(text, found.index, written);
    const parts: [ChainPart, ...ChainPart[]] = [head];
    at = found.index + head.name.length;
    for (let part = readPart(text, at); part; part = readPart(text, at)) {
      parts.push(part);
      at = part.at + part.name.length;
    }
    at = Math.min(at, end);
    yield { parts, end: at, before, after: text.slice(at, Math.min(end, at + AFTER)) };
  }
}

function readPart(text: string, at: number): ChainPart | null {
  const link = match(LINK, text, at);
  const name = link === '' ? '' : match(NAME, text, at + link.length);
  return name === '' ? null : addSuffix(text, at + link.length, name);
}

/** Adds the `?` or `!` at the end of a name in Ruby. */
function addSuffix(text: string, at: number, name: string): ChainPart {
  return { at, name: name + match(SUFFIX, text, at + name.length) };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function findBefore(text: string, start: number, at: number): string {
  let before = at - 1;
  while (before >= start && before > at - AFTER && /\s/.test(text.charAt(before))) before--;
  return before < start ? '' : text.charAt(before);
}

/** Returns the offset after a string; after its quote if it does not end. */
function skipString(text: string, start: number, end: number): number {
  const quote = text[start];
  for (let at = start + 1; at < end; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === '\n') break;
  }
  return start + 1;
}

/** Text in quotes: the offset of its first character, and what is in it. */
export interface QuotedText {
  at: number;
  value: string;
}

/** Returns the first text in quotes in a part of a text; null without one. */
export function findQuoted(text: string, start: number, end: number): QuotedText | null {
  const [found] = text.slice(start, end).matchAll(/(["'])([^"'\n]{1,200})\1/g);
  return found ? { at: start + found.index + 1, value: found[2] ?? '' } : null;
}

/** Returns the offset of the bracket that closes an open one at an offset, by counting; -1 if none does before `limit`. */
export function findCloser(text: string, open: number, limit: number): number {
  const [opener, closer] = text[open] === '(' ? '()' : '{}';
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = text[at];
    if (char === '"' || char === "'") at = skipString(text, at, limit) - 1;
    else if (char === opener) depth++;
    else if (char === closer && --depth === 0) return at;
  }
  return -1;
}
