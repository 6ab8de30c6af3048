/**
 * Searches one index in four steps, a folder each: `gather` the candidates, `rank` them, `rerank` the first results,
 * and `explain` the list. `rankChunks` runs the first two, which are synchronous. The caller runs the others.
 */
import type { SearchRequest } from '../../shared/search.ts';
import { type Issue, readIssue } from '../issue/issue.ts';
import { getIssueSyntaxes } from '../languages/index.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { gather, widenCandidates } from './gather/gather.ts';
import type { QueryVectors } from './gather/query.ts';
import { isFiltered } from './gather/scope.ts';
import { DEFAULT_RANKER, rank } from './rank/rank.ts';
import type { Ranker, SearchOutcome } from './rank/ranking.ts';

interface SearchOptions {
  ranker?: Ranker;
  read?: Issue;
  /** True to rank only once, without trying again among more candidates. */
  once?: boolean;
}

/**
 * Confidence below which the search ranks again among more candidates. ReflectCode's verifier does the same: it widens a
 * pool that probably lacks the chunk to edit. The outcome reports the first confidence, since only that one is calibrated.
 */
const MIN_CONFIDENCE = 0.3;

/**
 * Ranks the chunks of an index for an issue. Where query vectors or a chunk's embedding are missing, the other signals
 * decide. Equal scores are ordered by path and line, so the same content always gives the same ranking. The ranking is
 * null if the issue has nothing in common with the repository.
 */
export function rankChunks(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  {
    ranker = DEFAULT_RANKER,
    read = readIssue(request.issue, getIssueSyntaxes(index.getLanguages())),
    once = false,
  }: SearchOptions = {},
): SearchOutcome {
  const { report, candidates, pointed } = gather(index, read, queryVectors, request);
  const considered = candidates?.considered ?? 0;
  const outcome = { request, read, report, considered, pointed, ranker: ranker.name };
  if (!candidates) return { ...outcome, confidence: null, ranking: null };
  const narrow = rank(candidates, ranker);
  const confidence = ranker.measureConfidence(narrow);
  const isUnsure = !once && confidence !== null && confidence < MIN_CONFIDENCE;
  return {
    ...outcome,
    confidence: isFiltered(request) ? null : confidence,
    ranking: isUnsure ? rank(widenCandidates(candidates), ranker) : narrow,
  };
}
