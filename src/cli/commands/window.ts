import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { badInput, LocusError } from '../../shared/errors.ts';
import { refuseEmptyPath } from '../../shared/folders.ts';
import { hasTerminal } from '../called-as.ts';
import { runElectron, usableElectron } from '../electron.ts';
import { EXIT } from '../exit-codes.ts';
import { openOptions } from '../options.ts';
import { serveUntilInterrupted, tellAddress } from '../serve.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
Examples:
  locus window                  the same as locus alone, at a terminal
  locus window ~/src/django     the same as locus ~/src/django
  locus ./search                a folder that is called as a command is
  locus window --browser        in the browser, also where Electron is installed`;

interface Options {
  browser?: boolean;
}

export function windowCommand(run: Run): Command {
  return new Command('window')
    .description(
      'Open the window: the desktop app where Electron is installed, else in the browser. The same as locus [dir].',
    )
    .argument('[dir]', 'the folder to open first')
    .option('--browser', 'in the browser, whatever is installed')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, { browser }: Options) =>
      run(async (session) => {
        const { host } = session;
        const root = dir === undefined ? undefined : folderAt(dir);
        if (!hasTerminal(host)) {
          throw badInput(
            'a window is opened from a terminal only',
            `serve it instead: locus serve${dir === undefined ? '' : ` ${dir}`}`,
          );
        }
        const electron = browser ? null : usableElectron(host.env);
        if (electron !== null) {
          const code = await runElectron(electron, root === undefined ? [] : [root], host.signal);
          return code === 0 ? EXIT.ok : EXIT.unexpected;
        }
        const { dataDir } = openOptions({}, host);
        session.note('locus: Ctrl-C ends');
        const settings = { dataDir, open: root === undefined ? undefined : { root } };
        return serveUntilInterrupted(settings, session, tellAddress(session, true));
      }),
    );
}

/** @throws LocusError `bad-repository` when it is no folder, `bad-input` when it is an empty path. */
function folderAt(dir: string): string {
  refuseEmptyPath(dir);
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return resolve(dir);
  throw new LocusError(
    'bad-repository',
    `there is no folder ${dir}`,
    'give the path of one; locus --help lists the commands',
  );
}
