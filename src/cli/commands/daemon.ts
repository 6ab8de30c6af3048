import { Command } from 'commander';
import { readVariable } from '../../base/environment.ts';
import { realFolder } from '../../base/folders.ts';
import { getDataDirectory, startLog } from '../../services/locations.ts';
import { EXIT } from '../exit-codes.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
locus search starts it by itself, unless --no-daemon, LOCUS_NO_DAEMON or CI is set. It ends after ten minutes without a command.

Examples:
  locus daemon --stop           ends it
  locus daemon ~/src/django     runs it here until Ctrl-C, with this repository open`;

interface DaemonOptions {
  stop?: boolean;
  dataDir?: string;
}

export function daemonCommand(run: RunAction): Command {
  return new Command('daemon')
    .argument('[dir...]', 'repositories to open now')
    .option('--stop', 'end the daemon that is running')
    .option('--data-dir <folder>', 'data directory (or set LOCUS_DATA_DIR)')
    .addHelpText('after', EXAMPLES)
    .action((dirs: string[], { stop, dataDir }: DaemonOptions) =>
      run(async (session) => {
        const { env, signal } = session.host;
        const dataDirectory = getDataDirectory(dataDir, env);
        if (stop) {
          const { stopDaemon } = await import('../../services/resident/control.ts');
          const isStopped = await stopDaemon(dataDirectory);
          session.printResult({ stopped: isStopped }, () => [
            isStopped ? 'The daemon ends.' : 'No daemon is running.',
          ]);
          return EXIT.ok;
        }
        startLog(dataDirectory);
        const { runDaemon } = await import('../../services/resident/daemon.ts');
        const idleMs = 1000 * readVariable('LOCUS_DAEMON_IDLE', env);
        const roots = dirs.map(realFolder);
        if (!(await runDaemon({ dataDirectory, roots, idleMs, signal })))
          session.note('locus: Another daemon is already running.');
        return EXIT.ok;
      }),
    );
}
