/** Orders of a measured list, had less of it been read. */
import type { ChunkIdentity } from '../../src/services/evaluation/metrics.ts';
import { parseAddress } from '../../src/shared/address.ts';
import { present } from '../../src/shared/present.ts';
import type { Measured, Row } from './measured.ts';

/**
 * The addresses of a list of which only the first `count` results were read.
 * @param by what those that were read are put in order by: the second step's score, unless told otherwise
 */
export function asRead(
  { first, reranked }: Pick<Measured, 'first' | 'reranked'>,
  count: number,
  by: (row: Row) => number = ({ score }) => score,
): string[] {
  const scores = new Map(
    reranked.rows.filter(({ read }) => read).map((row) => [row.address, by(row)]),
  );
  const read = first.order.slice(0, Math.min(count, scores.size));
  const score = (address: string) => present(scores.get(address), 'the score of what was read');
  return [...read.toSorted((a, b) => score(b) - score(a)), ...first.order.slice(read.length)];
}

/** What measures need of an address. */
export function placeOf(address: string): ChunkIdentity {
  return { address, ...present(parseAddress(address), 'an address') };
}
