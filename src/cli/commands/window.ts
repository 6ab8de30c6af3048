import { resolve } from 'node:path';
import { Command } from 'commander';
import { realFolder } from '../../base/folders.ts';
import { badInput } from '../../shared/errors.ts';
import { findUsableElectron, runElectron } from '../electron.ts';
import { EXIT } from '../exit-codes.ts';
import { hasTerminal } from '../invocation.ts';
import { toOpenOptions } from '../options.ts';
import { createAddressPrinter, serveUntilInterrupted } from '../serve.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
Examples:
  locus window                  the same as locus alone, at a terminal
  locus window ~/src/django     the same as locus ~/src/django
  locus ./search                a folder with the name of a command
  locus window --browser        in the browser, even if Electron is installed`;

interface Options {
  browser?: boolean;
}

export function windowCommand(run: RunAction): Command {
  return new Command('window')
    .argument('[dir]', 'folder to open')
    .option('--browser', 'use the browser, even if Electron is installed')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, { browser }: Options) =>
      run(async (session) => {
        const { host } = session;
        const root = dir === undefined ? undefined : resolveFolder(dir);
        if (!hasTerminal(host)) {
          throw badInput(
            'The output is not a terminal, so no window is opened.',
            `Run locus serve${dir === undefined ? '' : ` ${dir}`} instead.`,
          );
        }
        const electron = browser ? null : findUsableElectron(host.env);
        if (electron !== null) {
          const code = await runElectron(electron, root === undefined ? [] : [root], host.signal);
          return code === 0 ? EXIT.ok : EXIT.unexpected;
        }
        const { dataDir } = toOpenOptions({}, host);
        const settings = {
          dataDir,
          open: root === undefined ? undefined : { root },
          reopensLast: true,
        };
        const printAddress = createAddressPrinter(session, true);
        return serveUntilInterrupted(settings, session, (address) => {
          printAddress(address);
          session.note('locus: Press Ctrl-C to stop.');
        });
      }),
    );
}

/** Returns the absolute path. @throws LocusError `bad-repository` if it is not a folder, `bad-input` if it is empty */
function resolveFolder(dir: string): string {
  realFolder(dir);
  return resolve(dir);
}
