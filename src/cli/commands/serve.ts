import { Command } from 'commander';
import { badInput } from '../../shared/errors.ts';
import { integer, openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import { serveUntilInterrupted, tellAddress } from '../serve.ts';
import type { Run } from '../session.ts';

const EXAMPLES = `
Examples:
  locus serve ~/src/django      prints an address and opens it in the browser; Ctrl-C ends
  locus serve --no-open         over SSH: forward the port (ssh -L 4747:localhost:4747 host), open the printed address
  locus serve --root /srv/src   only folders in here can be opened
  locus serve . --mcp           agents on this machine can ask too, at /mcp with the token as their bearer`;

interface ServeOptions extends RepositoryOptions {
  port?: number;
  open: boolean;
  root?: string;
  mcp?: boolean;
}

export function serveCommand(run: Run): Command {
  return withRepositoryOptions(new Command('serve'))
    .description('Open the app in a browser. Only this machine can reach it.')
    .argument('[dir]', 'the folder to open first')
    .option('--port <port>', 'where to listen; 4747, or a free one', integer(0, 65_535))
    .option('--no-open', 'print the address only, start no browser')
    .option('--root <folder>', 'only folders in here can be opened (default: your home folder)')
    .option(
      '--mcp',
      'also answer agents about the folder (Model Context Protocol, streamable HTTP)',
    )
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: ServeOptions) =>
      run(async (session) => {
        const { revision, ...engine } = openOptions(options, session.host);
        const settings = {
          ...engine,
          port: options.port,
          allowedRoot: options.root,
          open: dir === undefined ? undefined : { root: dir, revision },
          mcp: options.mcp ? { folders: [folderForAgents(dir, options)], revision } : undefined,
        };
        return serveUntilInterrupted(settings, session, tellAddress(session, options.open));
      }),
    );
}

/** @throws LocusError `bad-input` where no folder is named: agents must not find all of the home folder open. */
function folderForAgents(dir: string | undefined, { root }: ServeOptions): string {
  const folder = dir ?? root;
  if (folder !== undefined) return folder;
  throw badInput(
    '--mcp needs a folder that agents may ask about',
    'name it: locus serve <dir> --mcp, or --root <folder> for all in it',
  );
}
