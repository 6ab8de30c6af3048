/** Limits the resources of clients without the token, and handles broken connections. */
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Timeout for the headers of a request, and how often it is checked, in milliseconds. Node's defaults apply to the rest: 16 KiB
 * for a URL and its headers together, 300 s for a body, 5 s between two requests.
 */
export const HTTP_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
};
/** Maximum requests on one connection, which also bounds pipelining. */
const MAX_REQUESTS_PER_CONNECTION = 1_000;
/** Maximum connections without the token. A browser opens about ten for one page. */
export const MAX_UNAUTHORIZED = 256;

/** Open connections of a server. At the limit, the oldest one without the token is closed, so that a flood cannot lock out the user. */
export class Connections {
  readonly #unauthorized = new Set<Socket>();

  constructor(server: Server) {
    server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Exempts a connection from the limit, because its client sent the token. */
  admit({ socket }: IncomingMessage): void {
    this.#unauthorized.delete(socket);
  }

  #add(socket: Socket): void {
    // A client can reset the connection at any time. The HTTP server handles errors only until an upgrade.
    socket.on('error', () => {});
    socket.once('close', () => this.#unauthorized.delete(socket));
    this.#unauthorized.add(socket);
    const [oldest] = this.#unauthorized;
    if (this.#unauthorized.size > MAX_UNAUTHORIZED) oldest?.destroy();
  }
}
