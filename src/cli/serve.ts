/** The app in a browser, for as long as nobody interrupts. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerAddress, ServerOptions } from '../server/server.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

/**
 * Runs the browser host until the user interrupts it.
 *
 * @param tell is given its address once, when it listens.
 * @throws LocusError as `startServer` does; Error if the host ends again and again.
 */
export async function serveUntilInterrupted(
  options: ServerOptions,
  session: Session,
  tell: (address: ServerAddress) => void,
): Promise<ExitCode> {
  const { signal } = session.host;
  const { superviseServer } = await import('../server/supervised.ts');
  await using server = await superviseServer(options, (reason) =>
    session.note(`locus: The server stopped (${reason}). It was started again.`),
  );
  tell(server.address);
  const interrupted = signal.aborted ? undefined : once(signal, 'abort');
  await Promise.race([interrupted, server.failed]);
  return EXIT.ok;
}

/**
 * Prints the address of a server.
 *
 * @param open whether a browser is to be opened, where a person sits at a terminal.
 */
export function tellAddress(session: Session, open: boolean): (address: ServerAddress) => void {
  return ({ url, mcp }) => {
    if (session.json) session.printJsonLine({ url, ...(mcp && { mcp }) });
    else session.print(`Locus is at ${url}`, ...(mcp ? forAgents(mcp) : []));
    if (open && session.interactive) openInBrowser(url);
  };
}

function forAgents({ url, token }: { url: string; token: string }): string[] {
  return [`Agents find it at ${url}, with the header`, `  Authorization: Bearer ${token}`];
}

/** Opens an address in the user's browser. One that does not start is no failure: the address stands on the terminal. */
export function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  spawn(program, args, { stdio: 'ignore', detached: true })
    // No browser: the address was printed.
    .on('error', () => {})
    .unref();
}
