/** Line-by-line differences between two versions of a function's code. */
import { structuredPatch } from 'diff';
import type { ChunkSummary } from './chunk.ts';
import { escapeHidden } from './quote.ts';

/** A text and its first line in the file, from 1. */
export interface NumberedCode {
  code: string;
  startLine: number;
}

/** Returns the code of a chunk with its first line. Module code is not contiguous, so its lines count from 1. */
export const numberCode = (
  code: string,
  { kind, startLine }: Pick<ChunkSummary, 'kind' | 'startLine'>,
): NumberedCode => ({ code, startLine: kind === 'module' ? 1 : startLine });

interface DiffLine {
  is: 'same' | 'removed' | 'added';
  /** Without the line feed. */
  text: string;
  /** Line number before and after, from 1; null in the version that lacks the line. */
  was: number | null;
  now: number | null;
}

/** Adjacent changed lines, with the lines around them. */
export interface DiffHunk {
  /** First line and number of lines of each side, as in a unified diff. */
  was: { start: number; count: number };
  now: { start: number; count: number };
  lines: DiffLine[];
}

const CONTEXT = 3;

/** Maximum number of removed and added lines of a shortest difference; the time to find one grows with their square. */
const MAX_EDITS = 1000;

/**
 * Returns the shortest difference (Myers, 1986). If that has more than `MAX_EDITS` lines, all old lines are removed and all
 * new ones added. Returns an empty array for equal lines.
 */
export function diffCode(was: NumberedCode, now: NumberedCode): DiffHunk[] {
  const [before, after] = [normalizeLines(was.code), normalizeLines(now.code)];
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  const hunks = patch?.hunks ?? [
    { oldStart: 1, newStart: 1, lines: [...prefixLines('-', before), ...prefixLines('+', after)] },
  ];
  return hunks.map(({ oldStart, newStart, lines }) =>
    toHunk(lines, oldStart + was.startLine - 1, newStart + now.startLine - 1),
  );
}

/** Ends every line with a line feed, the last one too. */
const normalizeLines = (code: string): string =>
  `${code.replace(/\r\n/g, '\n').replace(/\n$/, '')}\n`;

const prefixLines = (sign: string, text: string): string[] =>
  text
    .slice(0, -1)
    .split('\n')
    .map((line) => sign + line);

function toHunk(lines: readonly string[], wasStart: number, nowStart: number): DiffHunk {
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

export function formatUnifiedDiff(
  paths: { was: string; now: string },
  hunks: readonly DiffHunk[],
): string[] {
  const signs = { same: ' ', removed: '-', added: '+' };
  return [
    `--- a/${escapeHidden(paths.was)}`,
    `+++ b/${escapeHidden(paths.now)}`,
    ...hunks.flatMap(({ was, now, lines }) => [
      `@@ -${was.start},${was.count} +${now.start},${now.count} @@`,
      ...lines.map(({ is, text }) => signs[is] + text),
    ]),
  ];
}
