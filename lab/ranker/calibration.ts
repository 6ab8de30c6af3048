/** Fits and checks the ranker's confidence. */

import {
  type Calibration,
  CONFIDENCE_NAMES,
  type ConfidenceEvidence,
  estimateConfidence,
} from '../../src/engine/lab.ts';
import { mean } from '../../src/services/evaluation/statistics.ts';
import { at } from './at.ts';
import { leaveOneRepositoryOut } from './held-out.ts';

/** One search of a repository that the ranker was not fitted on. */
export interface Trial {
  repo: string;
  evidence: ConfidenceEvidence;
  /** True if an edited chunk was among the first results. */
  hit: boolean;
}

const STEPS = 2000;
const RATE = 0.05;
/** Factor of the squared weights in the loss. */
const PENALTY = 0.01;

/** Fits a logistic regression by gradient descent, on standardized evidence. */
export function calibrate(trials: readonly Trial[], places: number): Calibration {
  const rows = trials.map(({ evidence }) => CONFIDENCE_NAMES.map((name) => evidence[name]));
  const means = CONFIDENCE_NAMES.map((_, f) => mean(rows.map((row) => at(row, f))));
  const deviations = CONFIDENCE_NAMES.map(
    (_, f) => Math.sqrt(mean(rows.map((row) => (at(row, f) - at(means, f)) ** 2))) || 1,
  );
  const inputs = rows.map((row) =>
    row.map((value, f) => (value - at(means, f)) / at(deviations, f)),
  );
  const weights = CONFIDENCE_NAMES.map(() => 0);
  let intercept = 0;
  for (let step = 0; step < STEPS; step++) {
    const errors = inputs.map((input, t) => {
      const sum = input.reduce((total, value, f) => total + value * at(weights, f), intercept);
      return 1 / (1 + Math.exp(-sum)) - Number(at(trials, t).hit);
    });
    intercept -= RATE * mean(errors);
    for (const [f, weight] of weights.entries()) {
      const gradient = mean(errors.map((error, t) => error * at(at(inputs, t), f)));
      weights[f] = weight - RATE * (gradient + 2 * PENALTY * weight);
    }
  }
  const scaled = weights.map((weight, f) => weight / at(deviations, f));
  return {
    places,
    intercept: intercept - scaled.reduce((sum, weight, f) => sum + weight * at(means, f), 0),
    weights: Object.fromEntries(CONFIDENCE_NAMES.map((name, f) => [name, at(scaled, f)])),
  };
}

/** Returns the confidence of each trial, by a calibration fitted on the other repositories. */
export function heldOutConfidences(trials: readonly Trial[], places: number): number[] {
  const by = leaveOneRepositoryOut(trials, (others) => calibrate(others, places));
  return trials.map((trial) => estimateConfidence(by(trial), trial.evidence));
}

/** A row of the reliability diagram. */
export interface Bin {
  from: number;
  to: number;
  trials: number;
  /** Mean confidence of the trials in the bin. */
  confidence: number;
  hits: number;
}

export function reliability(
  trials: readonly Trial[],
  confidences: readonly number[],
  bins = 5,
): Bin[] {
  return Array.from({ length: bins }, (_, b) => {
    const of = [...trials.keys()].filter(
      (t) => Math.min(bins - 1, Math.floor(at(confidences, t) * bins)) === b,
    );
    return {
      from: b / bins,
      to: (b + 1) / bins,
      trials: of.length,
      confidence: mean(of.map((t) => at(confidences, t))),
      hits: mean(of.map((t) => Number(at(trials, t).hit))),
    };
  });
}

/** Returns the expected calibration error (Guo et al., ICML 2017): the mean distance between hit rate and confidence, over trials. */
export function calibrationError(bins: readonly Bin[]): number {
  const all = bins.reduce((sum, { trials }) => sum + trials, 0);
  return bins.reduce(
    (sum, { trials, confidence, hits }) =>
      trials > 0 ? sum + (trials / all) * Math.abs(confidence - hits) : sum,
    0,
  );
}
