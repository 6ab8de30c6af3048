/** A search of one of several repositories, most of which have nothing to say: first a glance, then, where it may, a ranking. */
import type { SearchRequest } from '../../shared/search.ts';
import type { Standing } from '../../shared/standing.ts';
import type { Issue } from '../issue/issue.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { eligibleIn } from './candidates.ts';
import { scopeOf } from './filters.ts';
import type { QueryVectors } from './query-vectors.ts';
import { nameOf } from './rank.ts';
import { DEFAULT_RANKER, type Found, isUsable, understood } from './search.ts';
import { highestStanding } from './standing.ts';

/**
 * What can be said of a search before anything is ranked, at a tenth of its cost: all but the list, and what that could stand
 * for at the most beside those of other repositories.
 */
export function glance(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  read: Issue,
): { found: Found; standing: Standing } {
  const { issue, report } = understood(read, index, request);
  const found: Found = {
    request,
    read,
    report,
    considered: eligibleIn(scopeOf(request, index.packages), index),
    ranker: nameOf(DEFAULT_RANKER),
    confidence: null,
    ranking: null,
  };
  const vectors = isUsable(queryVectors, index) ? queryVectors : null;
  return { found, standing: highestStanding(found, issue, vectors, index) };
}
