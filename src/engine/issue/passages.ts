import type { IssueSpan } from '../../shared/evidence.ts';
import { blankOut } from '../languages/blank.ts';

/** A part of an issue: all of it, or a part of one with very long lines. Nothing is left out between passages. */
export interface Passage {
  /** Start in the issue, in UTF-16 units. */
  offset: number;
  text: string;
  /** Set if it continues a very long line. */
  isRest?: true;
}

/** Maximum UTF-16 units of a line. Longer ones, which no person wrote, are split. */
export const MAX_LINE = 20_000;

/** Splits very long lines: patterns look back to the start of a line, and its first part is enough for its words. */
export function splitPassages(issue: string): Passage[] {
  const passages: Passage[] = [];
  let from = 0;
  for (let start = 0; start < issue.length; ) {
    const newline = issue.indexOf('\n', start);
    const end = newline < 0 ? issue.length : newline + 1;
    if ((newline < 0 ? end : newline) - start > MAX_LINE) {
      const rest = findSplit(issue, start, end);
      passages.push({ offset: from, text: issue.slice(from, rest) });
      for (from = rest; from < end; ) {
        const to = findSplit(issue, from, end);
        passages.push({ offset: from, text: issue.slice(from, to), isRest: true });
        from = to;
      }
    }
    start = end;
  }
  const last = { offset: from, text: issue.slice(from) };
  return passages.length === 0 || last.text !== '' ? [...passages, last] : passages;
}

/** UTF-16 units before the end of a part that are searched for a space to split at. */
const LOOK_BACK = 1000;

/** Returns the end of the part of a line that begins at `start`: if possible between words. */
function findSplit(issue: string, start: number, end: number): number {
  const most = start + MAX_LINE;
  if (end <= most) return end;
  const space = issue.lastIndexOf(' ', most - 1);
  return space < most - LOOK_BACK ? most : space + 1;
}

/** Maximum UTF-16 units that are searched for names and paths at once, to bound memory. */
const MAX_AT_ONCE = 100_000;

/** Yields passages in parts that end with a line. */
export function* cutAtLines(passages: readonly Passage[]): Generator<Passage> {
  for (const passage of passages) {
    const { offset, text } = passage;
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start + MAX_AT_ONCE);
      const end = newline < 0 ? text.length : newline + 1;
      yield start === 0 && end === text.length
        ? passage
        : { offset: offset + start, text: text.slice(start, end) };
      start = end;
    }
  }
}

/** Longest run of characters that may be one path. */
export const PATH_RUN = /[\p{L}\p{M}\p{N}_.~+@%/\\-]+/gu;

/** Returns `[start, end)` of a passage as a span of the issue. */
export function createIssueSpan(passage: Passage, start: number, end: number): IssueSpan {
  const { offset, text } = passage;
  return { start: offset + start, end: offset + end, text: text.slice(start, end) };
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
