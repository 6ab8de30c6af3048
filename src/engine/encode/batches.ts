import type { EncoderRow } from './types.ts';

/**
 * Groups rows for the model: rows of similar length together, and no more in a batch than its
 * longest row allows (rows * longest <= maxTokens; a longer row has a batch of its own).
 * @returns batches of indices into `rows`
 */
export function batches(rows: readonly EncoderRow[], maxTokens: number): number[][] {
  const order = rows
    .map(({ inputIds }, index) => ({ index, length: Math.max(1, inputIds.length) }))
    .sort((a, b) => a.length - b.length);
  const made: number[][] = [];
  let batch: number[] = [];
  for (const { index, length } of order) {
    if (batch.length > 0 && (batch.length + 1) * length > maxTokens) {
      made.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) made.push(batch);
  return made;
}
