/**
 * Fits and measures relevance feedback: `npm run lab -- train-feedback --dataset issues.jsonl --repos ~/clones`
 *
 * Simulates a user who marks chunks and searches again. In *found one*, an edited chunk of an issue that edits several is marked
 * `edit`, each of the first three in turn, and the search must find the others. In *ruled one out*, the best-ranked chunk
 * that is not edited is marked `irrelevant`. *Both* does both. Marked chunks are left out of the ranking before and after,
 * so only the effect of marks on other chunks counts. Only the weights of mark signals are fitted; all others stay.
 * The table uses weights that were fitted on other repositories. Options are those of `train-ranker`.
 */

import { MARK_SIGNALS, SIGNALS } from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { METRICS } from '../../src/services/evaluation/metrics.ts';
import {
  computeBootstrapInterval,
  mean,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { collect, readOptions, readRanker, writeWeights } from './command.ts';
import { leaveOneRepositoryOut } from './held-out.ts';
import {
  type FitOptions,
  fitWeights,
  listWeights,
  measure,
  SIGNAL_NAMES,
  type Weights,
} from './linear.ts';
import type { Sample } from './samples.ts';
import { clearMarkWeights, makeTrials, SCENARIOS } from './trials.ts';

const SHOWN = ['MRR', 'recall@5', 'perfect recall@5', 'perfect recall@20'];
const ofMarks = new Set<string>(MARK_SIGNALS.map(({ name }) => name));
const shipped = readRanker().weights;
const BASE = clearMarkWeights(shipped);

const options = readOptions('train-feedback');
const trials = await collect(options, (snapshot) => makeTrials(snapshot, BASE));
const FIT: FitOptions = {
  names: SIGNAL_NAMES,
  prior: BASE,
  strength: 0.02,
  fitted: (signal) => ofMarks.has(signal),
};
const learning = trials.map(({ after }) => after);
const held = leaveOneRepositoryOut(learning, (others) => fitWeights(others, FIT));
const fitted = fitWeights(learning, FIT);
const weightAt = (f: number) => assertPresent(fitted[f], `weight ${f}`);

report('Weights in the ranker’s file', () => listWeights(shipped));
report('Fitted on the other repositories', held);
for (const { name } of MARK_SIGNALS) {
  const fitted = (signal: string) => ofMarks.has(signal) && signal !== name;
  const without = leaveOneRepositoryOut(learning, (others) =>
    fitWeights(others, { ...FIT, fitted }),
  );
  report(`Fitted on the other repositories, without ${name}`, without);
}
console.log(
  formatMarkdownTable(
    ['signal', 'fitted', 'in the file'],
    MARK_SIGNALS.map(({ name }) => {
      const f = SIGNALS.findIndex((signal) => signal.name === name);
      return [name, weightAt(f).toFixed(2), (shipped[name] ?? 0).toFixed(2)];
    }),
  ).join('\n'),
);
if (options.write) {
  const entries = SIGNALS.map(({ name }, f): [string, number] => [name, weightAt(f)]);
  writeWeights(Object.fromEntries(entries.filter(([name]) => ofMarks.has(name))));
}

/** Prints a table of the metrics without and with marks. Each issue counts once. */
function report(title: string, weights: (sample: Sample) => Weights): void {
  const metrics = METRICS.filter(({ name }) => SHOWN.includes(name));
  const rows = SCENARIOS.flatMap((scenario) => {
    const byIssue = [
      ...Map.groupBy(
        trials.filter((trial) => trial.scenario === scenario),
        ({ after }) => after.instance,
      ).values(),
    ];
    return metrics.map((metric) => {
      const before = byIssue.map((some) =>
        mean(some.map((trial) => measure(trial.before, BASE, metric))),
      );
      const after = byIssue.map((some) =>
        mean(some.map((trial) => measure(trial.after, weights(trial.after), metric))),
      );
      const differences = after.map((value, i) => value - assertPresent(before[i], 'a mean'));
      return [
        `${scenario}, ${byIssue.length} issues`,
        metric.name,
        mean(before).toFixed(3),
        mean(after).toFixed(3),
        computeBootstrapInterval(differences)
          .map((end) => end.toFixed(3))
          .join(' to '),
        runRandomizationTest(differences).toFixed(4),
      ];
    });
  });
  const head = ['marks', 'measure', 'before', 'after', 'difference, 95%', 'p'];
  console.log(`${title}\n\n${formatMarkdownTable(head, rows).join('\n')}\n`);
}
