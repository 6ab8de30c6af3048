/** Finds where the lines of a diff are in an indexed file, which may be the file before or after the diff. */
import { type LineEdit, listLineEdits } from '../../../base/edited-chunks.ts';
import type { DiffedFile, PatchHunk } from './read-diff.ts';

/** The side of the diff that the index has: `after` if it was applied, `before` if not. */
type DiffSide = 'before' | 'after';

export interface PlacedHunks {
  side: DiffSide;
  /** Edits by lines of the indexed file. */
  edits: LineEdit[];
  /** Lines of the file on the other side of the diff. */
  other: string[];
}

/** Remaining number of lines to compare, for all files of a diff. */
export interface Comparisons {
  left: number;
}

export const MAX_COMPARISONS = 20_000_000;

/**
 * Finds all hunks of a file in its indexed lines, at their position or at the nearest one, as `patch` does. Returns null if they are on
 * neither side.
 */
export function placeHunks(
  { hunks }: Pick<DiffedFile, 'hunks'>,
  lines: readonly string[],
  comparisons: Comparisons,
): PlacedHunks | null {
  // If both sides fit, more lines are better evidence: a side may be only a blank line.
  const count = (side: DiffSide) =>
    hunks.reduce((sum, hunk) => sum + getLines(hunk, side).length, 0);
  const isLonger = count('before') > count('after');
  for (const side of isLonger ? (['before', 'after'] as const) : (['after', 'before'] as const)) {
    const starts = findStarts(hunks, side, lines, comparisons);
    if (!starts) continue;
    const edits = hunks.flatMap(({ lines: own }, i) =>
      listLineEdits(own, (starts[i] ?? 0) + 1, getMark(side)),
    );
    return { side, edits, other: replaceHunks(hunks, side, lines, starts) };
  }
  return null;
}

/** Returns the mark of the lines that only this side has. */
const getMark = (side: DiffSide) => (side === 'after' ? '+' : '-');

const getLines = ({ lines }: PatchHunk, side: DiffSide): string[] =>
  lines.filter(({ mark }) => mark === ' ' || mark === getMark(side)).map(({ text }) => text);

/** Returns the index of the line where a hunk starts. A hunk without lines on a side gives the line above. */
const getStart = (hunk: PatchHunk, side: DiffSide): number => {
  const [start, count] =
    side === 'after' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return count === 0 ? start : start - 1;
};

/** Returns the indexes of the lines where the hunks start, in order; null if one is missing. */
function findStarts(
  hunks: readonly PatchHunk[],
  side: DiffSide,
  lines: readonly string[],
  comparisons: Comparisons,
): number[] | null {
  const starts: number[] = [];
  let [offset, end] = [0, 0];
  for (const hunk of hunks) {
    const wanted = getLines(hunk, side);
    const start = findLines(wanted, lines, getStart(hunk, side) + offset, end, comparisons);
    if (start === null) return null;
    offset = start - getStart(hunk, side);
    end = start + wanted.length;
    starts.push(start);
  }
  return starts;
}

/** Returns the index at or after `first`, nearest to `expected`, where the wanted lines start; null if they do not occur. */
function findLines(
  wanted: readonly string[],
  lines: readonly string[],
  expected: number,
  first: number,
  comparisons: Comparisons,
): number | null {
  if (wanted.length === 0) return Math.min(Math.max(expected, first), lines.length);
  const fits = (start: number) => {
    if (start < first || start + wanted.length > lines.length) return false;
    return wanted.every((line, i) => {
      comparisons.left--;
      return line === lines[start + i];
    });
  };
  for (let distance = 0; distance <= lines.length && comparisons.left > 0; distance++) {
    if (fits(expected - distance)) return expected - distance;
    if (fits(expected + distance)) return expected + distance;
  }
  return null;
}

function replaceHunks(
  hunks: readonly PatchHunk[],
  side: DiffSide,
  lines: readonly string[],
  starts: readonly number[],
): string[] {
  const other: string[] = [];
  let end = 0;
  for (const [i, hunk] of hunks.entries()) {
    const start = starts[i] ?? end;
    for (const line of lines.slice(end, start)) other.push(line);
    for (const line of getLines(hunk, side === 'after' ? 'before' : 'after')) other.push(line);
    end = start + getLines(hunk, side).length;
  }
  for (const line of lines.slice(end)) other.push(line);
  return other;
}
