/** Finds the chunks that a patch edits: all with a deleted line, or with an insertion strictly inside. */

import type { ChunkSummary } from '../shared/chunk.ts';
import { type Hunk, type LineMark, parseDiff } from './unified-diff.ts';

/**
 * Change to the old file: its lines `first` to `last` are deleted. If `last` is `first - 1`, lines are inserted before `first`.
 */
export interface LineEdit {
  first: number;
  last: number;
}

/** Returns the hunks of a unified diff, by the old path. New files are left out. */
export function groupHunks(patch: string): Map<string, Hunk[]> {
  const hunks = new Map<string, Hunk[]>();
  for (const { from, hunks: more } of parseDiff(patch)) {
    if (from) hunks.set(from, [...(hunks.get(from) ?? []), ...more]);
  }
  return hunks;
}

/**
 * Returns the changes that hunks make to one file.
 *
 * @param text the old file. If given, a hunk whose old lines are not at its position is moved to the nearest position where they
 * are, as `patch` does, since benchmarks contain patches against other commits than the ones they name. A hunk whose lines don't
 * occur stays at its position.
 */
export function findEdits(hunks: readonly Hunk[], text?: string): LineEdit[] {
  const lines = text?.split(/\r?\n/);
  let offset = 0;
  return hunks.flatMap((hunk) => {
    if (lines) offset = findOffset(hunk, lines, offset);
    return findEditsOfHunk(hunk, offset);
  });
}

/** Returns how many lines below its position a hunk's old lines are, nearest to `expected`; `expected` if they don't occur. */
function findOffset(hunk: Hunk, lines: readonly string[], expected: number): number {
  const old = hunk.lines
    .filter(({ mark }) => mark === ' ' || mark === '-')
    .map(({ text }) => text.trimEnd());
  if (old.length === 0) return expected;
  const first = hunk.oldStart - 1;
  const fits = (offset: number) =>
    old.every((line, i) => line === lines[first + offset + i]?.trimEnd());
  for (let distance = 0; distance <= lines.length; distance++) {
    if (fits(expected - distance)) return expected - distance;
    if (fits(expected + distance)) return expected + distance;
  }
  return expected;
}

function findEditsOfHunk({ oldStart, oldLines, lines }: Hunk, offset: number): LineEdit[] {
  // A hunk without old lines gives the line before it.
  return listLineEdits(lines, offset + (oldLines === 0 ? oldStart + 1 : oldStart), '-');
}

/**
 * Returns one edit for each run of deleted and inserted lines, since insertions next to deletions replace them.
 * @param start number of the first line in the file that is edited
 * @param own mark of the lines that only this file has
 */
export function listLineEdits(
  lines: readonly { mark: LineMark }[],
  start: number,
  own: '+' | '-',
): LineEdit[] {
  const edits: LineEdit[] = [];
  let run: LineEdit | null = null;
  let next = start;
  for (const { mark } of lines) {
    if (mark === '\\') continue;
    if (mark === ' ') {
      run = null;
      next++;
      continue;
    }
    if (!run) {
      run = { first: next, last: next - 1 };
      edits.push(run);
    }
    if (mark === own) run.last = next++;
  }
  return edits;
}

/**
 * Returns the chunks that edits change. A line belongs to the innermost chunk around it, so only changes outside its methods edit a
 * class. An insertion is inside a chunk if the lines before and after it are.
 *
 * @param chunks chunks of one file, with or without module code.
 */
export function findEditedChunks<C extends Pick<ChunkSummary, 'startLine' | 'endLine'>>(
  chunks: readonly C[],
  edits: readonly LineEdit[],
): Set<C> {
  const edited = new Set<C>();
  for (const { first, last } of edits) {
    if (last < first) addInnermost(last, first);
    else for (let line = first; line <= last; line++) addInnermost(line, line);
  }
  return edited;

  function addInnermost(from: number, to: number): void {
    const around = chunks.filter(({ startLine, endLine }) => startLine <= from && to <= endLine);
    if (around.length > 0) {
      edited.add(around.reduce((a, b) => (getLength(b) <= getLength(a) ? b : a)));
    }
  }
}

const getLength = ({ startLine, endLine }: Pick<ChunkSummary, 'startLine' | 'endLine'>) =>
  endLine - startLine;
