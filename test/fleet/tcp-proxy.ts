/** A proxy in front of a server that cuts connections or answers in the server's place. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handling of a request: it passes, its answer or the request is cut after a number of bytes, or it gets this answer. */
export type Fate =
  | 'through'
  | { cutAnswerAfter: number }
  | 'cut before'
  | { status: number; body: string };

export interface Proxy {
  endpoint: string;
  /** Method and path of all requests so far. */
  seen: string[];
  close(): Promise<void>;
}

export async function proxyTo(
  port: number,
  fateOf: (incoming: IncomingMessage) => Fate,
): Promise<Proxy> {
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url?.split('?')[0]}`);
    const fate = fateOf(incoming);
    if (fate === 'cut before') return incoming.socket.destroy();
    if (typeof fate === 'object' && 'status' in fate) {
      incoming.resume();
      outgoing.writeHead(fate.status, { 'content-type': 'application/xml', connection: 'close' });
      return outgoing.end(fate.body);
    }
    const { method, url, headers } = incoming;
    const inner = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (fate === 'through') return answer.pipe(outgoing);
      let left = fate.cutAnswerAfter;
      answer.on('data', (part: Buffer) => {
        if (left > 0) outgoing.write(part.subarray(0, left));
        left -= part.length;
        if (left <= 0) outgoing.socket?.destroy();
      });
      answer.on('end', () => outgoing.socket?.destroy());
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
