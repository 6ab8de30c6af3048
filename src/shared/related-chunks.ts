/** Chunks related to a result: a fix that edits the result may have to edit them too. */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { chunkSummary } from './chunk.ts';
import { formatCounted } from './format-count.ts';
import { quoteText } from './quote.ts';
import { getShownName } from './shown-name.ts';

/**
 * Relation of the related chunk to the result: it overrides the result, is overridden by it, is the method of the same name in a
 * sibling class, or was changed together with it.
 */
const chunkRelation = z.enum(['overrides', 'overridden', 'twin', 'changed']);
export type ChunkRelation = z.output<typeof chunkRelation>;

export const relatedChunk = chunkSummary
  .pick({ address: true, path: true, qualifiedName: true, startLine: true, shownName: true })
  .extend({
    relation: chunkRelation,
    /** Number of commits that edited both; only for `changed`. */
    commits: z.number().optional(),
  });
export type RelatedChunk = z.output<typeof relatedChunk>;

/** Words before the related chunk's name. */
export const RELATION_CLAUSES: Record<ChunkRelation, string> = {
  overridden: 'overrides',
  overrides: 'overridden by',
  twin: 'same method in a sibling class:',
  changed: 'often changes together with',
};

/** Writes a clause for each relation, with names between backquotes: ``overridden by `Sub.run` (rank 4), `Other.run` (not among these results)``. */
export function writeRelationClauses(
  related: readonly RelatedChunk[],
  getRank: (address: ChunkAddress) => number | undefined,
): string[] {
  const describe = (related: RelatedChunk) =>
    `${quoteText(getShownName(related))} ${describeRank(related, getRank)}`;
  return [...Map.groupBy(related, ({ relation }) => relation)].map(
    ([relation, group]) => `${RELATION_CLAUSES[relation]} ${group.map(describe).join(', ')}`,
  );
}

/** Returns the words after a related chunk's name: `(3 commits; rank 4)`, `(not among these results)`. */
export function describeRank(
  { address, commits }: RelatedChunk,
  getRank: (address: ChunkAddress) => number | undefined,
): string {
  const rank = getRank(address);
  const times = commits === undefined ? '' : `${formatCounted(commits, 'commit')}; `;
  return `(${times}${rank === undefined ? 'not among these results' : `rank ${rank}`})`;
}

export function indexRanks(
  results: readonly { address: ChunkAddress; rank: number }[],
): (address: ChunkAddress) => number | undefined {
  const ranks = new Map(results.map(({ address, rank }) => [address, rank]));
  return (address) => ranks.get(address);
}
