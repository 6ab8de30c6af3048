import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { badInput, LocusError } from '../../shared/errors.ts';
import { rejectEmptyPath } from '../../shared/folders.ts';
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
    .description(
      'Open the window: in the desktop app if Electron is installed, else in the browser. The same as locus [dir].',
    )
    .argument('[dir]', 'folder to open')
    .option('--browser', 'use the browser, even if Electron is installed')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, { browser }: Options) =>
      run(async (session) => {
        const { host } = session;
        const root = dir === undefined ? undefined : resolveFolder(dir);
        if (!hasTerminal(host)) {
          throw badInput(
            'The window can be opened from a terminal only.',
            `Run locus serve${dir === undefined ? '' : ` ${dir}`} instead.`,
          );
        }
        const electron = browser ? null : findUsableElectron(host.env);
        if (electron !== null) {
          const code = await runElectron(electron, root === undefined ? [] : [root], host.signal);
          return code === 0 ? EXIT.ok : EXIT.unexpected;
        }
        const { dataDir } = toOpenOptions({}, host);
        session.note('locus: Press Ctrl-C to stop.');
        const settings = { dataDir, open: root === undefined ? undefined : { root } };
        return serveUntilInterrupted(settings, session, createAddressPrinter(session, true));
      }),
    );
}

/** Returns the absolute path. @throws LocusError `bad-repository` if it is not a folder, `bad-input` if it is empty */
function resolveFolder(dir: string): string {
  rejectEmptyPath(dir);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return resolve(dir);
  throw new LocusError(
    'bad-repository',
    `There is no folder ${dir}.`,
    'Give the path of a folder. locus --help lists the commands.',
  );
}
