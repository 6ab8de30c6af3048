import { Command } from 'commander';
import { placeLink } from '../../services/exchange/links.ts';
import { runningServer } from '../../services/running-server.ts';
import { LocusError } from '../../shared/errors.ts';
import { parseLink } from '../../shared/locus-link.ts';
import { named } from '../../shared/quoted.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  openOptions,
  type RepositoryOptions,
  withCurrent,
  withRepositoryOptions,
} from '../options.ts';
import { openInBrowser, serveUntilInterrupted } from '../serve.ts';
import type { Run, Session } from '../session.ts';

const EXAMPLES = `
A deep link names a repository by its remote and a function in it, but no folder. It opens in your own copy of the repository.

Examples:
  locus open 'locus://open?repository=github.com/psf/requests&path=src/requests/api.py&name=get'
  locus open 'locus://open?...' --in ~/src/requests     prints its target`;

interface OpenOptions extends RepositoryOptions {
  in?: string;
  open: boolean;
}

export function openCommand(run: Run): Command {
  return withRepositoryOptions(new Command('open'))
    .description('Open a locus:// deep link in the app, in a browser. A running server is reused.')
    .argument('<link>', 'deep link, as “Copy deep link” creates it')
    .option('--in <dir>', 'print the target of the link in this folder, and open nothing')
    .option('--no-open', 'print the address only; do not open a browser')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: OpenOptions) =>
      run(async (session) => {
        // Reject an invalid link before anything starts.
        parseLink(link);
        return options.in === undefined
          ? openWindow(link, options, session)
          : printTarget(link, options.in, options, session);
      }),
    );
}

async function openWindow(link: string, options: OpenOptions, session: Session): Promise<ExitCode> {
  const { host } = session;
  const { dataDir, ...engine } = openOptions(options, host);
  const running = await runningServer(dataDir);
  const printAddress = (url: string) => {
    const address = `${url}&link=${encodeURIComponent(link)}`;
    if (session.json) session.printJsonLine({ url: address });
    else session.print(`Open this address: ${address}`);
    if (options.open && session.interactive) openInBrowser(address);
  };
  if (running) {
    printAddress(running);
    return EXIT.ok;
  }
  const { revision: _, ...settings } = engine;
  return serveUntilInterrupted({ ...settings, dataDir }, session, ({ url }) => printAddress(url));
}

async function printTarget(
  text: string,
  dir: string,
  options: OpenOptions,
  session: Session,
): Promise<ExitCode> {
  const link = parseLink(text);
  return withCurrent(session, dir, options, async (repository) => {
    const { root } = await repository.status();
    const target = await placeLink(link, repository, { root });
    if (target.address === null) {
      throw new LocusError(
        'not-found',
        `${link.name ?? link.path} is not in ${dir}.`,
        target.about
          ? 'Check out the commit of the link.'
          : 'The link belongs to another repository.',
      );
    }
    if (!target.about) session.note('locus: The link belongs to another repository.');
    const { path, startLine, qualifiedName } = await repository.show({ chunk: target.address });
    session.tell({ ...target, path, startLine, qualifiedName }, () => [
      `${named(path)}:${startLine} ${named(qualifiedName)} (${target.state})`,
    ]);
    return EXIT.ok;
  });
}
