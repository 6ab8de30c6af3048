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
A link names a repository by its remote and a function in it, and no folder: it opens where you have the repository.

Examples:
  locus open 'locus://open?repository=github.com/psf/requests&path=src/requests/api.py&name=get'
  locus open 'locus://open?...' --in ~/src/requests     says where it leads, opens nothing`;

interface OpenOptions extends RepositoryOptions {
  in?: string;
  open: boolean;
}

export function openCommand(run: Run): Command {
  return withRepositoryOptions(new Command('open'))
    .description('Open a locus:// link in the app in a browser; one that runs already is used.')
    .argument('<link>', 'as “Copy a link for colleagues” makes it')
    .option('--in <dir>', 'say where it leads in this folder, and open nothing')
    .option('--no-open', 'print the address only, start no browser')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: OpenOptions) =>
      run(async (session) => {
        // Before anything is started for it.
        parseLink(link);
        return options.in === undefined
          ? openWindow(link, options, session)
          : sayPlace(link, options.in, options, session);
      }),
    );
}

async function openWindow(link: string, options: OpenOptions, session: Session): Promise<ExitCode> {
  const { host } = session;
  const { dataDir, ...engine } = openOptions(options, host);
  const running = await runningServer(dataDir);
  const tell = (url: string) => {
    const address = `${url}&link=${encodeURIComponent(link)}`;
    if (session.json) session.printJsonLine({ url: address });
    else session.print(`The link is at ${address}`);
    if (options.open && session.interactive) openInBrowser(address);
  };
  if (running) {
    tell(running);
    return EXIT.ok;
  }
  const { revision: _, ...settings } = engine;
  return serveUntilInterrupted({ ...settings, dataDir }, session, ({ url }) => tell(url));
}

async function sayPlace(
  text: string,
  dir: string,
  options: OpenOptions,
  session: Session,
): Promise<ExitCode> {
  const link = parseLink(text);
  return withCurrent(session, dir, options, async (repository) => {
    const { root } = await repository.status();
    const placed = await placeLink(link, repository, { root });
    if (placed.address === null) {
      throw new LocusError(
        'not-found',
        `${link.name ?? link.path} is not in ${dir}`,
        placed.about
          ? 'bring it to the state that the link is of'
          : 'the link is about another repository',
      );
    }
    if (!placed.about) session.note('locus: the link is about another repository');
    const { path, startLine, qualifiedName } = await repository.show({ chunk: placed.address });
    session.tell({ ...placed, path, startLine, qualifiedName }, () => [
      `${named(path)}:${startLine} ${named(qualifiedName)} (${placed.state})`,
    ]);
    return EXIT.ok;
  });
}
