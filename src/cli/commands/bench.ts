import { basename, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { writeFileAtomically } from '../../base/write-file.ts';
import { DEFAULT_YEARS, runBench } from '../../services/bench/bench.ts';
import { drawBenchChart } from '../../services/bench/chart.ts';
import { FinishedFixes } from '../../services/bench/finished-fixes.ts';
import { buildBenchReport } from '../../services/bench/report.ts';
import { parseFixedIssues } from '../../services/evaluation/fixed-issues.ts';
import { formatCount, formatCounted } from '../../shared/format-count.ts';
import { quoteText } from '../../shared/quote.ts';
import { describeOutcome, describeShallow, renderBenchReport } from '../bench-tables.ts';
import { EXIT } from '../exit-codes.ts';
import {
  MAX_DATA_BYTES,
  parseInteger,
  parseNonEmpty,
  type RepositoryCliOptions,
  type RerankOptions,
  readResumeFile,
  readTextFile,
  toOpenOptions,
  toRerankRequest,
  withRepositoryOptions,
  withRerankOptions,
} from '../options.ts';
import type { RunAction, Session } from '../session.ts';
import { truncate } from '../terminal.ts';

interface BenchCliOptions extends RepositoryCliOptions, RerankOptions {
  count: number;
  since?: number;
  seed: number;
  issues?: string;
  svg?: string;
  resume?: string;
  keep?: boolean;
}

const EXAMPLES = `
Replays commits of this repository that changed existing functions: searches the files and the history as they were before
each of them, for the commit's message, and prints how often an edited function was among the first results. Nothing is checked
out, and nothing leaves this machine. docs/how-to/measure-on-your-repository.md explains the table.

--issues takes a JSON Lines file with title, body and fix_commit, and searches for these texts instead.

Examples:
  locus bench
  locus bench . --since 2023-01-01 --count 100 --svg bench.svg
  locus bench . --fast --json > bench.json
  locus bench . --issues issues.jsonl
  locus bench . --count 200 --resume finished.jsonl      continues if it was interrupted`;

export function benchCommand(run: RunAction): Command {
  return withRepositoryOptions(withRerankOptions(new Command('bench')))
    .argument('[dir]', 'folder of the repository (default: the current one)')
    .option(
      '--count <count>',
      'number of fixes to replay (1 to 10000)',
      parseInteger(1, 10_000),
      40,
    )
    .option(
      '--since <date>',
      `only commits since this day, such as 2023-01-31 (default: ${DEFAULT_YEARS} years before the newest)`,
      parseDay,
    )
    .option('--seed <number>', 'draw other fixes', parseInteger(0, 2 ** 31 - 1), 1)
    .option('--issues <file>', 'JSON Lines of issues and their fixes, to search for', parseNonEmpty)
    .option('--svg <file>', 'write a picture, too', parseNonEmpty)
    .option(
      '--resume <file>',
      'write each finished fix to this file, and continue with those in it',
      parseNonEmpty,
    )
    .option('--keep', 'keep the indexes of past commits for the next run')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: BenchCliOptions) =>
      run(async (session) => {
        await measure(session, dir ?? '.', options);
        return EXIT.ok;
      }),
    );
}

async function measure(session: Session, dir: string, options: BenchCliOptions): Promise<void> {
  const { host } = session;
  const { issues: issueFile, svg, seed, count, resume, keep = false } = options;
  const limits = { what: 'issues', maxBytes: MAX_DATA_BYTES };
  const issues =
    issueFile === undefined
      ? null
      : parseFixedIssues(await readTextFile(host, issueFile, limits), issueFile, null);
  const rerank = toRerankRequest(options, host.env);
  const text = resume === undefined ? null : await readResumeFile(host, resume);
  const setup = ['bench', options.model, options.exclude, rerank];
  const { revision = 'HEAD', ...openOptions } = toOpenOptions(options, host);
  const run = await runBench(dir, {
    ...{ revision, count, seed, issues, keep, ...rerank },
    since: options.since ?? null,
    signal: host.signal,
    open: host.openRepository,
    openOptions: { ...openOptions, signal: host.signal },
    index: (repository) => session.index(repository),
    finished: resume !== undefined && text !== null ? new FinishedFixes(resume, text, setup) : null,
    onChosen: ({ commits, candidates, fixes, ...past }) => {
      session.note(
        `${formatCounted(commits, issues ? 'issue' : 'commit')}, of which ${formatCount(candidates)} may be fixes; ${formatCount(fixes)} are replayed.${keep ? '' : ' Their indexes are removed at the end.'}`,
      );
      for (const line of describeShallow(past)) session.note(line);
    },
    onOutcome: ({ commit, message }, outcome, done, total) => {
      const title = quoteText(truncate(message.split('\n', 1)[0] ?? '', MAX_TITLE));
      session.note(`${done}/${total} ${commit.slice(0, 10)} ${title}: ${describeOutcome(outcome)}`);
    },
  });
  const repository = basename(resolve(dir));
  const report = buildBenchReport(run, { repository, areIssues: issues !== null, seed });
  if (svg !== undefined) await writeFileAtomically(svg, drawBenchChart(report));
  session.printResult(report, () => renderBenchReport(report));
}

const MAX_TITLE = 60;

/** Parses a day such as `2023-01-31` or a year, in seconds since 1970. */
function parseDay(value: string): number {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(value) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript takes the 31st of February for a day in March.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) {
    throw new InvalidArgumentError('It must be a day such as 2023-01-31, or a year.');
  }
  return Math.max(0, date.getTime() / 1000);
}
