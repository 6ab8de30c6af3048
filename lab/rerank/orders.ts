/** Orders of a measured list if fewer results had been reranked. */
import type { ChunkIdentity } from '../../src/services/evaluation/metrics.ts';
import { parseAddress } from '../../src/shared/address.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { Measured, Row } from './measured.ts';

/**
 * Returns the addresses of a list of which only the first `count` results are reranked.
 * @param by value to order the reranked results by; by default the reranker's score
 */
export function orderPartlyReranked(
  { first, reranked }: Pick<Measured, 'first' | 'reranked'>,
  count: number,
  by: (row: Row) => number = ({ score }) => score,
): string[] {
  const scores = new Map(
    reranked.rows.filter(({ read }) => read).map((row) => [row.address, by(row)]),
  );
  const read = first.order.slice(0, Math.min(count, scores.size));
  const score = (address: string) =>
    assertPresent(scores.get(address), 'the score of what was read');
  return [...read.toSorted((a, b) => score(b) - score(a)), ...first.order.slice(read.length)];
}

/** Parses an address into the identity that metrics use. */
export function parseIdentity(address: string): ChunkIdentity {
  return { address, ...assertPresent(parseAddress(address), 'an address') };
}
