/** A file's definitions as they stand in one another: for its outline, and for the way to a line. */

import { create } from 'zustand';
import type { OutlinedChunk } from '../../../shared/detail.ts';
import { jumpToLine } from './history.ts';
import { cursorLine } from './view.ts';

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

export const useOutline = create<{ open: boolean }>(() => ({ open: false }));

/** Selects a definition, with the cursor at its header. */
export function showDefinition({ address, headerLine }: OutlinedChunk): void {
  jumpToLine(address, { line: headerLine, column: 0 }, cursorLine());
}
