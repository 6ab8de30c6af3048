/**
 * Finds more candidates for a second request, as in the verify and refine steps of ReflectCode. What the model misses is only ever
 * searched for in this index.
 */
import type { Repository } from '../../shared/repository.ts';
import type { RankedChunk, SearchRequest } from '../../shared/search.ts';
import type { Answer } from './answer.ts';
import type { CheckableRanking } from './candidates.ts';

/** Maximum number of candidates of the first request that are shown again, the likeliest first. */
const MAX_KEPT = 10;
/** Number of next results, and maximum number of chunks that are found for what the model misses. */
export const MAX_MORE = { next: 10, found: 20 } as const;
/** Maximum number of candidates of a second request. */
export const MAX_SECOND = MAX_KEPT + MAX_MORE.next + MAX_MORE.found;

/** Returns true if the model misses code, or would edit none of the candidates. */
export const wantsMore = ({ edits, missing }: Answer): boolean =>
  edits.size === 0 || missing.length > 0;

/**
 * Lists the candidates of a second request: the likeliest of the first, what is found for what the model misses, and the next
 * results. Returns null if there is nothing to add.
 * @param asked chunks of the first request
 */
export async function listSecondCandidates(
  { results, search }: Pick<CheckableRanking, 'results' | 'search'>,
  asked: readonly RankedChunk[],
  { order, edits, missing }: Answer,
): Promise<RankedChunk[] | null> {
  const kept = [...new Set([...edits.keys(), ...order])].slice(0, MAX_KEPT);
  const known = new Set(asked.map(({ address }) => address));
  const isNew = ({ address }: RankedChunk) => !known.has(address);
  const wanted = known.size + MAX_MORE.found;
  const ranked = new Map(results.map((result) => [result.address, result]));
  const found =
    missing.length > 0
      ? (await search(missing.join('\n'), wanted)).filter(isNew).slice(0, MAX_MORE.found)
      : [];
  const next = results.filter(isNew).slice(0, MAX_MORE.next);
  // The evidence of the list explains the issue's words.
  const more = new Map(
    [...found, ...next].map((chunk) => [chunk.address, ranked.get(chunk.address) ?? chunk]),
  );
  if (more.size === 0) return null;
  return [...kept.flatMap((index) => asked[index] ?? []), ...more.values()];
}

/** Returns the `search` of a checkable ranking. */
export const searchText =
  (repository: Pick<Repository, 'search'>, request: SearchRequest): CheckableRanking['search'] =>
  async (issue, limit) =>
    (await repository.search({ ...request, issue, limit, rerank: { count: 0 } })).results;
