/** Which chunks a patch edits: every one with a deleted line, or with an insertion strictly inside it. */

import type { ChunkSummary } from '../shared/chunk.ts';
import { type Hunk, parseDiff } from './unified-diff.ts';

/**
 * A change of the old file. Its lines `first` to `last` are deleted, or, when `last` is `first - 1`, lines are
 * inserted before `first`.
 */
export interface Edit {
  first: number;
  last: number;
}

/** The hunks of a unified diff, by path before it. New files are not among them. */
export function hunksOf(patch: string): Map<string, Hunk[]> {
  const hunks = new Map<string, Hunk[]>();
  for (const { from, hunks: more } of parseDiff(patch)) {
    if (from) hunks.set(from, [...(hunks.get(from) ?? []), ...more]);
  }
  return hunks;
}

/**
 * The changes that hunks make to one file.
 *
 * @param text of the file before them. With it a hunk whose lines stand elsewhere than it says is taken to be where they
 * are, nearest to there, as `patch` does: benchmarks have patches that were made against another commit than the one
 * they name. A hunk whose lines are nowhere stays where it says.
 */
export function editsOf(hunks: readonly Hunk[], text?: string): Edit[] {
  const lines = text?.split(/\r?\n/);
  let offset = 0;
  return hunks.flatMap((hunk) => {
    if (lines) offset = offsetOf(hunk, lines, offset);
    return editsOfHunk(hunk, offset);
  });
}

/** How many lines below where it says a hunk's old lines are, nearest to `expected`; `expected` when they are nowhere. */
function offsetOf(hunk: Hunk, lines: readonly string[], expected: number): number {
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

/** One edit for each run of deleted and inserted lines: insertions next to deletions replace them. */
function editsOfHunk({ oldStart, oldLines, lines }: Hunk, offset: number): Edit[] {
  const edits: Edit[] = [];
  let run: Edit | null = null;
  // A hunk without old lines names the line that it follows.
  let next = offset + (oldLines === 0 ? oldStart + 1 : oldStart);
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
    if (mark === '-') run.last = next++;
  }
  return edits;
}

/**
 * The chunks that edits change. A line belongs to the innermost chunk around it, so a class is edited by what changes
 * outside its methods; an insertion is inside a chunk when the lines before and after it are.
 *
 * @param chunks of one file, module chunk included or not.
 */
export function editedChunks<C extends Pick<ChunkSummary, 'startLine' | 'endLine'>>(
  chunks: readonly C[],
  edits: readonly Edit[],
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
      edited.add(around.reduce((a, b) => (lengthOf(b) <= lengthOf(a) ? b : a)));
    }
  }
}

const lengthOf = ({ startLine, endLine }: Pick<ChunkSummary, 'startLine' | 'endLine'>) =>
  endLine - startLine;
