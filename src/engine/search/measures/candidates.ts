import { present } from '../../../shared/present.ts';
import type { IndexedChunk } from '../../snapshot/types.ts';
import { ABSENT } from '../../vectors/vector-table.ts';
import type { Candidates } from '../candidates.ts';

/** A value for each candidate's chunk. */
export function measureEach(
  { slots, index }: Candidates,
  measure: (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  // By index: `Float64Array.from` takes several times as long, and iterators leave as many objects. There are dozens of measures.
  const values = new Float64Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = present(slots[i], 'a candidate');
    values[i] = measure(index.chunk(slot), slot);
  }
  return values;
}

/** A chunk's similarity as a signal's value: NaN where it has no embedding. */
export function similarityAt(slot: number, similarities: Float32Array | null | undefined): number {
  const similarity = similarities?.[slot] ?? ABSENT;
  return similarity === ABSENT ? Number.NaN : similarity;
}
