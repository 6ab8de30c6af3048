/** A file's definitions as they stand in one another: for its outline, and for the way to a line. */
import type { OutlinedChunk } from '../../../shared/detail.ts';

/** A definition, and how many stand around it. */
export interface OutlineRow {
  chunk: OutlinedChunk;
  depth: number;
}

/** Definitions from top to bottom. */
export function outlineOf(chunks: readonly OutlinedChunk[]): OutlineRow[] {
  const around: OutlinedChunk[] = [];
  return chunks
    .filter(({ kind }) => kind !== 'module')
    .map((chunk) => {
      while (around.length > 0 && (around.at(-1)?.endLine ?? 0) < chunk.endLine) around.pop();
      const depth = around.length;
      around.push(chunk);
      return { chunk, depth };
    });
}

/** The definitions around a line, the outermost first. */
export const wayTo = (chunks: readonly OutlinedChunk[], line: number): OutlinedChunk[] =>
  chunks.filter(
    ({ kind, startLine, endLine }) => kind !== 'module' && startLine <= line && endLine >= line,
  );
