/** Limits on what a client without the token can hold, and protection against connections that break. */
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Time for the headers of a request, in milliseconds, and how often it is checked. Node's own limits hold for the rest: 16 KiB for
 * an address and its headers together, 300 s for a body, 5 s between two requests.
 */
export const HTTP_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
};
/** Requests on one connection, which bounds those that are pipelined. */
const MAX_REQUESTS_PER_CONNECTION = 1_000;
/** Connections without the token. A browser holds about ten of one page. */
const MAX_STRANGERS = 256;

/** The open connections of a server. The oldest one without the token makes room for a new one, so that no flood keeps the user out. */
export class Connections {
  readonly #strangers = new Set<Socket>();

  constructor(server: Server) {
    server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Takes a connection out of the limit: its client has shown the token. */
  admit({ socket }: IncomingMessage): void {
    this.#strangers.delete(socket);
  }

  #add(socket: Socket): void {
    // A client can reset the connection at any moment. HTTP listens only until an upgrade.
    socket.on('error', () => {});
    socket.once('close', () => this.#strangers.delete(socket));
    this.#strangers.add(socket);
    const [oldest] = this.#strangers;
    if (this.#strangers.size > MAX_STRANGERS) oldest?.destroy();
  }
}
