import { create } from 'zustand';
import type { OutlinedChunk } from '../../../shared/detail.ts';
import { jumpToLine } from './history.ts';
import { cursorLine } from './view.ts';

/** Whether the outline of the file is open. */
export const useOutline = create<{ open: boolean }>(() => ({ open: false }));

/** Selects a definition, with the cursor at its header. */
export function showDefinition({ address, headerLine }: OutlinedChunk): void {
  jumpToLine(address, { line: headerLine, column: 0 }, cursorLine());
}
