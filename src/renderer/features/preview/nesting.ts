/** Nesting of a file's definitions, for the outline and the breadcrumbs. */

import { create } from 'zustand';
import type { OutlinedChunk } from '../../../shared/detail.ts';
import { jumpToLine } from './history.ts';
import { getCursorLine } from './view.ts';

/** A definition and its nesting depth. */
export interface OutlineRow {
  chunk: OutlinedChunk;
  depth: number;
}

/** Returns the definitions of a file from top to bottom, with their depth. */
export function buildOutline(chunks: readonly OutlinedChunk[]): OutlineRow[] {
  const enclosing: OutlinedChunk[] = [];
  return chunks
    .filter(({ kind }) => kind !== 'module')
    .map((chunk) => {
      while ((enclosing.at(-1)?.endLine ?? Number.POSITIVE_INFINITY) < chunk.endLine) {
        enclosing.pop();
      }
      const depth = enclosing.length;
      enclosing.push(chunk);
      return { chunk, depth };
    });
}

/** Returns the definitions that enclose a line, outermost first. */
export const listEnclosing = (chunks: readonly OutlinedChunk[], line: number): OutlinedChunk[] =>
  chunks.filter(
    ({ kind, startLine, endLine }) => kind !== 'module' && startLine <= line && endLine >= line,
  );

export const useOutline = create<{ open: boolean }>(() => ({ open: false }));

/** Selects a definition and moves the cursor to its header. */
export function showDefinition({ address, headerLine }: OutlinedChunk): void {
  jumpToLine(address, { line: headerLine, column: 0 }, getCursorLine());
}
