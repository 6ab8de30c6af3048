/**
 * Fits the ranker to lists: `npm run lab -- train-lists --lists <folder> ... [--measure <folder>] ... [--against <json>]
 * [--only <model>] ... [--write <model>] [--to <json>]`
 *
 * `--lists` has lists that `training-lists` wrote, of repositories to train on. `--measure` has lists for measurement only.
 *
 * Prints how the models of `models.ts`, or those of `--only`, rank issues of repository families that they were not fitted on.
 * Compares them with the ranker that comes with Locus, or with that of `--against`. For each `--measure`, prints how models that
 * are fitted on all lists rank its issues. `--write` writes the model of that name, fitted on all lists, into the ranker's file,
 * or into the file of `--to`.
 */
import { parseArgs } from 'node:util';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { readLists } from '../lists/read.ts';
import { readRanker, readRankerFrom, writeModel } from '../ranker/command.ts';
import { listWeights } from '../ranker/linear.ts';
import { findBreaches } from '../split/split.ts';
import { formatComparison, type Scores } from './compare.ts';
import { predictOutOfFold } from './folds.ts';
import { type RankedIssue, toRankedIssue } from './issue.ts';
import { LEARNERS, type Learner, learnScores, makeScorer } from './models.ts';
import { FOLDS, MOST } from './settings.ts';

const option = { type: 'string' } as const;
const several = { type: 'string', multiple: true } as const;
const { values } = parseArgs({
  options: {
    lists: several,
    measure: several,
    against: option,
    only: several,
    write: option,
    to: option,
  },
});
if (!values.lists || (values.write && !LEARNERS[values.write])) {
  console.error(
    `usage: npm run lab -- train-lists --lists <folder> ... [--measure <folder>] ... [--against <json>] [--only <model>] ... [--write <model>] [--to <json>]\nmodels: ${Object.keys(LEARNERS).join('; ')}`,
  );
  process.exit(2);
}
const learned = values.lists.flatMap(readIssues);
const repositories = [...new Set(learned.map(({ repo }) => repo))].sort();
const forbidden = findBreaches(repositories, 'train');
if (forbidden.length > 0)
  throw new Error(`The split forbids training on ${forbidden.join(', ')}. Remove their lists.`);
const { names } = assertPresent(learned[0], 'an issue to learn from');
const base = listWeights(readRanker().weights, names);
const other = values.against ? readRankerFrom(values.against) : readRanker();
const against: [string, Scores] = [
  values.against ?? 'as shipped',
  makeScorer(listWeights(other.weights, names)),
];

print(
  `${learned.length} issues of ${repositories.length} repositories, each by what was fitted without its family`,
  learned,
  (learner) => {
    const made = predictOutOfFold(learned, FOLDS, (others) => learnScores(learner, others, base));
    return (issue) => made(issue)(issue);
  },
);
for (const folder of values.measure ?? []) {
  const others = readIssues(folder);
  print(`${folder}: ${others.length} issues that none of these was fitted on`, others, (learner) =>
    learnScores(learner, learned, base),
  );
}
if (values.write) {
  const learner = assertPresent(LEARNERS[values.write], 'a model');
  writeModel(learner(learned, base), names, repositories, values.to);
}

function readIssues(folder: string): RankedIssue[] {
  return [...readLists(folder)]
    .filter(({ candidates }) => candidates.length > 0)
    .map((list) => toRankedIssue(list, MOST));
}

function print(
  title: string,
  issues: readonly RankedIssue[],
  scores: (learner: Learner) => Scores,
): void {
  const rankers = Object.entries(LEARNERS)
    .filter(([name]) => values.only?.includes(name) ?? true)
    .map(([name, learner]): [string, Scores] => [name, scores(learner)]);
  console.log(`${title}\n\n${formatComparison(issues, [against, ...rankers])}\n`);
}
