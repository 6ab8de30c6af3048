/**
 * Fits the ranker: `npm run lab -- train-ranker --dataset issues.jsonl --repos ~/clones`
 *
 * Indexes each issue's repository at its commit and computes the signals of its candidates with the code that serves
 * searches. Fits the weights and the confidence, and prints the metrics on repositories that they were not fitted on.
 * `--write` writes them into the ranker's file. `--samples file` saves the signals, and reads them from there if the
 * file exists. `--also commits.jsonl` also learns from a second data set.
 */

import { NO_MARKS, SIGNALS } from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { collect, readOptions, readRanker, writeWeights } from './command.ts';
import { leaveOneRepositoryOut } from './held-out.ts';
import { computeScores, fitWeights, formatMetrics, listWeights } from './linear.ts';
import { makeSample, type Sample } from './samples.ts';
import { ALSO_WEIGHT, LINEAR, SHOWN } from './settings.ts';

const options = readOptions('train-ranker');
const unmarked = (snapshot: Parameters<typeof makeSample>[0]) => {
  const sample = makeSample(snapshot, NO_MARKS);
  return sample ? [sample] : [];
};
const samples = await collect(options, unmarked);
const also = options.also
  ? await collect(
      {
        ...options,
        dataset: options.also,
        samples: options.samples && `${options.samples}-also`,
      },
      unmarked,
    )
  : [];
const main = new Set(samples);
const weightOf = (sample: Sample) => (main.has(sample) ? 1 : ALSO_WEIGHT);

const heldOut = leaveOneRepositoryOut(
  samples,
  (others) => fitWeights(others, LINEAR, weightOf),
  also,
);
const shipped = listWeights(readRanker().weights);

console.log(`${samples.length} issues, and ${also.length} others\n`);
printRankings([
  ['BM25F alone', (sample) => computeScores(sample, listWeights({ bm25: 1 }))],
  ['dense alone', (sample) => computeScores(sample, listWeights({ dense: 1 }))],
  ['dense + BM25F', (sample) => computeScores(sample, listWeights({ dense: 1, bm25: 1 }))],
  ['fitted without the issue’s repository', (sample) => computeScores(sample, heldOut(sample))],
  ['in the ranker’s file', (sample) => computeScores(sample, shipped)],
]);
const fitted = fitWeights([...samples, ...also], LINEAR, weightOf);
printWeights();
if (options.write) writeWeights(Object.fromEntries(fittedNames()));

function printRankings(rows: [string, (sample: Sample) => Float64Array][]): void {
  const table = rows.map(([name, scores]) => [name, ...formatMetrics(samples, scores, SHOWN)]);
  console.log(formatMarkdownTable(['ranker', ...SHOWN], table).join('\n'));
}

function fittedNames(): [string, number][] {
  return SIGNALS.flatMap(({ name }, f) =>
    LINEAR.fitted(name) ? [[name, assertPresent(fitted[f], `the weight of ${name}`)]] : [],
  );
}

function printWeights(): void {
  const rows = fittedNames().map(([name, weight]) => [name, weight.toFixed(2)]);
  console.log(`\n${formatMarkdownTable(['signal', 'weight'], rows).join('\n')}`);
}
