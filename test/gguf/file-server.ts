/** A server on this machine that sends files, whole or from an offset on. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface FileServer extends AsyncDisposable {
  url: URL;
  /** Paths that were requested, with the range if there was one. */
  requested: string[];
}

export async function serveFiles(
  answers: Readonly<Record<string, Buffer | Answer>>,
): Promise<FileServer> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    requested.push([url, headers.range].filter(Boolean).join(' '));
    const answer = answers[url];
    if (typeof answer === 'function') return answer(request, response);
    if (!answer) return void response.writeHead(404).end();
    const offset = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    if (offset > 0 && offset >= answer.length) return void response.writeHead(416).end();
    const rest = answer.subarray(offset);
    response.writeHead(offset > 0 ? 206 : 200, { 'content-length': rest.length }).end(rest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    requested,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
