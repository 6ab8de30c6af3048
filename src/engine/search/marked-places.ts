/** Where marked chunks stand in a list: what marks say of others moves those, not the marked ones themselves. */
import { type Ranking, slotOf } from './ranking.ts';

/**
 * The candidates in the order of their scores, but for two kinds. One marked `read` keeps the rank that it would have
 * without marks, as to be read is not to be edited; one that has none, for it is here by its mark alone, comes after
 * all others. Those marked `irrelevant` are at the bottom, in their order among themselves.
 * @param before ranks without marks, from 1, by slot
 * @returns the best so many of them; those at the bottom take half of the places at most
 */
export function placed(
  { candidates, order }: Ranking,
  before: ReadonlyMap<number, number> | null,
  limit: number,
): number[] {
  const { marks } = candidates;
  if (!marks || !before) return order.slice(0, limit);
  const isRead = new Set(marks.read);
  const isRejected = new Set(marks.irrelevant);
  const rankOf = (i: number) => before.get(slotOf(i, candidates)) ?? Number.POSITIVE_INFINITY;
  const of = (kind: ReadonlySet<number>) => order.filter((i) => kind.has(slotOf(i, candidates)));
  const rejected = of(isRejected);
  const moving = order.filter((i) => {
    const slot = slotOf(i, candidates);
    return !isRead.has(slot) && !isRejected.has(slot);
  });
  for (const i of of(isRead).sort((a, b) => rankOf(a) - rankOf(b))) {
    moving.splice(Math.min(rankOf(i) - 1, moving.length), 0, i);
  }
  const room = limit - Math.min(rejected.length, Math.floor(limit / 2));
  return [...moving.slice(0, room), ...rejected].slice(0, limit);
}
