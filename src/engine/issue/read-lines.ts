import type { IssueSyntax } from '../languages/issue-syntax.ts';
import { CodeBlockReader, CodeLineReader, type CodeRange } from './code.ts';
import { type ClassifiedLine, classifyLines } from './line-kinds.ts';
import { markLines } from './lines.ts';
import { isHeading } from './mentions/ordinary-words.ts';
import type { Passage } from './passages.ts';
import { RangeList, type TextRange } from './ranges.ts';
import { findRepeats } from './repeats.ts';
import { WordLines } from './word-lines.ts';

/** Lines of an issue, mostly as ranges of the issue. */
interface ReadLines {
  /** Lines whose words are searched for, in order. */
  words: ClassifiedLine[];
  /** True if other lines than repetitions are left out of `words`. */
  isLimited: boolean;
  /** Number of lines of which only the first part is in `words`. */
  longLines: number;
  /** Comments of a template: they are the maintainers' words, not the reporter's. */
  comments: readonly TextRange[];
  /** Comments, and lines that repeat others. */
  skipped: readonly TextRange[];
  prose: readonly TextRange[];
  /** Lines whose capitals say nothing. */
  headings: readonly TextRange[];
  code: readonly CodeRange[];
  /** Blocks of code and output, with their fences. */
  blocks: TextRange[];
}

/**
 * Reads the lines of an issue. It keeps few of them in memory, since an issue may have millions.
 * @param hidden end of the comments that the issue begins with (`getLeadingCommentsEnd`)
 * @param length length of the issue in UTF-16 units
 */
export function readLines(
  passages: readonly Passage[],
  syntaxes: readonly IssueSyntax[],
  hidden: number,
  length: number,
): ReadLines {
  const words = new WordLines();
  const code = new CodeLineReader();
  const blocks = new CodeBlockReader();
  const comments = new RangeList();
  const skipped = new RangeList();
  const prose = new RangeList();
  const headings = new RangeList();
  let longLines = 0;
  let wasRest = false;
  const lines = classifyLines(markLines(passages, syntaxes), syntaxes, hidden);
  for (const { line, isRepeat } of findRepeats(lines, length)) {
    const { start, text, kind, isRest } = line;
    const range = { start, end: start + text.length };
    code.add(line);
    blocks.add(line);
    if (kind === 'title' || kind === 'prose') prose.add(range);
    if (isHeading(line)) headings.add(range);
    if (line.isComment) {
      const comment = { start, end: start + (text.split('-->', 1)[0] ?? '').length };
      comments.add(comment);
      skipped.add(comment);
    }
    if (isRepeat) skipped.add(range);
    else if (!isRest) words.add(line);
    if (isRest && !wasRest) longLines++;
    wasRest = isRest;
  }
  return {
    words: words.lines,
    isLimited: words.isLimited,
    longLines,
    comments: comments.ranges,
    skipped: skipped.ranges,
    prose: prose.ranges,
    headings: headings.ranges,
    code: code.ranges,
    blocks: blocks.ranges,
  };
}
