import type { IssueSpan } from '../../shared/evidence.ts';
import { blank } from '../languages/blank.ts';

/** What of an issue is looked at: all of it, or what is left when long lines and a very long text are cut. */
export interface Passage {
  /** Where the passage begins in the issue, in UTF-16 units. */
  offset: number;
  text: string;
  /** Set where the rest of its last line is left out; the next passage begins with the line after. */
  isCut?: true;
}

/** UTF-16 units that are read of the beginning, of the end, and of a line. */
export const MAX_HEAD = 150_000;
export const MAX_TAIL = 50_000;
export const MAX_LINE = 20_000;

/**
 * The passages that are read: here and nowhere else is an issue cut. A long paste says at its beginning what the
 * trouble is, and at its end, where a log has its last error; the middle is left out. Of a line that no person wrote,
 * the beginning says what it is.
 */
export function passagesOf(issue: string): Passage[] {
  if (issue.length <= MAX_HEAD + MAX_TAIL) return withCutLines(0, issue);
  const tail = issue.length - MAX_TAIL;
  return [...withCutLines(0, issue.slice(0, MAX_HEAD)), ...withCutLines(tail, issue.slice(tail))];
}

function withCutLines(offset: number, text: string): Passage[] {
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
    for (let range = ranges[next]; range && range[0] <= at; range = ranges[++next]) {
      end = Math.max(end, range[1]);
    }
    return at < end;
  };
}

/** `[start, end)` of every match. */
export function matchRanges(pattern: RegExp, text: string): [number, number][] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => [index, index + match.length]);
}

/** `ann@host:~/shop (main)$ `, `[root@host shop]# `, `(env) ann@host:/tmp$ `: who typed, where and in which folder. */
const PROMPT =
  /^([ \t>]{0,8})((?:\([\w.-]{1,60}\) )?(?:[\w.-]{1,60}@[\w.-]{1,80}:[~/][^\n$#]{0,200}?|\[[\w.-]{1,60}@[\w.-]{1,80} [^\n\]$#]{1,200}\]))[$#](?= )/gm;

/** Blanks shells' prompts but for the dollar: the folder of whoever typed would be searched for as often as anything was typed. */
export function withoutPrompts(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => ({
    ...passage,
    text: passage.text.replace(
      PROMPT,
      (_, before: string, prompt: string) => `${before}${blank(prompt)}$`,
    ),
  }));
}
