import type { IssueSyntax } from '../languages/issue-syntax.ts';
import type { ClassifiedLine } from './line-kinds.ts';
import type { Passage } from './passages.ts';
import { findRanges, RangeList, type TextRange } from './ranges.ts';

/** Inline code of Markdown, reStructuredText and Trac. */
const INLINE = /`[^`\n]{1,300}`|(?<!\{{8})\{\{\{[^\n]{1,300}?\}\}\}/g;

/** Info strings of blocks that may be code in any language. */
const ANY_LANGUAGE = new Set(['', 'code', 'diff', 'patch']);

export interface CodeRange extends TextRange {
  /** Info string after the fence of its block; '' without one. */
  info: string;
  /** True for code within a line of text, between backquotes or braces. */
  isInline: boolean;
}

/**
 * Finds the parts of an issue whose words are code, sorted by start; they may overlap.
 * @param lines lines that are code (`CodeLineReader`)
 */
export function findCodeRanges(
  passages: readonly Passage[],
  lines: readonly CodeRange[],
): CodeRange[] {
  const inline = new RangeList<CodeRange>();
  for (const { offset, text } of passages)
    for (const { start, end } of findRanges(INLINE, text))
      inline.add({ start: offset + start, end: offset + end, info: '', isInline: true });
  return [...inline.ranges, ...lines].sort((a, b) => a.start - b.start);
}

/** Returns true if a block with this info string may be code in this language. */
export function mayBeLanguage({ words }: IssueSyntax, info: string): boolean {
  return words === null || ANY_LANGUAGE.has(info) || words.fence.test(info);
}

/**
 * Returns a function that takes a block's info string and returns a test for keywords. A word is a keyword if it is one in
 * every language that the info string names, or without a known name, in every language that the block may be in.
 */
export function createKeywordTests(
  syntaxes: readonly IssueSyntax[],
): (info: string) => (word: string) => boolean {
  return (info) => {
    const named = syntaxes.filter(({ words }) => words?.fence.test(info));
    const possible = (named.length > 0 ? named : syntaxes).filter((one) =>
      mayBeLanguage(one, info),
    );
    if (possible.length === 0) return () => false;
    return (word) => possible.every(({ words }) => words?.keywords.has(word));
  };
}

/** Collects lines in blocks, even in hidden comments, and lines that look like code. */
export class CodeLineReader {
  readonly #found = new RangeList<CodeRange>((a, b) => a.info === b.info);
  #block: 'fence' | 'braces' | null = null;
  #info = '';

  get ranges(): readonly CodeRange[] {
    return this.#found.ranges;
  }

  /** Reads the next line. */
  add({ start, text, marks, kind }: ClassifiedLine): void {
    const end = start + text.length;
    const isInline = false;
    if (this.#block) {
      this.#found.add({ start, end, info: kind === 'traceback' ? '' : this.#info, isInline });
      if (this.#block === 'fence' ? marks.isFence : marks.braces === 'close') this.#block = null;
    } else if (marks.isFence) {
      this.#block = 'fence';
      this.#info = marks.info;
    } else if (marks.braces === 'open' && !text.includes('}}}')) {
      this.#block = 'braces';
      this.#info = '';
    } else if (marks.isIndented || marks.isInput)
      this.#found.add({ start, end, info: '', isInline });
  }
}

/** Collects blocks of code and output: fenced blocks with their fences, indented lines, tracebacks; without blank lines at the ends. */
export class CodeBlockReader {
  readonly ranges: TextRange[] = [];
  #isOpen = false;

  /** Reads the next line. */
  add({ start, text, kind, isFenced }: ClassifiedLine): void {
    const isBlock = isFenced || kind === 'code' || kind === 'traceback';
    if (!isBlock) this.#isOpen = false;
    if (!isBlock || text.trim() === '') return;
    const end = start + text.length;
    const last = this.ranges.at(-1);
    if (this.#isOpen && last) last.end = end;
    else this.ranges.push({ start, end });
    this.#isOpen = true;
  }
}
