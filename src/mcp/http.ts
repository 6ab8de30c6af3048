/** The server for many clients behind one address; who may come is for the host to say. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { LARGEST_MESSAGE } from './limits.ts';
import { type EngineOptions, Repositories } from './repositories.ts';
import { Roots } from './roots.ts';
import { mcpServer } from './server.ts';

export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Answers about these folders, which the user named: a client behind HTTP names none.
 * @throws LocusError `bad-repository` for one that is no folder.
 */
export function mcpEndpoint(folders: readonly string[], options: EngineOptions): McpEndpoint {
  const repositories = new Repositories(options);
  const host = { repositories, named: Roots.ofUser(folders), directory: null };
  const handler = createMcpHandler(() => mcpServer(host), {
    maxRequestBodySize: LARGEST_MESSAGE,
  });
  return {
    fetch: (request) => handler.fetch(request),
    close: async () => {
      await handler.close();
      await repositories.close();
    },
  };
}
