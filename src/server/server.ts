/** The server of `locus serve`: the app's pages over HTTP, its windows over WebSockets, and the engine in its own process. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { realFolder } from '../base/folders.ts';
import { logFailure } from '../base/log.ts';
import { prepareDataDirectory } from '../services/locations.ts';
import { recordServer, removeServerRecord } from '../services/running-server.ts';
import { DEFAULT_PORT, ENGINE_PATH } from '../shared/app-page.ts';
import { LocusError } from '../shared/errors.ts';
import { createToken, RequestAccess } from './access.ts';
import { Connections, HTTP_LIMITS } from './connections.ts';
import { RendererFiles, sendAppOpener, sendPage } from './files.ts';
import { type AgentEndpoint, createAgentEndpoint, MCP_PATH } from './mcp.ts';
import { getAllowedRoot, getSessionOptions, type ServerOptions } from './options.ts';
import { WindowRelay } from './windows.ts';

const BUILT_RENDERER = fileURLToPath(new URL('../../out/renderer', import.meta.url));
/** Maximum size of a message. It exceeds the engine's limit, so that a large message gets an error instead of a closed connection. */
const MAX_PAYLOAD = 64_000_000;

/** Address of the server. A restart does not change it. */
export interface ServerAddress {
  /** URL with the token. Everyone who has it can read the allowed folders. */
  url: string;
  /** URL and token for agents; null if they are not served. */
  mcp: { url: string; token: string } | null;
  port: number;
}

export interface RunningServer extends ServerAddress {
  /** Process id of the engine; undefined between a crash and the restart. */
  readonly enginePid: number | undefined;
  close(): Promise<void>;
}

/**
 * Starts the server on the loopback interface.
 * @param windows relay to the engine, which may have been started before this module was loaded. It is closed if the server cannot start.
 * @throws LocusError `not-found` if the renderer is not built, `busy` if the port is in use, `bad-store` if the data directory
 *   is not writable, `bad-input` or `bad-repository` for a folder that cannot be opened or served to agents
 */
export async function startServer(
  options: ServerOptions = {},
  windows = new WindowRelay(options),
): Promise<RunningServer> {
  const session = getSessionOptions(options);
  const server = createServer(HTTP_LIMITS);
  const connections = new Connections(server);
  const { files, agents, port } = await prepare(options, server).catch(async (error) => {
    await windows.close();
    throw error;
  });
  // Accepting a connection can fail, for example without a free file descriptor. The next one may succeed.
  server.on('error', () => {});
  const access = new RequestAccess(options.token ?? createToken());
  const url = `http://127.0.0.1:${port}/?token=${access.token}`;
  recordServer(url, session.dataDir);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD });

  server.on('request', (request, response) => {
    answer(request, response, { access, files, agents, connections }).catch((error) => {
      // The client may have disconnected.
      if (!request.socket.destroyed) {
        logFailure(error);
        console.error('locus: A request failed.', error);
      }
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (!access.canUpgrade(request)) return refuseUpgrade(socket);
    connections.admit(request);
    sockets.handleUpgrade(request, socket, head, (webSocket) => windows.add(webSocket));
  });

  return {
    url,
    mcp: agents && { url: `http://127.0.0.1:${port}${MCP_PATH}`, token: access.token },
    port,
    get enginePid() {
      return windows.enginePid;
    },
    close: async () => {
      removeServerRecord(session.dataDir);
      const closed = new Promise((done) => server.close(done));
      await agents?.close();
      await windows.close();
      server.closeAllConnections();
      for (const client of sockets.clients) client.terminate();
      await closed;
    },
  };
}

/** Checks the options, loads the pages and listens. @throws as `startServer` */
async function prepare(options: ServerOptions, server: Server) {
  const { open, allowedRoot, mcp, rendererFolder = BUILT_RENDERER, port } = options;
  // Report an invalid folder on the command line, not in an empty window.
  for (const path of [open?.root, allowedRoot]) if (path !== undefined) realFolder(path);
  // Without the data directory, the engine would crash at every start.
  prepareDataDirectory(options.dataDir);
  const files = await RendererFiles.load(rendererFolder);
  const forAgents = { ...getSessionOptions(options), ...mcp };
  const agents = mcp
    ? await createAgentEndpoint(mcp.folders, getAllowedRoot(options), forAgents)
    : null;
  return { files, agents, port: await listen(server, port) };
}

interface ServerParts {
  access: RequestAccess;
  files: RendererFiles;
  agents: AgentEndpoint | null;
  connections: Connections;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { access, files, agents, connections }: ServerParts,
): Promise<void> {
  const refusal = access.findRefusal(request);
  if (refusal) return sendPage(response, 403, refusal);
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (!url) return sendPage(response, 400, 'The URL is invalid.');
  const { pathname, searchParams } = url;
  if (pathname === ENGINE_PATH) {
    if (access.hasBearer(request)) return void response.writeHead(204).end();
    return sendPage(response, 401, TOKEN_REQUIRED);
  }
  if (agents && pathname === MCP_PATH) {
    if (!access.hasBearer(request)) {
      return sendPage(response, 401, BEARER_REQUIRED, {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    connections.admit(request);
    return agents.answer(request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendPage(response, 405, 'Use GET.');
  }
  const token = searchParams.get('token');
  if (token === null) return files.serve(request, response, pathname);
  if (access.isToken(token)) return sendAppOpener(response);
  // An address of an earlier start, from the browser's history. The page has a newer token or says how to get one.
  response.writeHead(303, { Location: '/', 'Cache-Control': 'no-store' }).end();
}

const TOKEN_REQUIRED =
  'This address needs the token that <code>locus serve</code> printed when it started.';

const BEARER_REQUIRED =
  'Agents must send the token that <code>locus serve --mcp</code> printed, as Authorization: Bearer.';

/** Refuses an upgrade, without waiting for the client to close its side. */
function refuseUpgrade(socket: Duplex): void {
  const answer = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  socket.end(answer, () => socket.destroy());
}

async function listen(server: Server, requested: number | undefined): Promise<number> {
  try {
    return await tryListen(server, requested ?? DEFAULT_PORT);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && requested === undefined) return tryListen(server, 0);
    throw new LocusError(
      'busy',
      `Port ${requested ?? DEFAULT_PORT} cannot be used: ${message}.`,
      'Choose another port with --port.',
      { cause: error },
    );
  }
}

function tryListen(server: Server, port: number): Promise<number> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      done((server.address() as AddressInfo).port);
    });
  });
}
