/** Linear weights, and boosted trees on what these leave: how signals act together, and a candidate's surroundings. */

import { MARK_SIGNALS, SIGNALS } from '../../../src/engine/search/signals/index.ts';
import { at } from '../at.ts';
import { bestAndEdited, type FitOptions, fit, scoresOf, type Weights } from '../linear.ts';
import type { Sample } from '../samples.ts';
import { type BoostOptions, boost, type Group } from './boost.ts';
import { CONTEXT_NAMES, contextOf } from './context.ts';
import { scoreOf, type Tree } from './trees.ts';

export interface Model {
  weights: Weights;
  trees: Tree[];
}

export interface StackOptions {
  linear: FitOptions;
  trees: BoostOptions;
  /** Independent runs of boosting, which are averaged. */
  runs: number;
  /** Best candidates of an issue that trees learn from; the edited ones are always among them. */
  top: number;
}

/** What people mark is no evidence when the trees are grown, so they must not ask for it. */
const isMark = SIGNALS.map((signal) => MARK_SIGNALS.includes(signal));
const USABLE = [...isMark, ...isMark]
  .map((ofMark) => !ofMark)
  .concat(CONTEXT_NAMES.map(() => true));

/** All features of a sample's candidates; `first` are its linear scores. */
function allFeatures({ values, columns, surroundings }: Sample, first: Float64Array) {
  const around = contextOf(surroundings, first);
  return [...values, ...columns, ...CONTEXT_NAMES.map((name) => around[name])];
}

/** @param weightOf how much an issue counts. */
export function train(
  samples: readonly Sample[],
  options: StackOptions,
  weightOf: (sample: Sample) => number = () => 1,
): Model {
  const weights = fit(samples, options.linear, weightOf);
  const groups = samples
    .filter(({ labels }) => labels.includes(1))
    .map((sample) => groupOf(sample, scoresOf(sample, weights), options.top, weightOf(sample)));
  const trees: Tree[] = [];
  for (let run = 0; run < options.runs; run++) {
    const settings = { ...options.trees, seed: options.trees.seed + run, usable: USABLE };
    for (const tree of boost(groups, settings)) {
      trees.push({ ...tree, value: tree.value.map((value) => value / options.runs) });
    }
  }
  return { weights, trees };
}

/** What `locus eval` does not count is not learned from. */
function groupOf(sample: Sample, first: Float64Array, top: number, weight: number): Group {
  const counted = first.keys().filter((i) => sample.places[i] !== null);
  const kept = bestAndEdited(counted, first, sample, top);
  return {
    features: allFeatures(sample, first).map((of) => Float64Array.from(kept, (i) => at(of, i))),
    labels: Int8Array.from(kept, (i) => at(sample.labels, i)),
    scores: Float64Array.from(kept, (i) => at(first, i)),
    weight,
  };
}

/** By candidate. */
export function stackedScores(sample: Sample, { weights, trees }: Model): Float64Array {
  const first = scoresOf(sample, weights);
  const features = allFeatures(sample, first);
  return first.map((score, i) => score + scoreOf(trees, (feature) => at(at(features, feature), i)));
}
