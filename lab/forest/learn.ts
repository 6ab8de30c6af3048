/**
 * Learns the ranker from lists: `npm run train:lists -- --lists <folder> [--measure <folder>] [--write <model>]`
 *
 * `--lists` has lists of issues of repositories that may be trained on, as `training:lists` writes them, and `--measure` lists
 * that nothing is learned from. It prints how the models of `models.ts` rank issues of repository families that they were
 * not fitted on, next to the ranker that comes with Locus, and with `--measure` how those fitted on all lists rank the others.
 * `--write` puts the model of that name, fitted on all lists, into the ranker's file.
 */
import { parseArgs } from 'node:util';
import { present } from '../../src/shared/present.ts';
import { readLists } from '../lists/read.ts';
import { readRanker, writeModel } from '../ranker/command.ts';
import { weightsFrom } from '../ranker/linear.ts';
import { breaches } from '../split/split.ts';
import { comparison, type Scores } from './compare.ts';
import { outOfFold } from './folds.ts';
import { issueOf, type RankedIssue } from './issue.ts';
import { LEARNERS, type Learner, learnedBy, scoresBy } from './models.ts';
import { FOLDS, MOST } from './settings.ts';

const option = { type: 'string' } as const;
const { values } = parseArgs({ options: { lists: option, measure: option, write: option } });
if (!values.lists || (values.write && !LEARNERS[values.write])) {
  console.error(
    `usage: npm run train:lists -- --lists <folder> [--measure <folder>] [--write <model>]\nmodels: ${Object.keys(LEARNERS).join('; ')}`,
  );
  process.exit(2);
}
const learned = issuesOf(values.lists);
const repositories = [...new Set(learned.map(({ repo }) => repo))].sort();
const forbidden = breaches(repositories, 'train');
if (forbidden.length > 0) throw new Error(`not to be learned from: ${forbidden.join(', ')}`);
const { names } = present(learned[0], 'an issue to learn from');
const ranker = readRanker();
const base = weightsFrom(ranker.weights, names);
const shipped: [string, Scores] = ['as shipped', scoresBy(base, ranker.forest)];

print(
  `${learned.length} issues of ${repositories.length} repositories, each by what was fitted without its family`,
  learned,
  (learner) => {
    const made = outOfFold(learned, FOLDS, (others) => learnedBy(learner, others, base));
    return (issue) => made(issue)(issue);
  },
);
if (values.measure) {
  const others = issuesOf(values.measure);
  print(`${others.length} issues that none of these was fitted on`, others, (learner) =>
    learnedBy(learner, learned, base),
  );
}
if (values.write) {
  const learner = present(LEARNERS[values.write], 'a model');
  const { weights, forest } = learner(learned, base);
  writeModel(weights, forest, names, repositories);
}

function issuesOf(folder: string): RankedIssue[] {
  return [...readLists(folder)].map((list) => issueOf(list, MOST));
}

function print(
  title: string,
  issues: readonly RankedIssue[],
  scores: (learner: Learner) => Scores,
): void {
  const rankers = Object.entries(LEARNERS).map(([name, learner]): [string, Scores] => [
    name,
    scores(learner),
  ]);
  console.log(`${title}\n\n${comparison(issues, [shipped, ...rankers])}\n`);
}
