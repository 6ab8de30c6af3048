/**
 * Fits the ranker of the reranked list: `npm run lab -- train-reranker --lists <folder> --read <signal>=<json> ... [--measure
 * <folder>] [--write]`
 *
 * `--lists` has lists that `training-lists` wrote, of issues that the reranker's models never saw and of families to train
 * or tune on. `--read` has a model's scores for these lists and those of `--measure`, as `transformer score` writes them.
 *
 * Prints how the first candidates rank with one additional weight for each model, with the smallest such weights that are about
 * as good, and with all weights fitted again. Each is measured on families that it was not fitted on, and on the issues of
 * `--measure`. `--write` writes the smallest weights, fitted on all lists, into the ranker's file.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import { formatComparison, type Scores } from '../forest/compare.ts';
import { predictOutOfFold } from '../forest/folds.ts';
import { type RankedIssue, toRankedIssue } from '../forest/issue.ts';
import { type Learner, learnScores, makeScorer } from '../forest/models.ts';
import { FOLDS, REFIT, UNFITTED } from '../forest/settings.ts';
import { readLists } from '../lists/read.ts';
import { readRanker, writeReranked } from '../ranker/command.ts';
import { fitWeights, listWeights } from '../ranker/linear.ts';
import { findBreaches } from '../split/split.ts';
import { addModelWeights } from './added.ts';
import { addModelColumn, computeDeviation, getValues, type ModelScores } from './issue.ts';
import { findLeastWeights } from './least.ts';

const { values } = parseArgs({
  options: {
    lists: { type: 'string' },
    read: { type: 'string', multiple: true },
    measure: { type: 'string' },
    write: { type: 'boolean' },
  },
});
if (!values.lists || !values.read) {
  console.error(
    'usage: npm run lab -- train-reranker --lists <folder> --read <signal>=<json> ... [--measure <folder>] [--write]',
  );
  process.exit(2);
}
const models = values.read.map((given) => {
  const [name = '', file = ''] = given.split('=', 2);
  return { name, read: JSON.parse(readFileSync(file, 'utf8')) as ModelScores };
});
const firsts = readIssues(values.lists);
const repositories = [...new Set(firsts.map(({ repo }) => repo))].sort();
const forbidden = findBreaches(repositories, 'train', 'tune');
if (forbidden.length > 0)
  throw new Error(`The split forbids training on ${forbidden.join(', ')}. Remove their lists.`);
const deviations = models.map(({ read }) =>
  computeDeviation(firsts.map((issue) => getValues(issue, read))),
);
const learned = firsts.map(addModelColumns);
const { names } = assertPresent(learned[0], 'an issue to learn from');
const base = listWeights(readRanker().weights, names);

const added: Learner = (issues) => addModelWeights(issues, base, models.length);
const least: Learner = (issues) =>
  findLeastWeights(issues, addModelWeights(issues, base, models.length), models.length);
const refitted: Learner = (issues) => {
  const start = added(issues, base);
  const fitted = (name: string) => !UNFITTED.has(name);
  return fitWeights(issues, { ...REFIT, names, prior: start, fitted });
};
const learners = {
  'a weight for each model': added,
  'the least such weight': least,
  'all weights': refitted,
};

print(
  `${learned.length} issues of ${repositories.length} repositories, each by what was fitted without its family`,
  learned,
  (learner) => {
    const made = predictOutOfFold(learned, FOLDS, (others) => learnScores(learner, others, base));
    return (issue) => made(issue)(issue);
  },
);
if (values.measure) {
  const others = readIssues(values.measure).map(addModelColumns);
  print(`${others.length} issues that nothing was fitted on`, others, (learner) =>
    learnScores(learner, learned, base),
  );
}
const weights = least(learned, base);
const divided = Object.fromEntries(
  models.map(({ name }, m) => [name, assertPresent(deviations[m], 'a deviation')]),
);
for (const [name, deviation] of Object.entries(divided)) {
  const weight = assertPresent(weights[names.indexOf(name)], 'a weight');
  console.log(`${name}: weight ${weight.toFixed(2)}, deviation ${deviation.toFixed(3)}`);
}
if (values.write) writeReranked(weights, names, divided, repositories);

function readIssues(folder: string): RankedIssue[] {
  return [...readLists(folder)]
    .filter(({ candidates }) => candidates.length > 0)
    .map((list) => toRankedIssue(list, MAX_RERANKED));
}

function addModelColumns(issue: RankedIssue): RankedIssue {
  return models.reduce(
    (of, { name, read }, m) =>
      addModelColumn(of, name, read, assertPresent(deviations[m], 'a deviation')),
    issue,
  );
}

function print(
  title: string,
  issues: readonly RankedIssue[],
  scores: (learner: Learner) => Scores,
): void {
  const alone = models.map(({ name }): [string, Scores] => [
    `${name} alone`,
    makeScorer(listWeights({ [name]: 1 }, names)),
  ]);
  const both = Object.entries(learners).map(([name, learner]): [string, Scores] => [
    name,
    scores(learner),
  ]);
  const first: [string, Scores] = ['initial ranking', makeScorer(base)];
  console.log(`${title}\n\n${formatComparison(issues, [first, ...alone, ...both])}\n`);
}
