/** Which chunks a patch edits: every one with a deleted line, or with an insertion strictly inside it. */
import parseDiff from 'parse-diff';
import type { ChunkSummary } from '../../shared/types.ts';

/**
 * A change of the old file. Its lines `first` to `last` are deleted, or, when `last` is `first - 1`, lines are
 * inserted before `first`.
 */
export interface Edit {
  first: number;
  last: number;
}

/** The changes of a unified diff, by path before it. New files are not among them. */
export function editsOf(patch: string): Map<string, Edit[]> {
  const edits = new Map<string, Edit[]>();
  for (const { from, chunks } of parseDiff(patch)) {
    if (!from || from === '/dev/null') continue;
    const ofFile = edits.get(from) ?? [];
    ofFile.push(...chunks.flatMap(editsOfHunk));
    edits.set(from, ofFile);
  }
  return edits;
}

/** One edit for each run of deleted and inserted lines: insertions next to deletions replace them. */
function editsOfHunk({ oldStart, oldLines, changes }: parseDiff.Chunk): Edit[] {
  const edits: Edit[] = [];
  let run: Edit | null = null;
  // A hunk without old lines names the line that it follows.
  let next = oldLines === 0 ? oldStart + 1 : oldStart;
  for (const { type, content } of changes) {
    // "\ No newline at end of file" is no line.
    if (content.startsWith('\\')) continue;
    if (type === 'normal') {
      run = null;
      next++;
      continue;
    }
    if (!run) {
      run = { first: next, last: next - 1 };
      edits.push(run);
    }
    if (type === 'del') run.last = next++;
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

function lengthOf({ startLine, endLine }: Pick<ChunkSummary, 'startLine' | 'endLine'>): number {
  return endLine - startLine;
}
