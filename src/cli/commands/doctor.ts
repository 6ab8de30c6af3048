import { Command } from 'commander';
import type { Check } from '../../base/checks.ts';
import type { DoctorReport } from '../../services/doctor.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { escapeHidden } from '../../shared/quote.ts';
import { EXIT } from '../exit-codes.ts';
import { type RepositoryCliOptions, toOpenOptions, withRepositoryOptions } from '../options.ts';
import type { RunAction } from '../session.ts';
import { type Colors, countColumns, padEnd } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus doctor                  this installation: versions, devices, models, data directory
  locus doctor .                also the index of this repository
  locus doctor --json`;

export function doctorCommand(run: RunAction): Command {
  return withRepositoryOptions(new Command('doctor'))
    .argument('[dir]', 'repository whose index to check')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: RepositoryCliOptions) =>
      run(async (session) => {
        const { dataDir } = toOpenOptions(options, session.host);
        const report = await session.host.diagnose({ root: dir, dataDir });
        session.printResult(report, () => render(report, session.colors));
        return report.checks.some(({ state }) => state === 'problem') ? EXIT.nothingFound : EXIT.ok;
      }),
    );
}

/** Number of log entries to print, from the end, if something is wrong. JSON always has them, and more. */
const LOG_LINES = 10;

function render({ checks, log }: DoctorReport, colors: Colors): string[] {
  const name = Math.max(...checks.map((check) => countColumns(check.name)));
  const signs = { ok: colors.green('✓'), warning: colors.yellow('!'), problem: colors.red('✗') };
  const line = ({ name: checked, state, detail, remedy }: Check) => [
    `${signs[state]} ${padEnd(checked, name)}  ${escapeHidden(detail)}`,
    ...(remedy ? [`  ${' '.repeat(name)}  ${colors.yellow('→')} ${escapeHidden(remedy)}`] : []),
  ];
  const count = (wanted: 'problem' | 'warning') =>
    formatCounted(checks.filter(({ state }) => state === wanted).length, wanted);
  const summary = `${count('problem')}, ${count('warning')}`;
  const isWrong = log.errors > 0 || checks.some(({ state }) => state === 'problem');
  const entries = isWrong ? log.lines.slice(-LOG_LINES) : [];
  const tail = entries.map((entry) => colors.dim(escapeHidden(entry)));
  const heading = tail.length > 0 ? ['', 'Last entries of the log:'] : [];
  return [...checks.flatMap(line), colors.dim(summary), ...heading, ...tail];
}
