/** What goes with a result: chunks that a fix which edits it may have to edit too. */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { chunkSummary } from './chunk.ts';
import { quoted } from './quoted.ts';

/** Of the other chunk to the result: it overrides it, is overridden by it, is its like in a sibling class, or changed with it. */
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

/** The clause before the other chunk’s name. */
export const COMPANIONS_SAID: Record<CompanionRelation, string> = {
  overridden: 'overrides',
  overrides: 'overridden by',
  twin: 'like, in a sibling class,',
  changed: 'edited together with',
};

/** A clause for each relation, names between backquotes: ``overridden by `Sub.run` (#4), `Other.run` (not in the list)``. */
export function companionClauses(
  companions: readonly Companion[],
  rankOf: (address: ChunkAddress) => number | undefined,
): string[] {
  const said = (companion: Companion) =>
    `${quoted(companion.qualifiedName)} ${standing(companion, rankOf)}`;
  return [...Map.groupBy(companions, ({ relation }) => relation)].map(
    ([relation, those]) => `${COMPANIONS_SAID[relation]} ${those.map(said).join(', ')}`,
  );
}

/** What follows its name: `in 3 commits (#4)`, `(not in the list)`. */
export function standing(
  { address, commits }: Companion,
  rankOf: (address: ChunkAddress) => number | undefined,
): string {
  const rank = rankOf(address);
  const times = commits === undefined ? '' : `in ${commits} commits `;
  return `${times}(${rank === undefined ? 'not in the list' : `#${rank}`})`;
}

export function ranksOf(
  results: readonly { address: ChunkAddress; rank: number }[],
): (address: ChunkAddress) => number | undefined {
  const ranks = new Map(results.map(({ address, rank }) => [address, rank]));
  return (address) => ranks.get(address);
}
