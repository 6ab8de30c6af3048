import type { IssueSyntax } from '../languages/issue-syntax.ts';
import type { ClassifiedLine } from './line-kinds.ts';
import { findRanges, type Passage } from './passages.ts';

/** Inline code of Markdown, reStructuredText and Trac. */
const INLINE = /`[^`\n]{1,300}`|(?<!\{{8})\{\{\{[^\n]{1,300}?\}\}\}/g;

/** Info strings of blocks that may be code in any language. */
const ANY_LANGUAGE = new Set(['', 'code', 'diff', 'patch']);

export interface CodeRange {
  start: number;
  end: number;
  /** Info string after the fence of its block; '' without one. */
  info: string;
}

/** Finds the parts of an issue whose words are code, sorted by start; they may overlap. */
export function findCodeRanges(
  passages: readonly Passage[],
  lines: readonly ClassifiedLine[],
): CodeRange[] {
  const inline = passages.flatMap(({ offset, text }) =>
    findRanges(INLINE, text).map(([start, end]): CodeRange => {
      return { start: offset + start, end: offset + end, info: '' };
    }),
  );
  return [...inline, ...findCodeLines(lines)].sort((a, b) => a.start - b.start);
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

/** Yields lines in blocks, even in hidden comments, and lines that look like code. */
function* findCodeLines(lines: readonly ClassifiedLine[]): Generator<CodeRange> {
  let block: 'fence' | 'braces' | null = null;
  let info = '';
  for (const { start, text, isAfterGap, marks, kind } of lines) {
    const end = start + text.length;
    if (isAfterGap) block = null;
    if (block) {
      yield { start, end, info: kind === 'traceback' ? '' : info };
      if (block === 'fence' ? marks.isFence : marks.braces === 'close') block = null;
    } else if (marks.isFence) {
      block = 'fence';
      info = marks.info;
    } else if (marks.braces === 'open' && !text.includes('}}}')) {
      block = 'braces';
      info = '';
    } else if (marks.isIndented || marks.isInput) yield { start, end, info: '' };
  }
}

/** Finds code and output: fenced blocks with their fences, indented lines, tracebacks; without blank lines at the ends. */
export function findCodeBlocks(lines: readonly ClassifiedLine[]): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const { start, text, kind, isFenced, isAfterGap } of lines) {
    const isBlock = isFenced || kind === 'code' || kind === 'traceback';
    const last = blocks.at(-1);
    if (!isBlock || isAfterGap) isOpen = false;
    if (!isBlock || text.trim() === '') continue;
    const end = start + text.length;
    if (isOpen && last) last.end = end;
    else blocks.push({ start, end });
    isOpen = true;
  }
  return blocks;
}
