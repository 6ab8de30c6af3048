import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import {
  parseInteger,
  type RepositoryCliOptions,
  toOpenOptions,
  withRepositoryOptions,
} from '../options.ts';
import { createAddressPrinter, serveUntilInterrupted } from '../serve.ts';
import type { RunAction } from '../session.ts';

const EXAMPLES = `
Examples:
  locus serve ~/src/django      opens the app in the browser; Ctrl-C stops
  locus serve                   opens the last repository
  locus serve --no-open         over SSH: forward the port (ssh -L 4747:localhost:4747 host) and open the printed address
  locus serve --root /srv/src   allow only folders in this one
  locus serve . --mcp           also serves agents on this machine, at /mcp with the printed token`;

interface ServeOptions extends RepositoryCliOptions {
  port?: number;
  open: boolean;
  root?: string;
  mcp?: boolean;
}

export function serveCommand(run: RunAction): Command {
  return withRepositoryOptions(new Command('serve'))
    .argument('[dir]', 'folder to open')
    .option(
      '--port <port>',
      'port to listen on (default: 4747, or a free one)',
      parseInteger(0, 65_535),
    )
    .option('--no-open', 'print the address only; do not open a browser')
    .option('--root <folder>', 'allow only folders in this one (default: your home folder)')
    .option(
      '--mcp',
      'also serve agents that ask about the folder (Model Context Protocol, streamable HTTP)',
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: ServeOptions) =>
      run(async (session) => {
        const { revision, ...engine } = toOpenOptions(options, session.host);
        const settings = {
          ...engine,
          port: options.port,
          allowedRoot: options.root,
          open: dir === undefined ? undefined : { root: dir, revision },
          reopensLast: true,
          mcp: options.mcp ? { folders: [requireAgentFolder(dir, options)], revision } : undefined,
        };
        return serveUntilInterrupted(
          settings,
          session,
          createAddressPrinter(session, options.open),
        );
      }),
    );
}

/** Returns the folder that agents may read. @throws LocusError `bad-input` without one, so that the home folder is never open to them */
function requireAgentFolder(dir: string | undefined, { root }: ServeOptions): string {
  const folder = dir ?? root;
  if (folder !== undefined) return folder;
  throw badInput(
    '--mcp needs a folder that agents may read.',
    'Run locus serve <dir> --mcp, or use --root <folder> to allow everything in it.',
  );
}
