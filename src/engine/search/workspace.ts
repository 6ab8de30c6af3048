/**
 * Computes scores that can be compared between the repositories of a workspace. Also computes cheap upper bounds on
 * them, since most repositories have nothing to do with an issue.
 */
import type { SearchRequest } from '../../shared/search.ts';
import type { CalibratedScore } from '../../shared/workspace.ts';
import type { Issue } from '../issue/issue.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { resolveRequest, selectUsableVectors } from './gather/gather.ts';
import type { ResolvedIssue } from './gather/issue.ts';
import type { QueryVectors } from './gather/query.ts';
import { countInScope, createScope } from './gather/scope.ts';
import { listInformativeWords } from './gather/words.ts';
import { computeSoftmax, measureConfidenceEvidence } from './rank/confidence.ts';
import { DEFAULT_RANKER } from './rank/rank.ts';
import type { SearchOutcome } from './rank/ranking.ts';

/** Number of first results that confidence is about, as in the rankers' calibrations. */
const TOP_RANKS = 5;
/** Maximum number of an issue's words that are compared, from the start. */
const MAX_WORDS = 1000;
const MAX_SHARES = 1000;

/**
 * Returns the calibrated score of a search; null without a ranking.
 * @param outcome outcome of an initial ranking: scores of reranked results cannot be compared with the others
 */
export function computeCalibratedScore(
  outcome: SearchOutcome,
  index: SearchIndex,
): CalibratedScore | null {
  const { ranking } = outcome;
  if (!ranking) return null;
  return {
    ...describeMatches(outcome, ranking.candidates.issue, index),
    evidence: measureConfidenceEvidence(ranking, TOP_RANKS),
    probabilities: [...computeSoftmax(ranking.scores).toSorted().reverse().slice(0, MAX_SHARES)],
  };
}

/**
 * Searches without ranking anything, at a tenth of the cost. Returns an upper bound on the calibrated score: no result
 * is more similar to the issue than the most similar chunk, and the first results have at most all of the probability.
 */
export function boundCalibratedScore(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  read: Issue,
): { outcome: SearchOutcome; calibratedScore: CalibratedScore } {
  const { issue, report } = resolveRequest(index, read, request);
  const outcome: SearchOutcome = {
    request,
    read,
    report,
    considered: countInScope(createScope(request, index.packages), index),
    ranker: DEFAULT_RANKER.name,
    confidence: null,
    ranking: null,
    pointed: null,
  };
  const vectors = selectUsableVectors(queryVectors, index);
  const likeness = vectors ? Math.max(0, index.vectors.getLargestSimilarity(vectors.issue)) : 0;
  const calibratedScore = {
    ...describeMatches(outcome, issue, index),
    evidence: { likeness },
    probabilities: [1],
  };
  return { outcome, calibratedScore };
}

function describeMatches(
  { report, read }: SearchOutcome,
  { searched }: ResolvedIssue,
  index: SearchIndex,
): Pick<CalibratedScore, 'chunks' | 'words' | 'named'> {
  const words = listInformativeWords(`${read.title}\n${searched}`);
  const frames = report.frames.filter(({ address }) => address !== null);
  const mentions = [...report.names, ...report.paths].map(({ text }) => text);
  return {
    chunks: index.liveCount,
    words: Object.fromEntries(
      words.slice(0, MAX_WORDS).map((word) => [word, index.lexical.countMatches(word)]),
    ),
    named: [...new Set([...mentions, ...frames.map(({ path, name }) => `${path} ${name}`)])],
  };
}
