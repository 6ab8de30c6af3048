/** Showing one line in the preview: a call site, a frame. */
import { create } from 'zustand';
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import { showPanel } from '../../platform/panes.ts';
import { select } from '../search/index.ts';

/** A line that the preview is to scroll to as soon as it shows that file; it then forgets it. */
export const useReveal = create<{
  target: { path: string; line: number; column: number } | null;
}>(() => ({ target: null }));

/** Selects a chunk and shows a line of its file in the preview; `line` is 1-based, `column` 0-based. */
export function revealLine(address: ChunkAddress, line: number, column = 0): void {
  const { path } = splitAddress(address);
  useReveal.setState({ target: { path, line, column } });
  select(address);
  showPanel('preview');
}
