/** The server on standard input and output, as an agent starts it. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { visible } from '../shared/visible.ts';
import { LARGEST_MESSAGE } from './limits.ts';
import { type EngineOptions, Repositories } from './repositories.ts';
import { Roots } from './roots.ts';
import { mcpServer } from './server.ts';

export interface StdioOptions extends EngineOptions {
  /** Folders that may be asked about; without any, those of the client, or else the one that is worked in. */
  repositories: readonly string[];
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  /** Ends it. */
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
  const repositories = new Repositories(engine);
  const host = { repositories, named, directory: process.cwd() };
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: LARGEST_MESSAGE });
  const handle = serveStdio(() => mcpServer(host), {
    transport,
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
