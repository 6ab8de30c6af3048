/** The ranking of the second step: what its ranker makes of the first list and of what was read of it. */
import refinedRanker from '../../../../models/ranker-1/refined.json' with { type: 'json' };
import { present } from '../../../shared/present.ts';
import { isFiltered } from '../filters.ts';
import { checkRanker, nameOf, type Ranker } from '../rank.ts';
import { reorder, slotOf } from '../ranking.ts';
import type { Found } from '../search.ts';
import { SIGNALS } from '../signals/index.ts';
import type { Evident } from '../signals/signal.ts';
import { confidenceIn, weigh } from '../stage.ts';
import { READ_SIGNALS } from './scorers.ts';

const RANKER = checkRanker(refinedRanker, [...READ_SIGNALS, ...SIGNALS]);

/** The values that one scorer gave the first results, in the order of the list. */
export interface ReadColumn {
  signal: Evident;
  values: readonly number[];
}

/**
 * Ranks the first results again, as many as were read. How sure the list is, is what their scores say.
 * @param found the first list, which has results
 * @param columns of equal length, at most as many as there are results
 */
export function refined(
  found: Found,
  columns: readonly ReadColumn[],
  ranker: Ranker = RANKER,
): Found {
  const ranking = present(found.ranking, 'the ranking of a list that was read');
  const { candidates } = ranking;
  const count = Math.min(...columns.map(({ values }) => values.length));
  const first = ranking.order.slice(0, count);
  const ofReading = columns.map(({ signal, values: given }) => {
    const values = new Float64Array(candidates.slots.length).fill(Number.NaN);
    for (const [place, i] of first.entries()) values[i] = present(given[place], 'a value');
    return { signal, values };
  });
  const measured = [...ofReading, ...ranking.columns];
  const again = reorder(
    ranking,
    new Set(first),
    weigh(measured, candidates, ranker, found.request),
  );
  return {
    ...found,
    ranking: again,
    ranker: nameOf(ranker),
    // Without a calibration of its own, what is known of the first list: reading puts it in a better order, if another.
    confidence: isFiltered(found.request)
      ? null
      : (confidenceIn(again, ranker) ?? found.confidence),
  };
}

/** The slots of the first results, best first. */
export function firstSlots({ ranking }: Found, most: number): number[] {
  if (!ranking) return [];
  const { order, candidates } = ranking;
  return order.slice(0, most).map((i) => slotOf(i, candidates));
}
