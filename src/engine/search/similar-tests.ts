import type { SearchIndex } from '../snapshot/types.ts';
import { addStandardised, bestOf, scoreAt } from './best.ts';
import { untilEdited } from './until-edited.ts';

/** A test that is like the issue. */
export interface SimilarTest {
  slot: number;
  /** Standardised similarity plus standardised BM25F, both over all tests; above 0. */
  likeness: number;
}

const COUNT = 20;

/**
 * The test functions that are most like an issue: they stand next to the ones that its fix will add, and what they are
 * named after and call is where the fix is likely to be.
 * @param lexical BM25F of the issue, by slot
 * @param similarities cosine similarities to the issue, by slot; null without embeddings
 */
export function similarTests(
  index: SearchIndex,
  lexical: Float32Array,
  similarities: Float32Array | null,
): SimilarTest[] {
  const slots = testsIn(index);
  const sums = new Float32Array(index.chunks.length);
  if (similarities) addStandardised(sums, slots, similarities);
  addStandardised(sums, slots, lexical);
  return bestOf(slots, sums, COUNT, index)
    .map((slot) => ({ slot, likeness: scoreAt(slot, sums) }))
    .filter(({ likeness }) => likeness > 0);
}

const testsIn = untilEdited((index: SearchIndex): Uint32Array => {
  const { chunks } = index;
  const slots = new Uint32Array(chunks.length);
  let count = 0;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.chunkAt(slot);
    if (chunk?.role === 'test' && chunk.kind !== 'module') slots[count++] = slot;
  }
  return slots.slice(0, count);
});
