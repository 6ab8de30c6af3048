import { Command } from 'commander';
import { openInBrowser } from '../browser.ts';
import { EXIT } from '../exit-codes.ts';
import { integer, openOptions, type RepositoryOptions, withRepositoryOptions } from '../options.ts';
import type { Run } from '../run.ts';

const EXAMPLES = `
Examples:
  locus serve ~/src/django      prints an address and opens it in the browser; Ctrl-C ends
  locus serve --no-open         over SSH: forward the port (ssh -L 4747:localhost:4747 host), open the printed address
  locus serve --root /srv/src   only folders in here can be opened`;

interface ServeOptions extends RepositoryOptions {
  port?: number;
  open: boolean;
  root?: string;
}

/** `locus serve [dir]`: the app in a browser. */
export function serveCommand(run: Run): Command {
  return withRepositoryOptions(new Command('serve'))
    .description('Open the app in a browser. Only this machine can reach it.')
    .argument('[dir]', 'the folder to open first')
    .option('--port <port>', 'where to listen; 4747, or a free one', integer(0, 65_535))
    .option('--no-open', 'print the address only, start no browser')
    .option('--root <folder>', 'only folders in here can be opened (default: your home folder)')
    .addHelpText('after', EXAMPLES)
    .action((dir: string | undefined, options: ServeOptions) =>
      run(async (session) => {
        const { host } = session;
        const { revision, ...engine } = openOptions(options, host);
        const { serveUntilInterrupted } = await import('../serve.ts');
        const settings = {
          ...engine,
          port: options.port,
          allowedRoot: options.root,
          open: dir === undefined ? undefined : { root: dir, revision },
        };
        await serveUntilInterrupted(settings, session, (url) => {
          if (session.json) session.printJsonLine({ url });
          else session.print(`Locus is at ${url}`);
          if (options.open && session.interactive) openInBrowser(url);
        });
        return EXIT.ok;
      }),
    );
}
