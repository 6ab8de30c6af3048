/** Runs the app in a browser until the user interrupts. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withoutCompileCache } from '../base/shared-compile-cache.ts';
import type { ServerOptions } from '../server/options.ts';
import type { ServerAddress } from '../server/server.ts';
import { findRunningServer } from '../services/running-server.ts';
import { DEFAULT_PORT } from '../shared/app-page.ts';
import { hasScreen } from './electron.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Session } from './session.ts';

/**
 * Runs the server until the user interrupts it.
 *
 * @param onListening receives the address once, when the server listens
 * @throws LocusError as `startServer`; Error if the server keeps crashing
 */
export async function serveUntilInterrupted(
  options: ServerOptions,
  session: Session,
  onListening: (address: ServerAddress) => void,
): Promise<ExitCode> {
  const { signal } = session.host;
  const { superviseServer } = await import('../server/supervised-server.ts');
  const usesDefaultPort = options.port === undefined;
  const running = usesDefaultPort ? await findRunningServer(options.dataDir) : null;
  const commandLine = [process.execPath, process.argv[1] ?? ''] as const;
  await using server = await superviseServer(
    { commandLine: [...commandLine], ...options },
    (reason) => session.note(`locus: The server stopped (${reason}) and was restarted.`),
  );
  onListening(server.address);
  if (usesDefaultPort && server.address.port !== DEFAULT_PORT) session.note(describePort(running));
  const interrupted = signal.aborted ? undefined : once(signal, 'abort');
  await Promise.race([interrupted, server.failed]);
  return EXIT.ok;
}

/** Describes where bookmarks of the default port lead. @param running URL of another Locus; null if none runs */
function describePort(running: string | null): string {
  return running
    ? `locus: Locus already runs at ${running}\n  Its bookmarks and open tabs work there, not at the new address.`
    : `locus: Another program uses port ${DEFAULT_PORT}. Bookmarks with that port lead to it, not to Locus.`;
}

/**
 * Returns a function that prints the address of a server.
 *
 * @param open true to also open a browser, if a person is at a terminal
 */
export function createAddressPrinter(
  session: Session,
  open: boolean,
): (address: ServerAddress) => void {
  const { env } = session.host;
  const opens = open && session.isInteractive;
  // Remote editors set BROWSER to a program that opens the address on the user's own machine.
  const isSeen = !opens || hasScreen(env) || Boolean(env.BROWSER);
  const lead = isSeen
    ? 'Locus is running at'
    : 'No screen was found. Open this address in a browser:';
  return ({ url, mcp }) => {
    if (session.json) session.printJsonLine({ url, ...(mcp && { mcp }) });
    else session.print(`${lead} ${url}`, ...(mcp ? describeForAgents(mcp) : []));
    if (opens) openInBrowser(url);
  };
}

function describeForAgents({ url, token }: { url: string; token: string }): string[] {
  return [`Agents connect to ${url} with the header`, `  Authorization: Bearer ${token}`];
}

/** Opens an address in the user's browser. Ignores failures, because the address is also printed. */
export function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  spawn(program, args, {
    stdio: 'ignore',
    detached: true,
    env: withoutCompileCache(process.env),
  })
    // No browser can be opened: the address is printed anyway.
    .on('error', () => {})
    .unref();
}
