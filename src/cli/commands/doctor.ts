import { Command } from 'commander';
import type { Check, DoctorReport } from '../../services/doctor.ts';
import { visible } from '../../shared/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';
import { type Colors, columnsOf, counted, padEnd } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus doctor                  this installation: versions, devices, models, data directory
  locus doctor .                and the index of a repository
  locus doctor --json`;

/** `locus doctor [dir]`: what works, what does not, and how to mend it. */
export function doctorCommand(run: Run): Command {
  return withRepositoryOptions(new Command('doctor'))
    .description('Check this installation and, if given, the index of a repository.')
    .argument('[dir]', 'a repository whose index is to be checked too')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: RepositoryOptions) =>
      run(async (session) => {
        const { dataDir } = openOptions(options, session.host);
        const report = await session.host.diagnose({ root: dir, dataDir });
        if (session.json) session.printJson(report);
        else session.print(...render(report, session.colors));
        return report.checks.some(({ state }) => state === 'problem') ? EXIT.nothingFound : EXIT.ok;
      }),
    );
}

function render({ checks }: DoctorReport, colors: Colors): string[] {
  const name = Math.max(...checks.map((check) => columnsOf(check.name)));
  const signs = { ok: colors.green('✓'), warning: colors.yellow('!'), problem: colors.red('✗') };
  const line = ({ name: checked, state, detail, remedy }: Check) => [
    `${signs[state]} ${padEnd(checked, name)}  ${visible(detail)}`,
    ...(remedy ? [`  ${' '.repeat(name)}  ${colors.yellow('→')} ${visible(remedy)}`] : []),
  ];
  const count = (wanted: 'problem' | 'warning') =>
    counted(checks.filter(({ state }) => state === wanted).length, wanted);
  const summary = `${count('problem')}, ${count('warning')}`;
  return [...checks.flatMap(line), colors.dim(summary)];
}
