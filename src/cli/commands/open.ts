import { Command } from 'commander';
import { resolveDeepLink } from '../../services/exchange/deep-links.ts';
import { findRunningServer } from '../../services/running-server.ts';
import { parseDeepLink } from '../../shared/deep-link.ts';
import { LocusError } from '../../shared/errors.ts';
import { quoteName } from '../../shared/quote.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import {
  type RepositoryCliOptions,
  toOpenOptions,
  withRepositoryOptions,
  withUpdatedRepository,
} from '../options.ts';
import { openInBrowser, serveUntilInterrupted } from '../serve.ts';
import type { RunAction, Session } from '../session.ts';

const EXAMPLES = `
A deep link names a repository by its remote and a function in it, but no folder. It opens in your own copy of the repository.

Examples:
  locus open 'locus://open?repository=github.com/psf/requests&path=src/requests/api.py&name=get'
  locus open 'locus://open?...' --in ~/src/requests     prints its target`;

interface OpenOptions extends RepositoryCliOptions {
  in?: string;
  open: boolean;
}

export function openCommand(run: RunAction): Command {
  return withRepositoryOptions(new Command('open'))
    .argument('<link>', 'deep link, as “Copy deep link” creates it')
    .option('--in <dir>', 'print the target of the link in this folder, and open nothing')
    .option('--no-open', 'print the address only; do not open a browser')
    .addHelpText('after', EXAMPLES)
    .action((link: string, options: OpenOptions) =>
      run(async (session) => {
        // Reject an invalid link before anything starts.
        parseDeepLink(link);
        return options.in === undefined
          ? openWindow(link, options, session)
          : printTarget(link, options.in, options, session);
      }),
    );
}

async function openWindow(link: string, options: OpenOptions, session: Session): Promise<ExitCode> {
  const { host } = session;
  const { dataDir, ...engine } = toOpenOptions(options, host);
  const running = await findRunningServer(dataDir);
  const printAddress = (url: string) => {
    const address = `${url}&link=${encodeURIComponent(link)}`;
    if (session.json) session.printJsonLine({ url: address });
    else session.print(`Open this address: ${address}`);
    if (options.open && session.isInteractive) openInBrowser(address);
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
  const link = parseDeepLink(text);
  return withUpdatedRepository(session, dir, options, async (repository) => {
    const { root } = await repository.status();
    const target = await resolveDeepLink(link, repository, { root });
    if (target.address === null) {
      throw new LocusError(
        'not-found',
        `${link.name ?? link.path} is not in ${dir}.`,
        target.isThisRepository
          ? 'Check out the commit of the link.'
          : 'The link belongs to another repository.',
      );
    }
    if (!target.isThisRepository) session.note('locus: The link belongs to another repository.');
    const { path, startLine, qualifiedName } = await repository.show({ chunk: target.address });
    session.printResult({ ...target, path, startLine, qualifiedName }, () => [
      `${quoteName(path)}:${startLine} ${quoteName(qualifiedName)} (${target.state})`,
    ]);
    return EXIT.ok;
  });
}
