/** Compares rankings of the same lists. */
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { perfectRecall, reciprocalRank } from '../../src/services/evaluation/metrics.ts';
import {
  computeBootstrapInterval,
  createRandom,
  mean,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';
import { at } from '../ranker/at.ts';
import type { RankedIssue } from './issue.ts';

/** Computes the score of each candidate. */
export type Scores<Issue = RankedIssue> = (issue: Issue) => Float64Array;

/** Metrics of the ranks of edited chunks. The rank of a missing chunk is null. */
const MEASURES: Record<string, (ranks: (number | null)[]) => number> = {
  'perfect recall@5': (ranks) => perfectRecall(ranks, 5),
  'perfect recall@20': (ranks) => perfectRecall(ranks, 20),
  MRR: reciprocalRank,
};

/** Returns the ranks of the edited chunks. Breaks ties at random, so that the order of the list does not help a ranker. */
export function listRanks(issue: RankedIssue, scores: Float64Array): (number | null)[] {
  const random = createRandom(issue.considered + issue.labels.length);
  const draws = Float64Array.from(scores, random);
  const order = [...scores.keys()].sort(
    (a, b) => at(scores, b) - at(scores, a) || at(draws, a) - at(draws, b),
  );
  const found = order.flatMap((i, place) => (issue.labels[i] === 1 ? [place + 1] : []));
  return [...found, ...Array.from({ length: issue.missed }, () => null)];
}

/**
 * Formats a table of the rankers' metrics, and of the gain of each over the first one: the mean difference, its 95% interval and
 * the p-value of a randomization test, paired by issue.
 */
export function formatComparison<Issue extends RankedIssue>(
  issues: readonly Issue[],
  rankers: readonly [string, Scores<Issue>][],
): string {
  const ranks = rankers.map(([, scores]) => issues.map((issue) => listRanks(issue, scores(issue))));
  const rows = rankers.map(([name], r) => [
    name,
    ...Object.values(MEASURES).flatMap((measure) => {
      const own = at(ranks, r).map(measure);
      const first = at(ranks, 0).map(measure);
      const gains = own.map((value, i) => value - at(first, i));
      const gain = r === 0 ? '' : `${formatSigned(mean(gains))} ${formatInterval(gains)}`;
      return [mean(own).toFixed(3), gain];
    }),
  ]);
  const head = ['ranker', ...Object.keys(MEASURES).flatMap((name) => [name, 'gain'])];
  return formatMarkdownTable(head, rows).join('\n');
}

function formatInterval(gains: readonly number[]): string {
  const ends = computeBootstrapInterval(gains).map(formatSigned).join(', ');
  return `[${ends}], p ${runRandomizationTest(gains).toFixed(3)}`;
}

function formatSigned(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
