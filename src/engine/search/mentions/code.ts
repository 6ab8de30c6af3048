import { matchRanges, type Passage } from './text.ts';

/** Inline code of Markdown, reStructuredText and Trac. */
const INLINE = /`[^`\n]{1,300}`|(?<!\{{8})\{\{\{[^\n]{1,300}?\}\}\}/g;
/** Lines that open and close a block: Markdown's fences, Trac's braces. */
const FENCE = /^[ \t>]{0,20}(?:```|~~~)/;
const TRAC_OPEN = /^[ \t]{0,20}\{\{\{/;
const TRAC_CLOSE = /^[ \t]{0,20}\}\}\}/;
/** A line that is code by its looks: indented like a Markdown block, or typed at Python's or IPython's prompt. */
const CODE_LINE = /^(?: {4}|\t|>>> |\.\.\. |In \[\d{1,6}\]:)/;

/** The parts of each passage that are code rather than prose, as `[start, end)` sorted by start; they may overlap. */
export function codeRanges(passages: readonly Passage[]): [number, number][][] {
  let fence = '';
  return passages.map(({ text }, i) => {
    // A block goes on after a line that is cut.
    if (!passages[i - 1]?.isCut) fence = '';
    const code = codeIn(text, fence);
    fence = code.fence;
    return code.ranges;
  });
}

function codeIn(text: string, open: string): { ranges: [number, number][]; fence: string } {
  const ranges = matchRanges(INLINE, text);
  let fence = open;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + 64));
    if (fence) {
      ranges.push([start, end]);
      if ((fence === '```' ? FENCE : TRAC_CLOSE).test(line)) fence = '';
    } else if (FENCE.test(line)) fence = '```';
    else if (TRAC_OPEN.test(line) && !text.slice(start, end).includes('}}}')) fence = '{{{';
    else if (CODE_LINE.test(line)) ranges.push([start, end]);
    start = end + 1;
  }
  return { ranges: ranges.sort((a, b) => a[0] - b[0]), fence };
}
