/** Chunks related to a result: a fix that edits the result may have to edit them too. */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { chunkSummary } from './chunk.ts';
import { quoted } from './quoted.ts';

/**
 * Relation of the related chunk to the result: it overrides the result, is overridden by it, is the method of the same name in a
 * sibling class, or was changed together with it.
 */
const companionRelation = z.enum(['overrides', 'overridden', 'twin', 'changed']);
export type CompanionRelation = z.output<typeof companionRelation>;

export const companion = chunkSummary
  .pick({ address: true, path: true, qualifiedName: true, startLine: true })
  .extend({
    relation: companionRelation,
    /** Number of commits that edited both; only for `changed`. */
    commits: z.number().optional(),
  });
export type Companion = z.output<typeof companion>;

/** Words before the related chunk's name. */
export const COMPANIONS_SAID: Record<CompanionRelation, string> = {
  overridden: 'overrides',
  overrides: 'overridden by',
  twin: 'same method in a sibling class:',
  changed: 'changed together with',
};

/** Writes a clause for each relation, with names between backquotes: ``overridden by `Sub.run` (#4), `Other.run` (not in the list)``. */
export function companionClauses(
  companions: readonly Companion[],
  getRank: (address: ChunkAddress) => number | undefined,
): string[] {
  const describe = (related: Companion) =>
    `${quoted(related.qualifiedName)} ${standing(related, getRank)}`;
  return [...Map.groupBy(companions, ({ relation }) => relation)].map(
    ([relation, group]) => `${COMPANIONS_SAID[relation]} ${group.map(describe).join(', ')}`,
  );
}

/** Returns the words after a related chunk's name: `in 3 commits (#4)`, `(not in the list)`. */
export function standing(
  { address, commits }: Companion,
  getRank: (address: ChunkAddress) => number | undefined,
): string {
  const rank = getRank(address);
  const times = commits === undefined ? '' : `in ${commits} commits `;
  return `${times}(${rank === undefined ? 'not in the list' : `#${rank}`})`;
}

export function ranksOf(
  results: readonly { address: ChunkAddress; rank: number }[],
): (address: ChunkAddress) => number | undefined {
  const ranks = new Map(results.map(({ address, rank }) => [address, rank]));
  return (address) => ranks.get(address);
}
