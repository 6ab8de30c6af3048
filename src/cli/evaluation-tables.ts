/** Tables of `locus eval`. */
import type { CheckReport } from '../services/evaluation/check-report.ts';
import type { FileKindSummary, FileReport } from '../services/evaluation/file-report.ts';
import { formatMarkdownTable } from '../services/evaluation/markdown-table.ts';
import type {
  EvaluationReport,
  EvaluationSummary,
  ReportComparison,
} from '../services/evaluation/report.ts';
import type { MetricEstimate } from '../services/evaluation/statistics.ts';
import { assertPresent } from '../shared/assert-present.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { escapeHidden, quoteName } from '../shared/quote.ts';
import { formatDuration } from './terminal.ts';

/** Measures in the table by repository. The table of all issues has every measure. */
const MAIN_MEASURES = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];

export function renderReport(report: EvaluationReport): string[] {
  const { all, byRepository, leftOut, dataset, system, files } = report;
  const rows: [string, EvaluationSummary][] = [...Object.entries(byRepository), ['all', all]];
  return [
    `${escapeHidden(dataset)}, ranked by ${system}`,
    '',
    ...formatMarkdownTable(
      ['repository', 'issues', 'chunks', 'edited', ...MAIN_MEASURES, 'index s', 'search ms'],
      rows.map(([repo, summary]) => [
        quoteName(repo),
        formatCount(summary.issues),
        formatCount(summary.chunks),
        summary.edited.toFixed(2),
        ...MAIN_MEASURES.map((metric) =>
          formatWithInterval(assertPresent(summary.metrics[metric], metric)),
        ),
        summary.seconds.index.toFixed(1),
        String(Math.round(1000 * summary.seconds.search.median)),
      ]),
    ),
    '',
    ...formatMetrics('all issues', all.metrics),
    '',
    `Time for an issue: indexing ${formatDuration(all.seconds.index)} on average; search ${Math.round(1000 * all.seconds.search.median)} ms (median), at most ${Math.round(1000 * all.seconds.search.max)} ms.`,
    ...Object.entries(Object.groupBy(leftOut, ({ reason }) => reason)).map(
      ([reason, left]) =>
        `Skipped, ${reason}: ${formatCounted(left.length, 'instance')} (${left.map(({ instance }) => quoteName(instance)).join(', ')})`,
    ),
    ...(files ? renderFiles(files) : []),
  ];
}

/** Number of extensions in the table, the most frequent ones. The report has all. */
const MAX_KINDS = 15;

function renderFiles({ issues, edited, leftOut, added, metrics, ...rows }: FileReport): string[] {
  const rarer = rows.byKind.slice(MAX_KINDS).reduce((sum, { files }) => sum + files, 0);
  const { test, changelog, tool } = leftOut;
  return [
    '',
    `All edited files: ${edited.toFixed(2)} on average in ${formatCounted(issues, 'issue')}. Left out: ${formatCounted(test, 'test')}, ${formatCounted(changelog, 'changelog')}, ${formatCounted(tool, 'file')} written or copied by a tool, ${formatCount(added)} added by the fix.`,
    '',
    ...formatMetrics('all edited files', metrics),
    '',
    ...formatKinds('read with', rows.byReading),
    '',
    ...formatKinds('extension', rows.byKind.slice(0, MAX_KINDS)),
    ...(rarer > 0 ? ['', `${formatCounted(rarer, 'file')} of rarer extensions.`] : []),
  ];
}

function formatKinds(title: string, kinds: readonly FileKindSummary[]): string[] {
  return formatMarkdownTable(
    [title, 'files', 'not read', 'in first 5', 'in first 10'],
    kinds
      .filter(({ files }) => files > 0)
      .map(({ kind, files, unread, found: { first5, first10 } }) => [
        escapeHidden(kind),
        formatCount(files),
        formatCount(unread),
        first5.toFixed(3),
        first10.toFixed(3),
      ]),
  );
}

function formatMetrics(title: string, metrics: Record<string, MetricEstimate>): string[] {
  return formatMarkdownTable(
    [title, 'mean', '95%'],
    Object.entries(metrics).map(([metric, { mean, interval }]) => [
      metric,
      mean.toFixed(3),
      interval.map((end) => end.toFixed(3)).join(' to '),
    ]),
  );
}

export function renderChecks(checks: CheckReport): string[] {
  const { comparison, ceiling, tokens, failed, precision, recall } = checks;
  const percent = (share: number) => (Number.isNaN(share) ? '–' : share.toFixed(2));
  return [
    '',
    'Before and after the check:',
    '',
    ...renderComparison(comparison),
    `All edited functions are among the candidates in ${percent(ceiling)} of the issues. Median: ${formatCount(tokens)} tokens. Failed: ${failed}.`,
    `“Edit” is right in ${percent(precision)} of the cases, and names ${percent(recall)} of the edited candidates.`,
  ];
}

export function renderComparison({ files, ...chunks }: ReportComparison): string[] {
  return [
    ...renderDifferences(chunks),
    ...(files ? ['', 'All edited files:', '', ...renderDifferences(files)] : []),
  ];
}

function renderDifferences({
  issues,
  unpaired,
  disagreeing,
  differences,
}: Omit<ReportComparison, 'files'>): string[] {
  const others = [
    unpaired > 0 ? `; ${formatCount(unpaired)} in only one` : '',
    disagreeing > 0 ? `; ${formatCount(disagreeing)} whose edits differ` : '',
  ].join('');
  return [
    ...formatMarkdownTable(
      ['metric', 'before', 'after', 'difference', '95%', 'p'],
      differences.map(({ metric, before, after, interval, p }) => [
        metric,
        before.toFixed(3),
        after.toFixed(3),
        formatSigned(after - before),
        interval.map(formatSigned).join(' to '),
        p.toFixed(4),
      ]),
    ),
    '',
    `${formatCounted(issues, 'issue')} in both${others}${others ? ', not compared' : ''}.`,
  ];
}

const formatWithInterval = ({ mean, interval }: MetricEstimate) =>
  `${mean.toFixed(3)} (${interval.map((end) => end.toFixed(2)).join('–')})`;

const formatSigned = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
