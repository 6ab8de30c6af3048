/** The server on standard input and output, as an agent starts it. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { visible } from '../shared/quoted.ts';
import { LineTransport } from './line-transport.ts';
import { Roots } from './roots.ts';
import { type EngineOptions, keepRepositories, mcpServer } from './server.ts';

export interface StdioOptions extends EngineOptions {
  /** Folders that may be asked about; without any, those of the client, or else the one that is worked in. */
  repositories: readonly string[];
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  signal: AbortSignal;
  onError: (message: string) => void;
}

/**
 * Serves until the client closes standard input, or the signal aborts.
 * @throws LocusError `bad-repository` for a repository that is no folder.
 */
export async function serveOnStdio(options: StdioOptions): Promise<void> {
  const { repositories: folders, stdin, stdout, signal, onError, ...engine } = options;
  const named = folders.length > 0 ? Roots.ofUser(folders) : null;
  const repositories = keepRepositories(engine);
  const host = { repositories, named, directory: process.cwd() };
  const handle = serveStdio(() => mcpServer(host), {
    transport: new LineTransport(stdin, stdout),
    onerror: ({ message }) => onError(visible(message)),
  });
  await new Promise<void>((ended) => {
    stdin.once('end', ended);
    stdin.once('close', ended);
    if (signal.aborted) return ended();
    signal.addEventListener('abort', () => ended(), { once: true });
  });
  await handle.close();
  await repositories.close();
}
