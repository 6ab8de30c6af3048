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
  /** By name of `evidenceOfConfidence`. */
  weights: Record<string, number>;
}

export const CONFIDENCE_NAMES = ['massInTop', 'massOfFirst', 'gap', 'size'] as const;

/**
 * What confidence is computed from.
 * @param scores of all candidates, in any order.
 * @param considered how many chunks may be found.
 */
export function evidenceOfConfidence(
  scores: Float64Array,
  places: number,
  considered: number,
): Record<(typeof CONFIDENCE_NAMES)[number], number> {
  const sorted = scores.toSorted().reverse();
  const share = shares(sorted);
  const mass = share.subarray(0, places).reduce((sum, own) => sum + own, 0);
  const last = sorted[Math.min(places, sorted.length - 1)];
  return {
    massInTop: logit(mass),
    massOfFirst: logit(share[0] ?? 0),
    gap: (sorted[0] ?? 0) - (last ?? 0),
    size: Math.log(Math.max(1, considered)),
  };
}

/** A probability between 0 and 1. */
export function confidenceOf(
  { places, intercept, weights }: Calibration,
  scores: Float64Array,
  considered: number,
): number {
  const evidence = evidenceOfConfidence(scores, places, considered);
  const sum = CONFIDENCE_NAMES.reduce(
    (total, name) => total + (weights[name] ?? 0) * evidence[name],
    intercept,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** log-odds, kept finite. */
function logit(p: number): number {
  const kept = Math.min(1 - 1e-6, Math.max(1e-6, p));
  return Math.log(kept / (1 - kept));
}

/** Softmax. */
export function shares(scores: Float64Array): Float64Array {
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - best));
  const sum = odds.reduce((a, b) => a + b, 0);
  return odds.map((own) => own / sum);
}
