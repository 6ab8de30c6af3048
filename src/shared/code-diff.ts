/** How the code of a function differs from what it was, line by line. */
import { structuredPatch } from 'diff';
import type { ChunkSummary } from './chunk.ts';
import { visible } from './quoted.ts';

/** A text, and the line of its file at which it begins, from 1. */
export interface PlacedCode {
  code: string;
  startLine: number;
}

/** The code of a chunk. That of a module is what lies outside of definitions, which is no run of lines: it counts from 1. */
export const placedCode = (
  code: string,
  { kind, startLine }: Pick<ChunkSummary, 'kind' | 'startLine'>,
): PlacedCode => ({ code, startLine: kind === 'module' ? 1 : startLine });

interface DiffLine {
  is: 'same' | 'removed' | 'added';
  /** Without the line feed. */
  text: string;
  /** Its line in either file, from 1; null in the one that lacks it. */
  was: number | null;
  now: number | null;
}

/** Changed lines that lie together, with the lines around them. */
export interface DiffHunk {
  /** The first line of each side, and how many there are; as a unified diff counts. */
  was: { start: number; count: number };
  now: { start: number; count: number };
  lines: DiffLine[];
}

const CONTEXT = 3;

/** Removed and added lines at most that are searched for the shortest difference, whose time grows with their square. */
const MOST_EDITS = 1000;

/** The shortest difference (Myers, 1986); everything removed and everything added where that is too long. Empty for the same lines. */
export function diffCode(was: PlacedCode, now: PlacedCode): DiffHunk[] {
  const [before, after] = [whole(was.code), whole(now.code)];
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  const hunks = patch?.hunks ?? [
    { oldStart: 1, newStart: 1, lines: [...signed('-', before), ...signed('+', after)] },
  ];
  return hunks.map(({ oldStart, newStart, lines }) =>
    placed(lines, oldStart + was.startLine - 1, newStart + now.startLine - 1),
  );
}

/** Line feeds alone, and one at the end: a function ends with a line, whatever its file does. */
const whole = (code: string): string => `${code.replace(/\r\n/g, '\n').replace(/\n$/, '')}\n`;

const signed = (sign: string, text: string): string[] =>
  text
    .slice(0, -1)
    .split('\n')
    .map((line) => sign + line);

function placed(lines: readonly string[], wasStart: number, nowStart: number): DiffHunk {
  let [was, now] = [wasStart, nowStart];
  const numbered = lines.map((line): DiffLine => {
    const text = line.slice(1);
    if (line.startsWith('-')) return { is: 'removed', text, was: was++, now: null };
    if (line.startsWith('+')) return { is: 'added', text, was: null, now: now++ };
    return { is: 'same', text, was: was++, now: now++ };
  });
  return {
    was: { start: wasStart, count: was - wasStart },
    now: { start: nowStart, count: now - nowStart },
    lines: numbered,
  };
}

export function unifiedDiff(
  paths: { was: string; now: string },
  hunks: readonly DiffHunk[],
): string[] {
  const signs = { same: ' ', removed: '-', added: '+' };
  return [
    `--- a/${visible(paths.was)}`,
    `+++ b/${visible(paths.now)}`,
    ...hunks.flatMap(({ was, now, lines }) => [
      `@@ -${was.start},${was.count} +${now.start},${now.count} @@`,
      ...lines.map(({ is, text }) => signs[is] + text),
    ]),
  ];
}
