/** Runs the MCP server on standard input and output, as agents start it. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { getDataDirectory } from '../services/locations.ts';
import { escapeHidden } from '../shared/quote.ts';
import { LineTransport } from './line-transport.ts';
import { Roots } from './roots.ts';
import { createMcpServer, createRepositoryPool, type McpEngineOptions } from './server.ts';

export interface StdioOptions extends McpEngineOptions {
  /** Folders that agents may use. If empty, those of the client or, without any, the working directory's repository. */
  repositories: readonly string[];
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  signal: AbortSignal;
  onError: (message: string) => void;
}

/**
 * Serves until the client closes standard input, or the signal aborts.
 * @throws LocusError `bad-repository` if a repository is not a folder
 */
export async function serveOnStdio(options: StdioOptions): Promise<void> {
  const { repositories: folders, stdin, stdout, signal, onError, ...engine } = options;
  const namedRoots = folders.length > 0 ? Roots.fromUser(folders) : null;
  const repositories = createRepositoryPool(engine);
  const dataDirectory = getDataDirectory(engine.dataDir);
  const host = { repositories, dataDirectory, namedRoots, workingDirectory: process.cwd() };
  const handle = serveStdio(() => createMcpServer(host), {
    transport: new LineTransport(stdin, stdout),
    onerror: ({ message }) => onError(escapeHidden(message)),
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
