/** Evaluation reports as Markdown tables. */
import { markdownTable } from '../services/evaluation/markdown-table.ts';
import type {
  Comparison,
  Estimate,
  EvaluationReport,
  Summary,
} from '../services/evaluation/report.ts';
import { present } from '../shared/present.ts';
import { named, visible } from '../shared/quoted.ts';
import { count, counted, duration } from './terminal.ts';

/** Columns of the table by repository; the others are in the table of all issues. */
const MAIN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];

export function renderReport(report: EvaluationReport): string[] {
  const { all, byRepository, leftOut, dataset, system } = report;
  const rows: [string, Summary][] = [...Object.entries(byRepository), ['all', all]];
  return [
    `${visible(dataset)}, ranked by ${system}`,
    '',
    ...markdownTable(
      ['repository', 'issues', 'chunks', 'edited', ...MAIN, 'index s', 'search ms'],
      rows.map(([repo, summary]) => [
        named(repo),
        count(summary.issues),
        count(summary.chunks),
        summary.edited.toFixed(2),
        ...MAIN.map((metric) => withInterval(present(summary.metrics[metric], metric))),
        summary.seconds.index.toFixed(1),
        String(Math.round(1000 * summary.seconds.search.median)),
      ]),
    ),
    '',
    ...markdownTable(
      ['all issues', 'mean', '95%'],
      Object.entries(all.metrics).map(([metric, { mean, interval }]) => [
        metric,
        mean.toFixed(3),
        interval.map((end) => end.toFixed(3)).join(' to '),
      ]),
    ),
    '',
    `Seconds an issue: index ${duration(all.seconds.index)} in the mean; search ${Math.round(1000 * all.seconds.search.median)} ms in the median, ${Math.round(1000 * all.seconds.search.max)} ms at most.`,
    ...Object.entries(Object.groupBy(leftOut, ({ reason }) => reason)).map(
      ([reason, left]) =>
        `Left out, ${reason}: ${counted(left.length, 'instance')} (${left.map(({ instance }) => named(instance)).join(', ')})`,
    ),
  ];
}

export function renderComparison({ issues, unpaired, differences }: Comparison): string[] {
  return [
    ...markdownTable(
      ['metric', 'before', 'after', 'difference', '95%', 'p'],
      differences.map(({ metric, before, after, interval, p }) => [
        metric,
        before.toFixed(3),
        after.toFixed(3),
        signed(after - before),
        interval.map(signed).join(' to '),
        p.toFixed(4),
      ]),
    ),
    '',
    `${counted(issues, 'issue')} in both${unpaired > 0 ? `; ${count(unpaired)} in one only, not compared` : ''}.`,
  ];
}

const withInterval = ({ mean, interval }: Estimate) =>
  `${mean.toFixed(3)} (${interval.map((end) => end.toFixed(2)).join('–')})`;

const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
