import { once } from 'node:events';
import { type ServerOptions, startServer } from '../server/server.ts';
import type { Session } from './session.ts';

/** Runs the browser host until the user interrupts it; `tell` is given its address. */
export async function serveUntilInterrupted(
  options: ServerOptions,
  { host }: Session,
  tell: (url: string) => void,
): Promise<void> {
  const server = await startServer(options);
  tell(server.url);
  if (!host.signal.aborted) await once(host.signal, 'abort');
  await server.close();
}
