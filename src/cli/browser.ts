/** The app in a browser, for as long as nobody interrupts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerOptions } from '../server/server.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

/**
 * Serves the app, prints its address, and ends when interrupted.
 *
 * @param open whether a browser is to be opened, where a person sits at a terminal.
 * @throws LocusError as `startServer` does.
 */
export async function serveApp(
  session: Session,
  open: boolean,
  options: ServerOptions,
): Promise<ExitCode> {
  const { signal } = session.host;
  const { startServer } = await import('../server/server.ts');
  const server = await startServer(options);
  if (session.json) session.printJsonLine({ url: server.url });
  else session.print(`Locus is at ${server.url}`);
  if (open && session.interactive) openBrowser(server.url);
  if (!signal.aborted) await once(signal, 'abort');
  await server.close();
  return EXIT.ok;
}

/** A browser that does not start is no failure: the address stands on the terminal. */
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
