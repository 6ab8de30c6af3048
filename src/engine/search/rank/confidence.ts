/**
 * Estimates the probability that the first results include a chunk to edit. The ranker is fitted by likelihood, so the
 * softmax of its scores shows how sure it is. A logistic regression turns this into a calibrated probability. It is fitted
 * on issues of repositories that the ranker was not fitted on (Platt, "Probabilistic outputs for support vector machines",
 * 1999). docs/reference/figures.md has the reliability table.
 *
 * The scores alone are not enough, since they are relative to one another: a candidate that matches one word of a bare link
 * stands out as much as one that a whole issue describes. So three more values count: how much there is to search with, how
 * much of it the first results explain, and how similar they are to the issue. The size of the repository does not count,
 * since its effect in small repositories does not carry over to large ones.
 */
import { assertPresent } from '../../../shared/assert-present.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { ABSENT } from '../../vectors/vector-table.ts';
import { listInformativeWords } from '../gather/words.ts';
import { getSlot, type Ranking } from './ranking.ts';

export interface Calibration {
  /** Number of first results that the confidence is about. */
  places: number;
  intercept: number;
  weights: Record<string, number>;
}

export const CONFIDENCE_NAMES = [
  'massInTop',
  'massOfFirst',
  'gap',
  'likeness',
  'said',
  'explained',
] as const;
export type ConfidenceEvidence = Record<(typeof CONFIDENCE_NAMES)[number], number>;

export function estimateConfidence(
  { intercept, weights }: Calibration,
  evidence: ConfidenceEvidence,
): number {
  const sum = CONFIDENCE_NAMES.reduce(
    (total, name) => total + (weights[name] ?? 0) * evidence[name],
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

export function computeSoftmax(scores: Float64Array): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - best));
  const sum = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / sum);
}

/** Measures how sure a ranking is about its first `places` results. In a reranked list, only reranked results count. */
export function measureConfidenceEvidence(ranking: Ranking, places: number): ConfidenceEvidence {
  const { candidates, scores, order, reranked } = ranking;
  const { issue, index } = candidates;
  const compared = reranked ? scores.filter((_, i) => reranked.indices.has(i)) : scores;
  const sorted = compared.toSorted().reverse();
  const share = computeSoftmax(sorted);
  const mass = share.subarray(0, places).reduce((sum, own) => sum + own, 0);
  const last = sorted[Math.min(places, sorted.length - 1)];
  const first = order.slice(0, places).map((i) => getSlot(i, candidates));
  return {
    massInTop: logit(mass),
    massOfFirst: logit(share[0] ?? 0),
    gap: (sorted[0] ?? 0) - (last ?? 0),
    likeness: Math.max(0, ...first.map((slot) => getIssueSimilarity(slot, ranking))),
    said: Math.log(1 + sumKnownWords(`${issue.title}\n${issue.searched}`, index)),
    explained: measureExplained(issue.title, first, index),
  };
}

function getIssueSimilarity(slot: number, { candidates: { similarities } }: Ranking): number {
  const similarity = similarities?.issue[slot] ?? ABSENT;
  return similarity === ABSENT ? 0 : similarity;
}

/** Returns how much a text gives to search with: the sum of inverse document frequencies of its informative words. */
function sumKnownWords(text: string, { lexical }: SearchIndex): number {
  return listInformativeWords(text).reduce((sum, word) => sum + lexical.getIdf(word), 0);
}

/**
 * Returns the share of a text's informative words that occur in these chunks, weighted by inverse document frequency. A
 * word that is missing from the repository counts more than any other.
 */
function measureExplained(
  text: string,
  slots: readonly number[],
  { lexical, liveCount }: SearchIndex,
): number {
  const words = listInformativeWords(text);
  const rarest = Math.log(1 + liveCount);
  const weights = new Map(words.map((word) => [word, lexical.getIdf(word) || rarest]));
  const query = lexical.createQuery(new Map(words.map((word) => [word, 1])));
  const found = new Set(
    slots.flatMap((slot) => lexical.explainScore(slot, query).terms.map(({ term }) => term)),
  );
  const sumWeights = (some: Iterable<string>) =>
    Iterator.from(some).reduce(
      (total, word) => total + assertPresent(weights.get(word), 'a word'),
      0,
    );
  return words.length > 0 ? sumWeights(found) / sumWeights(words) : 0;
}

function logit(p: number): number {
  const bounded = Math.min(1 - 1e-6, Math.max(1e-6, p));
  return Math.log(bounded / (1 - bounded));
}
