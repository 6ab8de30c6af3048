/**
 * Prints tables of reranked lists: `npm run -s lab -- report-reranked --lists <folder> [--failures]`
 *
 * Reads what `measure-reranked` or `read-lists` wrote. Compares the initial ranking; the list with only its first 10, 25 or 50
 * results reranked, or all that were, which shows the effect of a time budget; and the reranked results in the order of the model
 * alone. With `--failures`, prints the issues whose edited chunks are not all among the first five of the reranked list, ordered
 * by the SHA-256 of their names.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { computeRanks, METRICS, perfectRecall } from '../../src/services/evaluation/metrics.ts';
import {
  computeBootstrapInterval,
  mean,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { Measured } from './measured.ts';
import { orderPartlyReranked, parseIdentity } from './orders.ts';

const SHOWN = ['perfect recall@5', 'perfect recall@20', 'MRR', 'file Acc@1', 'file Acc@5'];
const COUNTS = [10, 25, 50];
const FAILED_BEHIND = 5;

const { values } = parseArgs({
  options: { lists: { type: 'string' }, failures: { type: 'boolean' } },
});
const { lists } = values;
if (!lists) {
  console.error('usage: npm run -s lab -- report-reranked --lists <folder> [--failures]');
  process.exit(2);
}
const issues: Measured[] = readdirSync(lists)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(lists, file), 'utf8')))
  .filter((issue) => issue !== null);
if (values.failures) printFailures();
else printTables();

function printTables(): void {
  const byRepository = Map.groupBy(issues, ({ repo }) => repo);
  const counts = [...byRepository].sort().map(([repo, those]) => `${repo} ${those.length}`);
  const systems = [...new Set(issues.map(({ reranked }) => reranked.system))].join('; ');
  console.log(`${issues.length} issues: ${counts.join(', ')}; ${systems}\n`);
  for (const line of table(issues)) console.log(line);
}

function table(those: readonly Measured[]): string[] {
  const most = Math.max(...those.map(({ reranked }) => reranked.read));
  const counts = [...COUNTS.filter((count) => count < most), most];
  const orders: [string, (issue: Measured) => readonly string[]][] = [
    ['initial ranking', ({ first }) => first.order],
    ...counts.map((count): [string, (issue: Measured) => string[]] => [
      `– its first ${count} read`,
      (issue) => orderPartlyReranked(issue, count),
    ]),
    [
      `these ${most} by the model alone`,
      (issue) =>
        orderPartlyReranked(
          issue,
          most,
          ({ evidence }) => assertPresent(evidence.coret, 'a value').value,
        ),
    ],
  ];
  const ranks = orders.map(([, order]) =>
    those.map((issue) =>
      computeRanks(issue.edited.map(parseIdentity), order(issue).map(parseIdentity)),
    ),
  );
  const first = assertPresent(ranks[0], 'initial ranking');
  const metrics = METRICS.filter(({ name }) => SHOWN.includes(name));
  const rows = orders.map(([name], o) => [
    name,
    ...metrics.flatMap(({ of }) => {
      const own = assertPresent(ranks[o], 'ranks').map(of);
      const gains = own.map((value, i) => value - of(assertPresent(first[i], 'ranks')));
      return [mean(own).toFixed(3), o === 0 ? '' : formatGain(gains)];
    }),
  ]);
  const head = ['list', ...metrics.flatMap(({ name }) => [name, 'gain'])];
  return formatMarkdownTable(head, rows);
}

function formatGain(gains: readonly number[]): string {
  const ends = computeBootstrapInterval(gains).map(formatSigned).join(', ');
  return `${formatSigned(mean(gains))} [${ends}], p ${runRandomizationTest(gains).toFixed(3)}`;
}

function printFailures(): void {
  const failures = issues
    .filter(({ reranked }) => perfectRecall(reranked.ranks.chunk, FAILED_BEHIND) === 0)
    .sort((a, b) => (digest(a.instance) < digest(b.instance) ? -1 : 1));
  const rows = failures.map(({ instance, first, reranked }) => [
    instance,
    formatRanks(first.ranks.chunk),
    formatRanks(reranked.ranks.chunk),
  ]);
  for (const line of formatMarkdownTable(['instance', 'initial ranking', 'reranked list'], rows))
    console.log(line);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function formatRanks(ranks: readonly (number | null)[]): string {
  return ranks.map((rank) => rank ?? '–').join(', ');
}

function formatSigned(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
