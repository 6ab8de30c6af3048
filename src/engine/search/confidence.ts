/**
 * How likely it is that the first places hold a chunk to edit. The ranker is fitted by likelihood, so the softmax of
 * its scores says how sure it is; a logistic regression on issues of repositories that the ranker was not fitted on
 * makes of it a probability that holds (Platt, "Probabilistic outputs for support vector machines", 1999).
 * docs/evaluation.md has the reliability diagram.
 */

/** As in a `ranker.json`. */
export interface Calibration {
  /** How many places are meant. */
  places: number;
  intercept: number;
  /** By name; what has no weight says nothing. */
  weights: Record<string, number>;
}

/** What a confidence is computed from: `confidence-evidence.ts`. */
export const CONFIDENCE_NAMES = [
  'massInTop',
  'massOfFirst',
  'gap',
  'likeness',
  'said',
  'explained',
] as const;
export type ConfidenceEvidence = Record<(typeof CONFIDENCE_NAMES)[number], number>;

/** A probability between 0 and 1. */
export function confidenceOf(
  { intercept, weights }: Calibration,
  evidence: ConfidenceEvidence,
): number {
  const sum = CONFIDENCE_NAMES.reduce(
    (total, name) => total + (weights[name] ?? 0) * evidence[name],
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** Softmax. */
export function shares(scores: Float64Array): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - best));
  const sum = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / sum);
}
