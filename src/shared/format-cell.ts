import type { ChunkSummary } from './chunk.ts';

/** Returns the words after a location in a notebook: `, cell 7`; empty elsewhere. */
export function formatCell({ cell }: Pick<ChunkSummary, 'cell'>): string {
  return cell === undefined ? '' : `, cell ${cell}`;
}
