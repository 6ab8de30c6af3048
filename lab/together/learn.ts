/**
 * Tries second passes, which rank the first candidates of lists again by how they are related to the first results:
 * `npm run -s lab -- train-together --lists <folder> [--measure <folder>]`
 *
 * `--lists` has lists of issues of repositories that may be trained on, as `training-lists` writes them, `--measure` lists that
 * choices are made by. It prints, for issues with one edited chunk and for those with more, what each pass gains on the
 * first list: on families that it was not fitted on, and on the lists of `--measure`.
 */
import { parseArgs } from 'node:util';
import { comparison, type Scores } from '../forest/compare.ts';
import { outOfFold } from '../forest/folds.ts';
import { FOLDS } from '../forest/settings.ts';
import { readLists } from '../lists/read.ts';
import { at } from '../ranker/at.ts';
import { fit, type Labelled, scoresOf, type Weights, weightsFrom } from '../ranker/linear.ts';
import { breaches } from '../split/split.ts';
import { COLUMNS, given, type RelatedIssue, relatedIssue, weighted } from './issue.ts';
import { listedRelations } from './listed.ts';

/** Candidates of a list, and the first results that others are related to. */
const MOST = 60;
const FIRST = 8;
const NAMES = ['score', ...COLUMNS];
const START = weightsFrom({ score: 1 }, NAMES);
/** Places among which edited ones are taken as known to learn what follows them. */
const KNOWN = 5;

const { values } = parseArgs({
  options: { lists: { type: 'string' }, measure: { type: 'string' } },
});
if (!values.lists) {
  console.error('usage: npm run -s lab -- train-together --lists <folder> [--measure <folder>]');
  process.exit(2);
}

interface Pass {
  name: string;
  /** What it learns from. */
  samples(issue: RelatedIssue): Labelled[];
  scores(issue: RelatedIssue, weights: Weights): Float64Array;
}

const byOdds = (issue: RelatedIssue, weights: Weights) => scoresOf(weighted(issue), weights);

const PASSES: readonly Pass[] = [
  {
    name: 'relations, by how likely the first results are',
    samples: (issue) => [weighted(issue)],
    scores: byOdds,
  },
  {
    name: 'the same, learned from what follows an edited one',
    samples: (issue) =>
      [...issue.labels.slice(0, KNOWN).entries()].flatMap(([place, label]) =>
        label === 1 ? [given(issue, place)] : [],
      ),
    scores: byOdds,
  },
  {
    name: 'the first stays, the others by what relates them to it',
    samples: (issue) => [given(issue, 0)],
    scores: (issue, weights) => {
      const scores = scoresOf(given(issue, 0), weights);
      scores[0] = Number.POSITIVE_INFINITY;
      return scores;
    },
  },
];

const GROUPS: readonly [string, (edited: number) => boolean][] = [
  ['one edited chunk', (edited) => edited === 1],
  ['two to five', (edited) => edited > 1 && edited <= 5],
  ['all with more than one', (edited) => edited > 1],
];

const learned = issuesIn(values.lists);
const forbidden = breaches([...new Set(learned.map(({ repo }) => repo))], 'train');
if (forbidden.length > 0) throw new Error(`not to be learned from: ${forbidden.join(', ')}`);
const crossed = PASSES.map((pass): [string, Scores<RelatedIssue>] => {
  const weights = outOfFold(learned, FOLDS, (others) => learn(pass, others));
  return [pass.name, (issue) => pass.scores(issue, weights(issue))];
});
print('families that it was not fitted on', learned, crossed);
const all = PASSES.map((pass) => ({ pass, weights: learn(pass, learned) }));
for (const { pass, weights } of all) {
  const said = NAMES.map((name, i) => `${name} ${at(weights, i).toFixed(2)}`);
  console.log(`${pass.name}: ${said.slice(1).join(', ')}\n`);
}
if (values.measure) {
  const rankers = all.map(({ pass, weights }): [string, Scores<RelatedIssue>] => [
    pass.name,
    (issue) => pass.scores(issue, weights),
  ]);
  print('lists that none was fitted on', issuesIn(values.measure), rankers);
}

function learn({ samples }: Pass, issues: readonly RelatedIssue[]): Weights {
  return fit(issues.flatMap(samples), {
    names: NAMES,
    prior: START,
    strength: 0.002,
    fitted: (name) => name !== 'score',
  });
}

function issuesIn(folder: string): RelatedIssue[] {
  return [...readLists(folder)]
    .filter(({ candidates }) => candidates.length > 0)
    .map((list) => {
      const kept = { ...list, candidates: list.candidates.slice(0, MOST) };
      return relatedIssue(
        kept,
        listedRelations(kept, [...kept.candidates.keys().take(FIRST)]),
        MOST,
      );
    });
}

function print(
  where: string,
  issues: readonly RelatedIssue[],
  passes: [string, Scores<RelatedIssue>][],
): void {
  const first: [string, Scores<RelatedIssue>] = ['the first list', (issue) => issue.scores];
  for (const [group, has] of GROUPS) {
    const those = issues.filter(({ labels, missed }) =>
      has(labels.reduce((count, label) => count + label, missed)),
    );
    console.log(`${where}: ${those.length} issues, ${group}\n`);
    console.log(`${comparison(those, [first, ...passes])}\n`);
  }
}
