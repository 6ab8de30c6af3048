/** Builds the diff of a commit without the changes to one function. */
import { findEditedChunks, findEdits } from '../../src/base/edited-chunks.ts';
import type { FileDiff, Hunk } from '../../src/base/unified-diff.ts';
import type { ChunkSummary } from '../../src/shared/chunk.ts';

const CONTEXT = 3;

/**
 * Returns a unified diff with one hunk a file, which has all lines from the first change to the last.
 * @param files diffs without context
 * @param functions all edited functions of the commit, and the one to hide
 * @param texts files before the commit by path; '' for a file that is not indexed
 */
export function buildDiff(
  files: readonly FileDiff[],
  texts: ReadonlyMap<string, string>,
  functions: { hidden: ChunkSummary; edited: readonly ChunkSummary[] },
): string {
  return files
    .map((file) => {
      const { from, to, hunks } = file;
      const text = from ? texts.get(from) : undefined;
      if (!from || !to || !text) return '';
      const kept = hunks.filter((hunk) => !isHidden(hunk, from, functions));
      return kept.length > 0 ? `${buildHunk(from, kept, text.split('\n'))}\n` : '';
    })
    .join('');
}

function isHidden(
  hunk: Hunk,
  path: string,
  { hidden, edited }: { hidden: ChunkSummary; edited: readonly ChunkSummary[] },
): boolean {
  const inFile = edited.filter((one) => one.path === path);
  return findEditedChunks(inFile, findEdits([hunk])).has(hidden);
}

function buildHunk(path: string, hunks: readonly Hunk[], lines: readonly string[]): string {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (!first || !last) return '';
  const start = Math.max(1, first.oldStart - CONTEXT);
  const end = Math.min(lines.length, last.oldStart + Math.max(last.oldLines, 1) - 1 + CONTEXT);
  const body: string[] = [];
  let next = start;
  for (const { oldStart, oldLines, lines: changed } of hunks) {
    // A hunk without old lines gives the line above.
    const at = oldLines === 0 ? oldStart + 1 : oldStart;
    for (; next < at; next++) body.push(` ${lines[next - 1] ?? ''}`);
    for (const { mark, text } of changed) if (mark !== '\\') body.push(mark + text);
    next += oldLines;
  }
  for (; next <= end; next++) body.push(` ${lines[next - 1] ?? ''}`);
  const count = (mark: string) => body.filter((line) => line[0] === ' ' || line[0] === mark).length;
  const header = `@@ -${start},${count('-')} +${start},${count('+')} @@`;
  return [`--- a/${path}`, `+++ b/${path}`, header, ...body].join('\n');
}
