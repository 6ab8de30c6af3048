import type { IssueSpan } from '../../shared/evidence.ts';
import { blankOut } from '../languages/blank.ts';

/** A part of an issue that is read: all of it, or what is left after cutting long lines and very long texts. */
export interface Passage {
  /** Start in the issue, in UTF-16 units. */
  offset: number;
  text: string;
  /** Set if the rest of its last line is left out; the next passage begins with the next line. */
  isCut?: true;
}

/** Maximum UTF-16 units that are read: of the beginning and the end of a very long issue, and of a line. */
export const MAX_HEAD = 150_000;
export const MAX_TAIL = 50_000;
export const MAX_LINE = 20_000;

/**
 * Selects the passages of an issue that are read. Nothing else cuts an issue. A long text describes the problem at its
 * beginning, and a log has the last error at its end, so the middle is left out. Of a very long line, which no person
 * wrote, the beginning is enough.
 */
export function selectPassages(issue: string): Passage[] {
  if (issue.length <= MAX_HEAD + MAX_TAIL) return cutLines(0, issue);
  const tail = issue.length - MAX_TAIL;
  return [...cutLines(0, issue.slice(0, MAX_HEAD)), ...cutLines(tail, issue.slice(tail))];
}

function cutLines(offset: number, text: string): Passage[] {
  const passages: Passage[] = [];
  let from = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > MAX_LINE) {
      const read = text.slice(from, start + MAX_LINE);
      passages.push({ offset: offset + from, text: read, isCut: true });
      from = end + 1;
    }
    start = end + 1;
  }
  const rest = { offset: offset + from, text: text.slice(from) };
  return passages.length === 0 || rest.text !== '' ? [...passages, rest] : passages;
}

/** Longest run of characters that may be one path. */
export const PATH_RUN = /[\p{L}\p{M}\p{N}_.~+@%/\\-]+/gu;

/** Returns `[start, end)` of a passage as a span of the issue. */
export function createIssueSpan(passage: Passage, start: number, end: number): IssueSpan {
  const { offset, text } = passage;
  return { start: offset + start, end: offset + end, text: text.slice(start, end) };
}

/** Returns a test whether a position is in one of these ranges. Ranges are sorted by start; positions must increase. */
export function createRangeTest(
  ranges: readonly (readonly [number, number])[],
): (at: number) => boolean {
  let next = 0;
  let end = 0;
  return (at) => {
    for (let range = ranges[next]; range && range[0] <= at; range = ranges[++next]) {
      end = Math.max(end, range[1]);
    }
    return at < end;
  };
}

/** Returns `[start, end)` of every match. */
export function findRanges(pattern: RegExp, text: string): [number, number][] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => [index, index + match.length]);
}

/** Shell prompts with user, host and folder: `ann@host:~/shop (main)$ `, `[root@host shop]# `, `(env) ann@host:/tmp$ `. */
const PROMPT =
  /^([ \t>]{0,8})((?:\([\w.-]{1,60}\) )?(?:[\w.-]{1,60}@[\w.-]{1,80}:[~/][^\n$#]{0,200}?|\[[\w.-]{1,60}@[\w.-]{1,80} [^\n\]$#]{1,200}\]))[$#](?= )/gm;

/** Blanks shell prompts except for the dollar. Otherwise, the folder's name would count as often as a command was typed. */
export function blankPrompts(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => ({
    ...passage,
    text: passage.text.replace(
      PROMPT,
      (_, before: string, prompt: string) => `${before}${blankOut(prompt)}$`,
    ),
  }));
}
