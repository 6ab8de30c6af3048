import type { IssueSyntax } from '../languages/issue-syntax.ts';
import type { ReadLine } from './kinds.ts';
import { matchRanges, type Passage } from './passages.ts';

/** Inline code of Markdown, reStructuredText and Trac. */
const INLINE = /`[^`\n]{1,300}`|(?<!\{{8})\{\{\{[^\n]{1,300}?\}\}\}/g;

/** What blocks say of themselves that may be code of any language. */
const ANY = new Set(['', 'code', 'diff', 'patch']);

export interface CodeRange {
  start: number;
  end: number;
  /** What stands behind the fence of its block; '' without one. */
  info: string;
}

/** The parts of an issue whose words are code, sorted by start; they may overlap. */
export function codeRanges(passages: readonly Passage[], lines: readonly ReadLine[]): CodeRange[] {
  const inline = passages.flatMap(({ offset, text }) =>
    matchRanges(INLINE, text).map(([start, end]): CodeRange => {
      return { start: offset + start, end: offset + end, info: '' };
    }),
  );
  return [...inline, ...codeLines(lines)].sort((a, b) => a.start - b.start);
}

/** Whether a block may be of this language. One that says something else is of another, or no code at all. */
export function mayBeOf({ words }: IssueSyntax, info: string): boolean {
  return words === null || ANY.has(info) || words.fence.test(info);
}

/** Whether a word is a keyword in every language that a block may be of; the ones that it names come first. */
export function keywordReader(
  syntaxes: readonly IssueSyntax[],
): (info: string) => (word: string) => boolean {
  return (info) => {
    const named = syntaxes.filter(({ words }) => words?.fence.test(info));
    const possible = (named.length > 0 ? named : syntaxes).filter((one) => mayBeOf(one, info));
    if (possible.length === 0) return () => false;
    return (word) => possible.every(({ words }) => words?.keywords.has(word));
  };
}

/** Yields the lines in blocks, even those that a comment hides, and lines that look like code. */
function* codeLines(lines: readonly ReadLine[]): Generator<CodeRange> {
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

/** Where code and output stand: blocks with their marks, indented lines, tracebacks; without blank lines at the ends. */
export function codeBlocks(lines: readonly ReadLine[]): { start: number; end: number }[] {
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
