/**
 * A search of one index, in four steps that are a folder each: `gather` the candidates, `rank` them, `rerank` the first
 * results, `explain` the list. `find` takes the first two, which are synchronous; the caller takes the others.
 */
import type { SearchRequest } from '../../shared/search.ts';
import { type Issue, readIssue } from '../issue/issue.ts';
import { issueSyntaxes } from '../languages/index.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { gather, widenCandidates } from './gather/gather.ts';
import type { QueryVectors } from './gather/query.ts';
import { isFiltered } from './gather/scope.ts';
import { DEFAULT_RANKER, rank } from './rank/rank.ts';
import type { Ranker, SearchOutcome } from './rank/ranking.ts';

interface SearchOptions {
  ranker?: Ranker;
  read?: Issue;
  /** True for no second look among more candidates. */
  once?: boolean;
}

/**
 * A first ranking with less confidence is ranked again among more candidates, as ReflectCode's verifier widens a pool
 * that it does not believe to hold the edit. The confidence stays the first ranking's, which is what was calibrated.
 */
const UNSURE = 0.3;

/**
 * Ranks the chunks of an index for an issue. Without query vectors, or for chunks without an embedding, the other signals
 * rank. Equal scores are in order of path and line, so the same content gives the same ranking. An issue in which nothing
 * of the repository occurs gives no results.
 */
export function find(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  {
    ranker = DEFAULT_RANKER,
    read = readIssue(request.issue, issueSyntaxes(index.languages())),
    once = false,
  }: SearchOptions = {},
): SearchOutcome {
  const { report, candidates } = gather(index, read, queryVectors, request);
  const considered = candidates?.considered ?? 0;
  const outcome = { request, read, report, considered, ranker: ranker.name };
  if (!candidates) return { ...outcome, confidence: null, ranking: null };
  const narrow = rank(candidates, ranker);
  const confidence = ranker.confidenceIn(narrow);
  const isUnsure = !once && confidence !== null && confidence < UNSURE;
  return {
    ...outcome,
    confidence: isFiltered(request) ? null : confidence,
    ranking: isUnsure ? rank(widenCandidates(candidates), ranker) : narrow,
  };
}
