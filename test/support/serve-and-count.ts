/**
 * Serves the app, or a plain server, in a separate process. `process.argv[2]` is a `ServerOptions` as JSON, or `null` for the plain
 * server. Sends `{ url, mcp }` when it listens, and for each message the number of its open connections.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { ServerOptions } from '../../src/server/options.ts';
import { startServer } from '../../src/server/server.ts';

/** Addresses of the server, for a test. */
export interface Served {
  url: string;
  mcp: { url: string; token: string } | null;
}

/** Starts a server without limits, which does not expect connections to break. */
async function servePlainly(): Promise<Served> {
  // Without limits, connections stay open while a slow machine opens others.
  const unlimited = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer(unlimited, (_, response) => response.end('plain'));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.origin === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else
      sockets.handleUpgrade(request, socket, head, (webSocket) => webSocket.on('error', () => {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/?token=none`, mcp: null };
}

const options: ServerOptions | null = JSON.parse(process.argv[2] ?? 'null');
const { url, mcp }: Served = options === null ? await servePlainly() : await startServer(options);
process.on('message', () => {
  const connections = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');
  process.send?.(connections.length);
});
process.send?.({ url, mcp } satisfies Served);
