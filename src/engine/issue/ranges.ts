import { blankOut } from '../languages/blank.ts';
import type { Passage } from './passages.ts';

/** Part of a text or an issue, in UTF-16 units. `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** Ranges that are added in order. Ranges next to each other, or with only a line end between them, become one. */
export class RangeList<Range extends TextRange = TextRange> {
  readonly ranges: Range[] = [];
  readonly #isSame: (a: Range, b: Range) => boolean;

  /** @param isSame returns true if two ranges may become one; any may by default */
  constructor(isSame: (a: Range, b: Range) => boolean = () => true) {
    this.#isSame = isSame;
  }

  add(range: Range): void {
    const last = this.ranges.at(-1);
    if (last && range.start <= last.end + 1 && this.#isSame(last, range))
      last.end = Math.max(last.end, range.end);
    else this.ranges.push({ ...range });
  }
}

/**
 * Returns a test whether a position is in one of these ranges. Ranges are sorted by start; positions must increase.
 * @param isAccepted returns false for ranges to ignore
 */
export function createRangeTest<Range extends TextRange>(
  ranges: readonly Range[],
  isAccepted: (range: Range) => boolean = () => true,
): (at: number) => boolean {
  let next = 0;
  let end = 0;
  return (at) => {
    for (let range = ranges[next]; range && range.start <= at; range = ranges[++next]) {
      if (isAccepted(range)) end = Math.max(end, range.end);
    }
    return at < end;
  };
}

/** Returns the range of every match. */
export function findRanges(pattern: RegExp, text: string): TextRange[] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => {
    return { start: index, end: index + match.length };
  });
}

/** Replaces ranges of an issue by spaces, so that all else keeps its position. Ranges are sorted and do not overlap. */
export function blankRanges(
  passages: readonly Passage[],
  ranges: readonly TextRange[],
): readonly Passage[] {
  if (ranges.length === 0) return passages;
  let next = 0;
  return passages.map((passage) => {
    const { offset, text } = passage;
    const parts: string[] = [];
    let from = 0;
    for (let range = ranges[next]; range && from < text.length; range = ranges[next]) {
      const start = Math.min(Math.max(range.start - offset, from), text.length);
      const end = Math.min(Math.max(range.end - offset, start), text.length);
      parts.push(text.slice(from, start), blankOut(text.slice(start, end)));
      from = end;
      if (range.end - offset > text.length) break;
      next++;
    }
    return { ...passage, text: [...parts, text.slice(from)].join('') };
  });
}
