import type { RepositoryIndex } from './repository-index.ts';
import type { IndexedChunk } from './types.ts';

/** Returns the slots of the wanted chunks without sections, those in source files first, since users look there. */
export function listSourceFirst(
  index: RepositoryIndex,
  isWanted: (chunk: IndexedChunk, slot: number) => boolean,
): number[] {
  const slots: number[] = [];
  const later: number[] = [];
  for (let slot = 0; slot < index.chunks.length; slot++) {
    const chunk = index.getChunkOrNull(slot);
    if (chunk && chunk.kind !== 'section' && isWanted(chunk, slot))
      (chunk.role === 'source' ? slots : later).push(slot);
  }
  return slots.concat(later);
}
