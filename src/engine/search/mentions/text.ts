import type { IssueSpan } from '../../../shared/types.ts';

/** What of an issue is looked at: all of it, or the beginning and the end of a very long one. */
export interface Passage {
  /** Where the passage begins in the issue, in UTF-16 units. */
  offset: number;
  text: string;
}

const MAX_HEAD = 150_000;
const MAX_TAIL = 50_000;

/**
 * The passages that are read. A long paste says at its beginning what the trouble is, and at its end, where a log has
 * its last error; the middle is left out.
 */
export function passagesOf(issue: string): Passage[] {
  if (issue.length <= MAX_HEAD + MAX_TAIL) return [{ offset: 0, text: issue }];
  const tail = issue.length - MAX_TAIL;
  return [
    { offset: 0, text: issue.slice(0, MAX_HEAD) },
    { offset: tail, text: issue.slice(tail) },
  ];
}

/** An identifier with the dots and identifiers that follow. Never fails once begun, so it takes linear time. */
export const DOTTED = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{M}\p{N}_]*)*/gu;
/** As many characters as could be one path. */
export const PATH_RUN = /[\p{L}\p{M}\p{N}_.~+@%/\\-]+/gu;

/** `[start, end)` of a passage as a span of the issue. */
export function spanOf(passage: Passage, start: number, end: number): IssueSpan {
  const { offset, text } = passage;
  return { start: offset + start, end: offset + end, text: text.slice(start, end) };
}

/** Answers whether positions, asked in increasing order, lie in one of these ranges, which are sorted by start. */
export function rangeReader(
  ranges: readonly (readonly [number, number])[],
): (at: number) => boolean {
  let next = 0;
  let end = 0;
  return (at) => {
    while (next < ranges.length && ranges[next][0] <= at) {
      end = Math.max(end, ranges[next++][1]);
    }
    return at < end;
  };
}

/** `[start, end)` of every match. */
export function matchRanges(pattern: RegExp, text: string): [number, number][] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => [index, index + match.length]);
}
