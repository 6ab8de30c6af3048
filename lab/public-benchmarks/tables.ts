/** Tables of results on public benchmarks. */
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { type LevelRanks, METRICS, perfectRecall } from '../../src/services/evaluation/metrics.ts';
import { estimateMean, mean } from '../../src/services/evaluation/statistics.ts';
import { type Answer, LISTS } from './semble.ts';

/** Measures of a list, by their headings. */
const MEASURES = {
  'files as listed': 'fileNdcg',
  'files by sum': 'summedNdcg',
  functions: 'functionNdcg',
} as const;
const FILE_CUTOFFS = [1, 3, 5];

/** Measures that LocAgent and SweRank publish, and perfect recall, which is their Acc@k of functions. */
const PUBLISHED = /Acc@|^perfect recall@(?:5|10|20)$/;

/** Formats the NDCG@10 of semble's queries, with the mean over repositories, which semble publishes. */
export function formatAnswers(answers: readonly Answer[]): string[] {
  const unanswerable = answers.filter((answer) => answer.unanswerable);
  const rest = answers.filter((answer) => !answer.unanswerable);
  return [
    ...formatGroups('repository', answers, ({ repository }) => repository),
    '',
    ...formatGroups('category', answers, ({ category }) => category),
    '',
    `Queries whose files do not exist at the revision: ${unanswerable.length}. They count as 0. Without them:`,
    '',
    ...formatGroups('repository', rest, ({ repository }) => repository).slice(-2),
  ];
}

function formatGroups(
  by: string,
  answers: readonly Answer[],
  keyOf: (answer: Answer) => string,
): string[] {
  const groups = [...Map.groupBy(answers, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = LISTS.flatMap((list) => Object.keys(MEASURES).map((name) => `${list}, ${name}`));
  const head = [by, 'queries', ...names];
  const rows = groups.map(([key, own]) => [key, String(own.length), ...measure(own, withInterval)]);
  const means = groups.map(([, own]) => measure(own, mean));
  const overall = names.map((_, i) => mean(means.map((own) => own[i] ?? 0)).toFixed(3));
  const last = ['mean of the rows', '', ...overall];
  const all = ['all queries', String(answers.length), ...measure(answers, withInterval)];
  return formatMarkdownTable(head, [...rows, all, last]);
}

function measure<T>(own: readonly Answer[], of: (values: number[]) => T): T[] {
  return LISTS.flatMap((list) =>
    Object.values(MEASURES).map((measured) => of(own.map((answer) => answer[list][measured]))),
  );
}

function withInterval(values: number[]): string {
  const { mean: value, interval } = estimateMean(values);
  return `${value.toFixed(3)} (${interval.map((end) => end.toFixed(2)).join('–')})`;
}

/** Formats the published measures of several systems on the same issues. */
export function formatRanks(systems: Readonly<Record<string, readonly LevelRanks[]>>): string[] {
  const measures = METRICS.filter(({ name }) => PUBLISHED.test(name));
  const rows = measures.map(({ name, of }) => [
    name,
    ...Object.values(systems).map((ranks) => withInterval(ranks.map(of))),
  ]);
  return formatMarkdownTable(['measure', ...Object.keys(systems)], rows);
}

/** Formats Acc@k of files. */
export function formatFileRanks(name: string, ranks: readonly (number | null)[][]): string[] {
  const rows = FILE_CUTOFFS.map((k) => [
    `file Acc@${k}`,
    withInterval(ranks.map((own) => perfectRecall(own, k))),
  ]);
  return formatMarkdownTable(['measure', name], rows);
}
