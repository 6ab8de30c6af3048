/**
 * Fits the ranker: `npm run train:ranker -- --dataset issues.jsonl --repos ~/clones`
 *
 * Indexes each issue's repository at its commit, computes the signals of its candidates by the code that serves, fits
 * the weights, and prints what they give on repositories that they were not fitted on. With `--write` it puts them
 * into the ranker's file. `--samples file` keeps the signals, and reads them from there when the file exists.
 */
import { markdownTable } from '../../src/engine/evaluation/markdown-table.ts';
import { METRICS } from '../../src/engine/evaluation/metrics.ts';
import { mean } from '../../src/engine/evaluation/statistics.ts';
import { NO_MARKS } from '../../src/engine/search/feedback.ts';
import { SIGNALS } from '../../src/engine/search/signals/index.ts';
import { MARK_SIGNALS } from '../../src/engine/search/signals/marks.ts';
import { collect, readOptions, readRanker, writeWeights } from './command.ts';
import {
  type FitOptions,
  fit,
  leaveOneRepositoryOut,
  lossOf,
  measure,
  type Weights,
  weightsFrom,
} from './linear.ts';
import { type Sample, sampleOf } from './samples.ts';

/** Weights of a prototype, fitted in the same way on 114 issues, some of them the same ones. */
const PROTOTYPE = weightsFrom({
  dense: 0.92,
  bm25: 0.8,
  file: 0.52,
  path: 0.47,
  baseName: 0.16,
  name: 0.15,
  className: 0.2,
  called: 0.17,
  length: 0.21,
  class: -0.73,
  role: -0.97,
});
const FIT: FitOptions = {
  prior: PROTOTYPE,
  strength: 0.1,
  fitted: (signal) => !MARK_SIGNALS.some(({ name }) => name === signal),
};
const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];

const options = readOptions('train:ranker');
const samples = await collect(options, (snapshot) => {
  const sample = sampleOf(snapshot, NO_MARKS);
  return sample ? [sample] : [];
});
const fitted = fit(samples, FIT);
const held = leaveOneRepositoryOut(samples, FIT);
const shipped = weightsFrom(readRanker().weights);

console.log(`${samples.length} issues\n`);
const rows: [string, (sample: Sample) => Weights][] = [
  ['BM25F alone', () => weightsFrom({ bm25: 1 })],
  ['dense + BM25F', () => weightsFrom({ dense: 1, bm25: 1 })],
  ["the prototype's", () => PROTOTYPE],
  ["fitted without the issue's repository", ({ repo }) => held.get(repo)!],
  ['fitted on all', () => fitted],
  ['in the ranker’s file', () => shipped],
];
const metrics = METRICS.filter(({ name }) => SHOWN.includes(name));
console.log(
  markdownTable(
    ['weights', ...metrics.map(({ name }) => name), 'loss, nats'],
    rows.map(([name, weights]) => [
      name,
      ...metrics.map((metric) => {
        return mean(samples.map((sample) => measure(sample, weights(sample), metric))).toFixed(3);
      }),
      meanLoss(weights).toFixed(2),
    ]),
  ).join('\n'),
);

const names = SIGNALS.map(({ name }) => name).filter(FIT.fitted);
const byName = (weights: Weights) =>
  Object.fromEntries(SIGNALS.map(({ name }, f) => [name, weights[f]]));
console.log(
  `\n${markdownTable(
    ['signal', 'prototype', 'fitted', 'in the file'],
    names.map((name) => [
      name,
      ...[PROTOTYPE, fitted, shipped].map((weights) => byName(weights)[name].toFixed(2)),
    ]),
  ).join('\n')}`,
);
if (options.write)
  writeWeights(Object.fromEntries(names.map((name) => [name, byName(fitted)[name]])));

/** Over the issues with an edited chunk among the candidates. */
function meanLoss(weights: (sample: Sample) => Weights): number {
  const found = samples.filter(({ labels }) => labels.includes(1));
  return mean(found.map((sample) => lossOf(sample, weights(sample))));
}
