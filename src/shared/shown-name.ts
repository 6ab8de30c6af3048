import type { ChunkSummary } from './chunk.ts';

/** Returns the name of a chunk that people see. It is not always that in its address. */
export function getShownName({
  qualifiedName,
  shownName,
}: Pick<ChunkSummary, 'qualifiedName' | 'shownName'>): string {
  return shownName ?? qualifiedName;
}
