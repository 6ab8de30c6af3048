/** Text of `locus bench`. */

import type { BenchOutcome, BenchPast } from '../services/bench/bench.ts';
import { MAX_AREAS } from '../services/bench/chart.ts';
import { countReasons, LEFT_OUT_REASONS } from '../services/bench/reasons.ts';
import {
  type BenchGroup,
  type BenchReport,
  CUTOFFS,
  type HitRates,
} from '../services/bench/report.ts';
import { formatMarkdownTable } from '../services/evaluation/markdown-table.ts';
import type { MetricEstimate } from '../services/evaluation/statistics.ts';
import { formatCount, formatCounted } from '../shared/format-count.ts';
import { MAX_RESULTS } from '../shared/limits.ts';
import { quoteName } from '../shared/quote.ts';
import { truncateName, truncatePath } from './terminal.ts';

export function renderBenchReport(report: BenchReport): string[] {
  const { fixes, years, areas, all, areIssues, system } = report;
  const kind = areIssues ? 'issues' : 'commit messages';
  const shownAreas = areas.slice(0, MAX_AREAS);
  const rest = areas.slice(MAX_AREAS);
  return [
    `${quoteName(report.repository)}: ${formatCounted(fixes.length, 'fix', 'fixes')}, searched by ${kind}, each in the repository before the fix. Ranked by ${system}.`,
    '',
    ...formatGroups('year', [...years, all]),
    '',
    ...formatGroups(report.arePackages ? 'package' : 'area', shownAreas),
    ...(rest.length > 0
      ? [
          `${formatCounted(rest.length, 'other area')}: ${formatCounted(
            rest.reduce((sum, group) => sum + group.fixes, 0),
            'fix',
            'fixes',
          )}.`,
        ]
      : []),
    '',
    'First 1, 5, 10: percent of fixes with an edited function among them. All in 10: with all of their functions there. In brackets: 95% interval.',
    describeTexts(areIssues),
    ...describeLeftOut(report),
    ...describeShallow(report),
  ];
}

function describeTexts(areIssues: boolean): string {
  return areIssues
    ? 'The texts are the issues as they are in the file, which may have been edited after the fix.'
    : 'A commit message is not an issue. Its author knew the fix and may name the function, so it can be easier; it is short and has no traceback, so it can be harder. Give issues with --issues.';
}

function describeLeftOut({ leftOut, commits, areIssues }: BenchReport): string[] {
  const counts = countReasons(leftOut);
  const [most] = counts;
  if (!most) return [];
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const of = formatCounted(commits, areIssues ? 'issue' : 'commit');
  const width = formatCount(most.count).length;
  return [
    `Left out, ${formatCount(total)} of ${of}:`,
    ...counts.map(({ count, text }) => `  ${formatCount(count).padStart(width)}  ${text}`),
  ];
}

/** Returns the outcome of one commit, for progress. */
export function describeOutcome(outcome: BenchOutcome): string {
  if ('reason' in outcome) return `left out: ${LEFT_OUT_REASONS[outcome.reason]}`;
  const { initial, reranked } = outcome.fix;
  const show = (ranks: (number | null)[]) =>
    ranks.map((rank) => rank ?? `> ${MAX_RESULTS}`).join(', ');
  return `rank ${show(initial)}${reranked ? `, reranked ${show(reranked)}` : ''}`;
}

/** Returns a line if a part of the history is missing. */
export function describeShallow({ isShallow }: Pick<BenchPast, 'isShallow'>): string[] {
  return isShallow
    ? ['This clone is shallow, so older commits are missing. git fetch --unshallow gets them.']
    : [];
}

function formatGroups(title: string, groups: readonly BenchGroup[]): string[] {
  return formatMarkdownTable(
    [title, 'fixes', 'list', ...CUTOFFS.map((k) => `first ${k}`), 'all in 10'],
    groups.flatMap(({ name, fixes, initial, reranked }) => [
      [formatName(name), formatCount(fixes), 'initial', ...formatRates(initial)],
      ...(reranked ? [['', '', 'reranked', ...formatRates(reranked)]] : []),
    ]),
  );
}

/** Returns the quoted name of a group. A bar would begin another column. */
const formatName = (name: string): string =>
  truncateName(name, MAX_NAME, truncatePath).replaceAll('|', '\\x7c');

/** Maximum columns of a group's name. */
const MAX_NAME = 40;

const formatRates = ({ any, all }: HitRates): string[] => [...any, all].map(formatShare);

const formatShare = ({ mean, interval }: MetricEstimate): string =>
  `${toPercent(mean)} (${interval.map(toPercent).join('–')})`;

const toPercent = (share: number) => String(Math.round(100 * share));
