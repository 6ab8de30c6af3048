/**
 * An MCP server with the tools of `locus mcp`, whose searches answer with a plain word search: `node placebo.ts <repository> <data directory>`
 *
 * Names, descriptions, schemas and the form of answers are those of the real server, because its code makes them. Only the ranking differs.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport } from '../../src/mcp/line-transport.ts';
import { Roots } from '../../src/mcp/roots.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { OnDemandRepository } from '../../src/services/keeper/on-demand-repository.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { searchByWords } from './word-search.ts';

/** Returns a repository whose `search` is a word search. */
function replaceSearch(repository: Repository): Repository {
  return new Proxy(repository, {
    get(target, name) {
      if (name === 'search')
        return (request: Parameters<Repository['search']>[0]) => searchByWords(target, request);
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const folder = assertPresent(process.argv[2], 'the repository');
const dataDir = assertPresent(process.argv[3], 'the data directory');
const opened = new OnDemandRepository(
  async (readOnly) => replaceSearch(await openRepository(folder, { dataDir, readOnly })),
  false,
);
const repositories = {
  use: <T>(_: unknown, run: (repository: OnDemandRepository) => Promise<T>) => run(opened),
  close: () => opened.close(),
};
const host = {
  repositories,
  dataDirectory: dataDir,
  namedRoots: Roots.fromUser([folder]),
  workingDirectory: null,
};
const { stdin, stdout } = process;
const handle = serveStdio(() => createMcpServer(host), {
  transport: new LineTransport(stdin, stdout),
});
await new Promise<void>((ended) => {
  stdin.once('end', ended);
  stdin.once('close', ended);
});
await handle.close();
await repositories.close();
