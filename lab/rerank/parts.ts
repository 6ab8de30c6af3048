/**
 * Measures what each part of the ranking contributes: `npm run -s lab -- measure-parts --lists <folder> --read coret=<json>`
 *
 * Takes the first hundred candidates of each list, as `training-lists` writes them. Orders them by the rankers that come with
 * Locus, by parts of these alone, and by the initial ranking without one part. Nothing is fitted. `--read` has the scores of the
 * reranker's model, as `transformer score` writes them. They order the first candidates, as many as a search reranks.
 */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SIGNALS } from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { FAMILIES, type Family } from '../../src/shared/evidence.ts';
import { MAX_RERANKED } from '../../src/shared/limits.ts';
import { formatComparison, type Scores } from '../forest/compare.ts';
import { type RankedIssue, toRankedIssue } from '../forest/issue.ts';
import type { List } from '../lists/list.ts';
import { readLists } from '../lists/read.ts';
import { readRanker } from '../ranker/command.ts';
import { computeScores, listWeights } from '../ranker/linear.ts';
import { addModelColumn, type ModelScores } from './issue.ts';

/** Candidates of the initial ranking, and the first of them again with a column for the model. */
interface ReadIssue extends RankedIssue {
  read: RankedIssue;
}

const CORET = 'coret';
const MOST = 100;
/** Signals that have no values in these lists, since nobody marked anything. */
const UNUSED: readonly Family[] = ['marks', 'kind'];

const { values } = parseArgs({
  options: { lists: { type: 'string' }, read: { type: 'string' } },
});
const [name, file] = (values.read ?? '').split('=', 2);
if (!values.lists || name !== CORET || !file) {
  console.error('usage: npm run -s lab -- measure-parts --lists <folder> --read coret=<json>');
  process.exit(2);
}
const read: ModelScores = JSON.parse(readFileSync(file, 'utf8'));
const first = readRanker().weights;
const reranked = readRanker('reranked');
const deviation = assertPresent(reranked.deviations?.[CORET], 'a deviation');
const issues = [...readLists(values.lists)]
  .filter(({ candidates }) => candidates.length > 0)
  .map(readIssue);

const repositories = new Set(issues.map(({ family }) => family)).size;
console.log(`${issues.length} issues of ${repositories} repositories\n`);
console.log(
  formatComparison(issues, [
    ['initial ranking', orderAll(first)],
    ['– then reranked', orderReranked(reranked.weights)],
    ['words alone (BM25F)', orderAll({ bm25: 1 })],
    ['bag-1 alone', orderAll({ dense: 1 })],
    ['coret-1 alone, on the first of the initial ranking', orderReranked({ [CORET]: 1 })],
    ...FAMILIES.filter((family) => !UNUSED.includes(family)).map(
      (family): [string, Scores<ReadIssue>] => [
        `initial ranking without ${family}`,
        orderAll(dropFamily(family)),
      ],
    ),
  ]),
);

function readIssue(list: List): ReadIssue {
  return {
    ...toRankedIssue(list, MOST),
    read: addModelColumn(toRankedIssue(list, MAX_RERANKED), CORET, read, deviation),
  };
}

/** Orders all candidates by these weights. */
function orderAll(weights: Readonly<Record<string, number>>): Scores<ReadIssue> {
  return (issue) => computeScores(issue, listWeights(weights, issue.names));
}

/** Orders the reranked candidates by these weights. The others follow in their previous order. */
function orderReranked(weights: Readonly<Record<string, number>>): Scores<ReadIssue> {
  return ({ read: issue, labels }) => {
    const scores = computeScores(issue, listWeights(weights, issue.names));
    const last = Math.min(...scores);
    return Float64Array.from(labels, (_, i) => scores[i] ?? last - i);
  };
}

function dropFamily(family: Family): Record<string, number> {
  const left = new Set<string>(
    SIGNALS.filter((signal) => signal.family === family).map((one) => one.name),
  );
  return Object.fromEntries(Object.entries(first).filter(([signal]) => !left.has(signal)));
}
