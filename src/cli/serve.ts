/** The app in a browser, for as long as nobody interrupts. */
import { once } from 'node:events';
import type { RunningServer, ServerOptions } from '../server/server.ts';
import { openInBrowser } from './browser.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

/**
 * Runs the browser host until the user interrupts it.
 *
 * @param tell is given it once it runs.
 * @throws LocusError as `startServer` does.
 */
export async function serveUntilInterrupted(
  options: ServerOptions,
  { host }: Session,
  tell: (server: RunningServer) => void,
): Promise<ExitCode> {
  const { startServer } = await import('../server/server.ts');
  const server = await startServer(options);
  tell(server);
  if (!host.signal.aborted) await once(host.signal, 'abort');
  await server.close();
  return EXIT.ok;
}

/**
 * Prints the address of a server.
 *
 * @param open whether a browser is to be opened, where a person sits at a terminal.
 */
export function tellAddress(session: Session, open: boolean): (server: RunningServer) => void {
  return ({ url, mcp }) => {
    if (session.json) session.printJsonLine({ url, ...(mcp && { mcp }) });
    else session.print(`Locus is at ${url}`, ...(mcp ? forAgents(mcp) : []));
    if (open && session.interactive) openInBrowser(url);
  };
}

function forAgents({ url, token }: { url: string; token: string }): string[] {
  return [`Agents find it at ${url}, with the header`, `  Authorization: Bearer ${token}`];
}
