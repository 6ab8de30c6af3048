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
import { present } from '../../src/shared/present.ts';
import { collect, readOptions, readRanker, writeWeights } from './command.ts';
import { leaveOneRepositoryOut } from './held-out.ts';
import { figuresOf, fit, scoresOf, weightsFrom } from './linear.ts';
import { type Sample, sampleOf } from './samples.ts';
import { ALSO, LINEAR, SHOWN } from './settings.ts';

const options = readOptions('train-ranker');
const unmarked = (snapshot: Parameters<typeof sampleOf>[0]) => {
  const sample = sampleOf(snapshot, NO_MARKS);
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
const weightOf = (sample: Sample) => (main.has(sample) ? 1 : ALSO);

const heldOut = leaveOneRepositoryOut(samples, (others) => fit(others, LINEAR, weightOf), also);
const shipped = weightsFrom(readRanker().weights);

console.log(`${samples.length} issues, and ${also.length} others\n`);
printRankings([
  ['BM25F alone', (sample) => scoresOf(sample, weightsFrom({ bm25: 1 }))],
  ['dense alone', (sample) => scoresOf(sample, weightsFrom({ dense: 1 }))],
  ['dense + BM25F', (sample) => scoresOf(sample, weightsFrom({ dense: 1, bm25: 1 }))],
  ['fitted without the issue’s repository', (sample) => scoresOf(sample, heldOut(sample))],
  ['in the ranker’s file', (sample) => scoresOf(sample, shipped)],
]);
const fitted = fit([...samples, ...also], LINEAR, weightOf);
printWeights();
if (options.write) writeWeights(Object.fromEntries(fittedNames()));

function printRankings(rows: [string, (sample: Sample) => Float64Array][]): void {
  const table = rows.map(([name, scores]) => [name, ...figuresOf(samples, scores, SHOWN)]);
  console.log(formatMarkdownTable(['ranker', ...SHOWN], table).join('\n'));
}

function fittedNames(): [string, number][] {
  return SIGNALS.flatMap(({ name }, f) =>
    LINEAR.fitted(name) ? [[name, present(fitted[f], `the weight of ${name}`)]] : [],
  );
}

function printWeights(): void {
  const rows = fittedNames().map(([name, weight]) => [name, weight.toFixed(2)]);
  console.log(`\n${formatMarkdownTable(['signal', 'weight'], rows).join('\n')}`);
}
