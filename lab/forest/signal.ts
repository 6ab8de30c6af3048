/**
 * Fits the weight of one signal and leaves all others unchanged: `npm run -s lab -- train-signal --signal <name> --lists <folder> ... [--write]`
 *
 * This is for a signal with values in few issues, where refitting all weights would change the others by chance. Uses the issues
 * of `--lists` that have values of the signal. `training-lists` wrote the lists, of families to train on. Measures the initial
 * ranking without the signal, and with a weight that was fitted to other families. `--write` writes the weight, fitted to all
 * families, into the files of both rankers.
 */
import { parseArgs } from 'node:util';
import { readLists } from '../lists/read.ts';
import { at } from '../ranker/at.ts';
import { readRanker, writeTrainedOn, writeWeight } from '../ranker/command.ts';
import {
  computeScores,
  fitWeights,
  listWeights,
  SIGNAL_NAMES,
  type Weights,
} from '../ranker/linear.ts';
import { LINEAR } from '../ranker/settings.ts';
import { findBreaches } from '../split/split.ts';
import { formatComparison, type Scores } from './compare.ts';
import { predictOutOfFold } from './folds.ts';
import { type RankedIssue, toRankedIssue } from './issue.ts';
import { FOLDS, MOST } from './settings.ts';

const { values } = parseArgs({
  options: {
    signal: { type: 'string' },
    lists: { type: 'string', multiple: true },
    write: { type: 'boolean' },
  },
});
const { signal = '', lists = [] } = values;
const column = SIGNAL_NAMES.indexOf(signal);
if (column < 0 || lists.length === 0) {
  console.error(
    'usage: npm run -s lab -- train-signal --signal <name> --lists <folder> ... [--write]',
  );
  process.exit(2);
}
const issues = lists
  .flatMap((folder) => [...readLists(folder)])
  .filter(({ candidates }) => candidates.length > 0)
  .map((list) => toRankedIssue(list, MOST))
  .filter((issue) => at(issue.values, column).some((value) => value > 0));
const repositories = [...new Set(issues.map(({ repo }) => repo))].sort();
const forbidden = findBreaches(repositories, 'train');
if (forbidden.length > 0)
  throw new Error(`The split forbids training on ${forbidden.join(', ')}. Remove their lists.`);
const without = listWeights({ ...readRanker().weights, [signal]: 0 });

const byOthers = predictOutOfFold(issues, FOLDS, fitSignal);
const rankers: [string, Scores][] = [
  [`without ${signal}`, (issue) => computeScores(issue, without)],
  [`with ${signal}, fitted to other families`, (issue) => computeScores(issue, byOthers(issue))],
];
console.log(`${issues.length} issues of ${repositories.length} repositories\n`);
console.log(`${formatComparison(issues, rankers)}\n`);
const weight = at(fitSignal(issues), column);
console.log(`${signal}: weight ${weight.toFixed(2)}`);
if (values.write) {
  writeWeight(signal, weight);
  writeTrainedOn(signal, 'issues, by train-signal', repositories);
}

/** Fits the signal's weight, starting from 0. All other weights stay unchanged. */
function fitSignal(of: readonly RankedIssue[]): Weights {
  return fitWeights(of, { ...LINEAR, prior: without, fitted: (name) => name === signal });
}
