/** What two lists have in common: which functions came, went, rose and fell. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';

export type Compared = ChunkSummary & { rank: number };

export interface Change {
  chunk: ChunkSummary;
  /** Ranks in the earlier and in the later list; null where it is not in it. */
  before: number | null;
  after: number | null;
}

export interface Changes {
  /** New ones by rank, those that rose or fell the farthest first, those that are gone by the rank that they had. */
  came: Change[];
  rose: Change[];
  fell: Change[];
  went: Change[];
  same: number;
}

export function changesBetween(before: readonly Compared[], after: readonly Compared[]): Changes {
  const earlier = new Map(before.map((chunk) => [chunk.address, chunk.rank]));
  const later = new Set<ChunkAddress>(after.map(({ address }) => address));
  const kept = after.flatMap((chunk) => {
    const rank = earlier.get(chunk.address);
    return rank === undefined ? [] : { chunk, before: rank, after: chunk.rank };
  });
  const farthest = (a: (typeof kept)[number], b: (typeof kept)[number]) =>
    Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || a.after - b.after;
  return {
    came: after
      .filter(({ address }) => !earlier.has(address))
      .map((chunk) => ({ chunk, before: null, after: chunk.rank })),
    rose: kept.filter((change) => change.after < change.before).sort(farthest),
    fell: kept.filter((change) => change.after > change.before).sort(farthest),
    went: before
      .filter(({ address }) => !later.has(address))
      .map((chunk) => ({ chunk, before: chunk.rank, after: null })),
    same: kept.filter((change) => change.after === change.before).length,
  };
}
