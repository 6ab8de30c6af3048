/**
 * Measures the weight of a reranker that nothing was fitted with: `npm run -s lab -- measure-other-reranker --lists <folder> --measured
 * <folder>`
 *
 * `--lists` has lists that `training-lists` wrote, and `--measured` what `read-lists` says of them. Puts coret-1, and bag-1 in its place, as
 * the reranker of another publisher: their values are divided by their deviation within each list. Nothing is fitted.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import { formatComparison, type Scores } from '../forest/compare.ts';
import { type RankedIssue, toRankedIssue } from '../forest/issue.ts';
import { readLists } from '../lists/read.ts';
import { readRanker } from '../ranker/command.ts';
import { computeScores, listWeights } from '../ranker/linear.ts';
import { findBreaches } from '../split/split.ts';
import { addModelColumn, computeVariance } from './issue.ts';
import type { Measured } from './measured.ts';

const WEIGHTS = [0.2, 0.35, 0.5, 0.71, 1, 1.4];
const [OTHER, CORET, DENSE] = ['reranker', 'coret', 'dense'];

const { values } = parseArgs({
  options: { lists: { type: 'string' }, measured: { type: 'string' } },
});
const { lists, measured } = values;
if (!lists || !measured) {
  console.error(
    'usage: npm run -s lab -- measure-other-reranker --lists <folder> --measured <folder>',
  );
  process.exit(2);
}
const reranked = readRanker('reranked');
const coretDeviation = assertPresent(reranked.deviations?.[CORET], 'a deviation');
const issues = [...readLists(lists)].flatMap((list) => {
  const file = join(measured, `${list.instance.replaceAll('/', '__')}.json`);
  if (list.candidates.length === 0 || !existsSync(file)) return [];
  const { reranked: of }: Measured = JSON.parse(readFileSync(file, 'utf8'));
  const first = toRankedIssue(list, MAX_RERANKED);
  const scores = of.rows.map(({ evidence }) => evidence[CORET]?.value ?? Number.NaN);
  return scores.length < first.labels.length ? [] : [{ first, scores }];
});
const repositories = [...new Set(issues.map(({ first }) => first.repo))].sort();
const forbidden = findBreaches(repositories, 'train', 'tune');
if (forbidden.length > 0)
  throw new Error(`The split forbids choosing by ${forbidden.join(', ')}. Remove their lists.`);

console.log(`${issues.length} issues of ${repositories.join(', ')}\n`);
const initial = readRanker().weights;
for (const name of ['coret-1', 'bag-1']) {
  const all = issues.map(({ first, scores }) =>
    addColumns(first, name === 'coret-1' ? scores : getColumn(first, DENSE), scores),
  );
  const order = (weights: Record<string, number>): Scores => {
    return (issue: RankedIssue) => computeScores(issue, listWeights(weights, issue.names));
  };
  console.log(`${name} as the reranker of another publisher\n`);
  console.log(
    `${formatComparison(all, [
      ['initial ranking', order(initial)],
      ['coret-1 with its weight', order({ ...reranked.weights, [OTHER]: 0 })],
      ...WEIGHTS.map((weight): [string, Scores] => [
        `weight ${weight}`,
        order({ ...reranked.weights, [CORET]: 0, [OTHER]: weight }),
      ]),
    ])}\n`,
  );
}

function getColumn({ names, values: of }: RankedIssue, name: string): number[] {
  return Array.from(assertPresent(of[names.indexOf(name)], `the values of ${name}`), (value) =>
    Number.isNaN(value) ? 0 : value,
  );
}

/** Adds a column for the other reranker and one for coret-1. */
function addColumns(first: RankedIssue, other: readonly number[], coret: readonly number[]) {
  const { instance, labels } = first;
  const own = Math.sqrt(computeVariance(other.slice(0, labels.length))) || 1;
  const withOther = addModelColumn(first, OTHER, { [instance]: other }, own);
  return addModelColumn(withOther, CORET, { [instance]: coret }, coretDeviation);
}
