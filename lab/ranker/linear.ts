/** Fits the linear ranker: scores, likelihood and metrics of its rankings. */

import { SIGNALS } from '../../src/engine/lab.ts';
import { computeRanks, METRICS, type Metric } from '../../src/services/evaluation/metrics.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import type { Sample } from './samples.ts';

/** Weights by column. The columns are `SIGNALS` unless a function says otherwise. */
export type Weights = Float64Array;

export const SIGNAL_NAMES: readonly string[] = SIGNALS.map(({ name }) => name);

export function listWeights(byName: Record<string, number>, names = SIGNAL_NAMES): Weights {
  return Float64Array.from(names, (name) => byName[name] ?? 0);
}

/** Data to fit weights to: candidates by column, with the label 1 (edited), 0 (not edited) or -1 (ignored). */
export type Labelled = { columns: readonly ArrayLike<number>[]; labels: Int8Array };

export function computeScores({ columns, labels }: Labelled, weights: Weights): Float64Array {
  const scores = new Float64Array(labels.length);
  for (const [f, column] of columns.entries()) addColumn(scores, column, weights[f]!);
  return scores;
}

function addColumn(scores: Float64Array, column: ArrayLike<number>, weight: number): void {
  if (weight === 0) return;
  for (let i = 0; i < scores.length; i++) scores[i]! += weight * column[i]!;
}

/** Ranks candidates as `locus eval` does: without module code, tests and ignored candidates. */
export function rankCandidates(sample: Sample, scores: Float64Array) {
  const ranking = Array.from(scores, (score, i) => ({ score, i }))
    .filter(({ i }) => sample.labels[i]! >= 0)
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .flatMap(({ i }) => sample.places[i] ?? []);
  return computeRanks(sample.edited, ranking);
}

export function measure(sample: Sample, weights: Weights, metric: Metric): number {
  return metric.of(rankCandidates(sample, computeScores(sample, weights)));
}

/** Returns the means of the named metrics over samples, with three decimals. */
export function formatMetrics<S extends Sample>(
  samples: readonly S[],
  scores: (sample: S) => Float64Array,
  names: readonly string[],
): string[] {
  const ranks = samples.map((sample) => rankCandidates(sample, scores(sample)));
  return names.map((name) => {
    const metric = METRICS.find((one) => one.name === name);
    if (!metric) throw new Error(`Metric “${name}” does not exist. Use a name from METRICS.`);
    return mean(ranks.map(metric.of)).toFixed(3);
  });
}

/** Number of candidates to learn from. Those further down have almost no effect on the weights. */
const LINEAR_TOP = 300;

/** Returns the best of the given candidates by score, best first, and all edited ones. */
export function selectBestAndEdited(
  candidates: Iterable<number>,
  scores: Float64Array,
  { labels }: Labelled,
  top: number,
): number[] {
  return [...candidates]
    .sort((a, b) => scores[b]! - scores[a]! || a - b)
    .filter((i, place) => place < top || labels[i] === 1);
}

/** Returns the sample with only its best candidates by these weights and all edited ones, which makes fitting faster. */
function trimSample(sample: Labelled, by: Weights): Labelled {
  const scores = computeScores(sample, by);
  const kept = selectBestAndEdited(scores.keys(), scores, sample, LINEAR_TOP);
  return {
    columns: sample.columns.map((column) => Float64Array.from(kept, (i) => column[i]!)),
    labels: Int8Array.from(kept, (i) => sample.labels[i]!),
  };
}

export interface FitOptions {
  /** Names of the columns. */
  names: readonly string[];
  /** Initial weights, which the penalty pulls the fitted weights towards. */
  prior: Weights;
  /** Factor of the squared distance to `prior`. */
  strength: number;
  /** True if a column's weight is fitted. The others stay unchanged. */
  fitted(name: string): boolean;
}

const STEPS = 200;
const RATE = 0.05;

/**
 * Fits maximum a posteriori weights. The loss is the mean over samples, and in each over its positives, of -log of the
 * positive's share of the softmax over itself and the negatives, plus `strength` times the squared distance to the
 * prior. `weightOf` returns the weight of a sample in the mean. Adam (Kingma & Ba, ICLR 2015) minimizes it on all samples
 * at once, each trimmed to its best candidates by the prior. The loss is convex, so the choice of optimizer does not matter.
 */
export function fitWeights<Of extends Labelled>(
  samples: readonly Of[],
  { names, prior, strength, fitted }: FitOptions,
  weightOf: (sample: Of) => number = () => 1,
): Weights {
  const weights = prior.slice();
  const free = names.flatMap((name, f) => (fitted(name) ? [f] : []));
  const first = new Float64Array(weights.length);
  const second = new Float64Array(weights.length);
  const withEdits = samples.filter(({ labels }) => labels.includes(1));
  const importance = withEdits.map(weightOf);
  const all = importance.reduce((sum, own) => sum + own, 0);
  const usable = withEdits.map((sample) => trimSample(sample, prior));
  // The contribution of the other signals never changes.
  const others = prior.map((weight, f) => (free.includes(f) ? 0 : weight));
  const fixed = usable.map((sample) => computeScores(sample, others));
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, f) => 2 * strength * (weight - prior[f]!));
    for (const [s, sample] of usable.entries()) {
      const scores = fixed[s]!.slice();
      for (const f of free) addColumn(scores, sample.columns[f]!, weights[f]!);
      addGradient(sample, scores, free, gradient, importance[s]! / all);
    }
    for (const f of free) {
      first[f] = 0.9 * first[f]! + 0.1 * gradient[f]!;
      second[f] = 0.99 * second[f]! + 0.01 * gradient[f]! ** 2;
      const size = Math.sqrt(second[f]! / (1 - 0.99 ** step)) + 1e-8;
      weights[f]! -= (RATE * (first[f]! / (1 - 0.9 ** step))) / size;
    }
  }
  return weights;
}

function addGradient(
  { columns, labels }: Labelled,
  scores: Float64Array,
  free: readonly number[],
  gradient: Float64Array,
  share: number,
): void {
  const { odds, negatives } = computeOdds(scores, labels);
  const positives = labels.reduce((count, label) => count + (label === 1 ? 1 : 0), 0);
  // The gradient of the negatives is the same for all positives except for the denominator.
  let weightOfNegatives = 0;
  const pull = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== 1) continue;
    const total = negatives + odds[i]!;
    pull[i] = -negatives / total;
    weightOfNegatives += 1 / total;
  }
  for (let i = 0; i < labels.length; i++)
    if (labels[i] === 0) pull[i] = odds[i]! * weightOfNegatives;
  for (const f of free) {
    const column = columns[f]!;
    let sum = 0;
    for (let i = 0; i < pull.length; i++) sum += pull[i]! * column[i]!;
    gradient[f]! += (share / positives) * sum;
  }
}

/** Returns exp(score) of each candidate relative to the largest, and their sum over the negatives. */
function computeOdds(scores: Float64Array, labels: Int8Array) {
  const largest = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - largest));
  const negatives = odds.reduce((sum, own, i) => sum + (labels[i] === 0 ? own : 0), 0);
  return { odds, negatives };
}
