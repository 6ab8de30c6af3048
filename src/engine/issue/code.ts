import type { Line } from './lines.ts';
import { matchRanges, type Passage } from './passages.ts';

/** Inline code of Markdown, reStructuredText and Trac. */
const INLINE = /`[^`\n]{1,300}`|(?<!\{{8})\{\{\{[^\n]{1,300}?\}\}\}/g;

/** The parts of an issue whose words are code, as `[start, end)` sorted by start; they may overlap. */
export function codeRanges(
  passages: readonly Passage[],
  lines: readonly Line[],
): [number, number][] {
  const inline = passages.flatMap(({ offset, text }) =>
    matchRanges(INLINE, text).map(([start, end]): [number, number] => [
      offset + start,
      offset + end,
    ]),
  );
  return [...inline, ...codeLines(lines)].sort((a, b) => a[0] - b[0]);
}

/** Lines in a block, even one that a template's comment hides, and lines that are code by their looks. */
function* codeLines(lines: readonly Line[]): Generator<[number, number]> {
  let block: 'fence' | 'braces' | null = null;
  for (const { start, text, isAfterGap, marks } of lines) {
    if (isAfterGap) block = null;
    if (block) {
      yield [start, start + text.length];
      if (block === 'fence' ? marks.isFence : marks.braces === 'close') block = null;
    } else if (marks.isFence) block = 'fence';
    else if (marks.braces === 'open' && !text.includes('}}}')) block = 'braces';
    else if (marks.isIndented || marks.isInput) yield [start, start + text.length];
  }
}
