/** The browser host: the app's pages over HTTP, its windows over WebSockets, the engine in a process of its own. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import type { SessionOptions } from '../backend/session.ts';
import { realFolder } from '../base/folders.ts';
import { logFailure } from '../base/log.ts';
import { prepareDataDirectory } from '../services/locations.ts';
import { forgetServer, rememberServer } from '../services/running-server.ts';
import { ENGINE_PATH } from '../shared/app-page.ts';
import { LocusError } from '../shared/errors.ts';
import { Access, createToken } from './access.ts';
import { Connections, HTTP_LIMITS } from './connections.ts';
import { openApp, RendererFiles, reply } from './files.ts';
import { type Agents, agentsOn, MCP_PATH } from './mcp.ts';
import { Windows } from './windows.ts';

const DEFAULT_PORT = 4747;
const BUILT_RENDERER = fileURLToPath(new URL('../../out/renderer', import.meta.url));
/** Far above what the engine takes, so that too large a message is answered instead of ending the connection. */
const MAX_PAYLOAD = 64_000_000;

export interface ServerOptions extends SessionOptions {
  /** The default port or, when that is taken, any free one if left out. 0 is any free one. */
  port?: number;
  /** Only folders in here can be opened; the user's home folder if left out. */
  allowedRoot?: string;
  rendererFolder?: string;
  /** Answer agents about these folders, at `/mcp`; nobody if left out. */
  mcp?: { folders: readonly string[]; revision?: string };
  /** Token that clients show; a new one if left out. */
  token?: string;
}

/** Where the server is. It stays the same when the server is started again. */
export interface ServerAddress {
  /** With the token: whoever has it can read the folders that may be opened. */
  url: string;
  /** Where agents find it, and the token that they bring; null where they are not answered. */
  mcp: { url: string; token: string } | null;
  port: number;
}

export interface RunningServer extends ServerAddress {
  /** The engine's process; undefined between a crash and the next start. */
  readonly enginePid: number | undefined;
  close(): Promise<void>;
}

/**
 * Starts the browser host on the loopback interface.
 * @throws LocusError `not-found` when the renderer is not built, `busy` when the port is taken, `bad-store` when the data
 *   directory cannot be written, `bad-input` or `bad-repository` for a folder that cannot be opened, or that agents cannot be answered about.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {
    port: wanted,
    allowedRoot,
    rendererFolder = BUILT_RENDERER,
    mcp,
    token,
    ...session
  } = options;
  // Said where it was typed, rather than in a window that shows nothing else.
  for (const path of [session.open?.root, allowedRoot]) if (path !== undefined) realFolder(path);
  // The engine's process would end for it again and again.
  prepareDataDirectory(session.dataDir);
  const files = await RendererFiles.load(rendererFolder);
  const root = resolve(allowedRoot ?? homedir());
  const agents = mcp ? await agentsOn(mcp.folders, root, { ...session, ...mcp }) : null;
  const server = createServer(HTTP_LIMITS);
  const connections = new Connections(server);
  const port = await listen(server, wanted);
  // An accept can fail, as without a free file descriptor. The next one may succeed.
  server.on('error', () => {});
  const access = new Access(token ?? createToken());
  const windows = new Windows(session, root);
  const url = `http://127.0.0.1:${port}/?token=${access.token}`;
  rememberServer(url, session.dataDir);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_PAYLOAD });

  server.on('request', (request, response) => {
    answer(request, response, { access, files, agents, connections }).catch((error) => {
      // A client may leave at any moment.
      if (!request.socket.destroyed) {
        logFailure(error);
        console.error('locus: A request could not be answered.', error);
      }
      response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (!access.mayUpgrade(request)) return refuse(socket);
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
      forgetServer(session.dataDir);
      const closed = new Promise((done) => server.close(done));
      await agents?.close();
      await windows.close();
      server.closeAllConnections();
      for (const client of sockets.clients) client.terminate();
      await closed;
    },
  };
}

interface Parts {
  access: Access;
  files: RendererFiles;
  agents: Agents | null;
  connections: Connections;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { access, files, agents, connections }: Parts,
): Promise<void> {
  const refusal = access.refusal(request);
  if (refusal) return reply(response, 403, refusal);
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (!url) return reply(response, 400, 'This is no address of a page.');
  const { pathname, searchParams } = url;
  if (pathname === ENGINE_PATH) {
    if (access.hasBearer(request)) return void response.writeHead(204).end();
    return reply(response, 401, STALE);
  }
  if (agents && pathname === MCP_PATH) {
    if (!access.hasBearer(request)) {
      return reply(response, 401, BEARER, { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    connections.admit(request);
    return agents.answer(request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return reply(response, 405, 'Locus is read with GET.');
  }
  const token = searchParams.get('token');
  if (token === null) return files.serve(request, response, pathname);
  return access.isToken(token) ? openApp(response) : reply(response, 401, STALE);
}

const STALE = 'This address needs the token that <code>locus serve</code> printed when it started.';

const BEARER =
  'Agents bring the token that <code>locus serve --mcp</code> printed, as Authorization: Bearer.';

/** Does not wait for the client to close its side. */
function refuse(socket: Duplex): void {
  const answer = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  socket.end(answer, () => socket.destroy());
}

async function listen(server: Server, wanted: number | undefined): Promise<number> {
  try {
    return await tryListen(server, wanted ?? DEFAULT_PORT);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && wanted === undefined) return tryListen(server, 0);
    throw new LocusError(
      'busy',
      `port ${wanted ?? DEFAULT_PORT} cannot be used: ${message}`,
      'choose another one with --port',
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
