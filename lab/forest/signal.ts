/**
 * Fits the weight of one signal beside all others: `npm run -s lab -- train-signal --signal <name> --lists <folder> ... [--write]`
 *
 * For a signal that few issues have a value of, so that refitting all weights would move the others by chance. Learned from,
 * and measured on, are those issues of `--lists` that it says something of, as `training-lists` writes them, of families to
 * train on. It prints the first list without the signal, and with a weight that was fitted to other families; `--write` puts
 * the weight, fitted to all of them, into the files of both rankers.
 */
import { parseArgs } from 'node:util';
import { readLists } from '../lists/read.ts';
import { at } from '../ranker/at.ts';
import { readRanker, writeTrainedOn, writeWeight } from '../ranker/command.ts';
import { fit, SIGNAL_NAMES, scoresOf, type Weights, weightsFrom } from '../ranker/linear.ts';
import { LINEAR } from '../ranker/settings.ts';
import { breaches } from '../split/split.ts';
import { comparison, type Scores } from './compare.ts';
import { outOfFold } from './folds.ts';
import { issueOf, type RankedIssue } from './issue.ts';
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
  .map((list) => issueOf(list, MOST))
  .filter((issue) => at(issue.values, column).some((value) => value > 0));
const repositories = [...new Set(issues.map(({ repo }) => repo))].sort();
const forbidden = breaches(repositories, 'train');
if (forbidden.length > 0) throw new Error(`not to be learned from: ${forbidden.join(', ')}`);
const without = weightsFrom({ ...readRanker().weights, [signal]: 0 });

const byOthers = outOfFold(issues, FOLDS, fitted);
const rankers: [string, Scores][] = [
  [`without ${signal}`, (issue) => scoresOf(issue, without)],
  [`with ${signal}, fitted to other families`, (issue) => scoresOf(issue, byOthers(issue))],
];
console.log(`${issues.length} issues of ${repositories.length} repositories\n`);
console.log(`${comparison(issues, rankers)}\n`);
const weight = at(fitted(issues), column);
console.log(`${signal}: weight ${weight.toFixed(2)}`);
if (values.write) {
  writeWeight(signal, weight);
  writeTrainedOn(signal, 'issues, by train-signal', repositories);
}

/** All weights as they are but the signal's, which begins with none. */
function fitted(of: readonly RankedIssue[]): Weights {
  return fit(of, { ...LINEAR, prior: without, fitted: (name) => name === signal });
}
