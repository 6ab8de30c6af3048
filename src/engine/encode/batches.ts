import type { EncoderRow } from './types.ts';

/**
 * Groups rows for the model: rows of similar length together, and no more in a batch than its
 * longest row allows (rows * longest <= maxTokens; a longer row has a batch of its own).
 * @returns batches of indices into `rows`
 */
export function batches(rows: readonly EncoderRow[], maxTokens: number): number[][] {
  const length = (index: number) => Math.max(1, rows[index].inputIds.length);
  const order = rows.map((_, index) => index).sort((a, b) => length(a) - length(b));
  const made: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    if (batch.length > 0 && (batch.length + 1) * length(index) > maxTokens) {
      made.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) made.push(batch);
  return made;
}
