/** Serves agents over HTTP. Converts requests of Node's server to web requests for the MCP handler. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkAllowed } from '../backend/folders.ts';
import { describeTooLarge, MAX_MESSAGE_BYTES, MAX_WAITING_BYTES } from '../mcp/line-transport.ts';
import type { McpEngineOptions } from '../mcp/server.ts';
import { sendPage } from './files.ts';

export const MCP_PATH = '/mcp';
/** Maximum number of requests in progress, of all agents. Others are told to retry. */
const MAX_REQUESTS = 256;

export interface AgentEndpoint {
  /** Answers a request whose token is already checked. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the endpoint for agents on these folders.
 * @throws LocusError `bad-input` for a folder outside of `allowedRoot`, `bad-repository` if one is not a folder
 */
export async function createAgentEndpoint(
  folders: readonly string[],
  allowedRoot: string,
  options: McpEngineOptions,
): Promise<AgentEndpoint> {
  for (const folder of folders) await checkAllowed(resolve(folder), allowedRoot);
  const { dataDir, model, device, exclude, revision } = options;
  const { createMcpEndpoint } = await import('../mcp/server.ts');
  const endpoint = createMcpEndpoint(folders, { dataDir, model, device, exclude, revision });
  const load: Load = { requests: 0, bytes: 0 };
  return {
    close: () => endpoint.close(),
    answer: async (request, response) => {
      if (load.requests >= MAX_REQUESTS) return refuseBusy(response);
      load.requests++;
      const closed = new AbortController();
      let reserved = 0;
      // The request stays in memory until its answer is read.
      response.once('close', () => {
        closed.abort();
        load.requests--;
        load.bytes -= reserved;
      });
      const { parts, bytes } = await readBody(request, (more) => {
        const hasRoom = load.bytes + more <= MAX_WAITING_BYTES;
        // A refused request releases its memory.
        const change = hasRoom ? more : -reserved;
        reserved += change;
        load.bytes += change;
        return hasRoom;
      });
      if (bytes > MAX_MESSAGE_BYTES) return sendPage(response, 413, describeTooLarge(bytes));
      if (parts === null) return refuseBusy(response);
      const answer = await endpoint.fetch(
        toWebRequest(request, Buffer.concat(parts), closed.signal),
      );
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      // The client may disconnect, which cancels the request.
      else await pipeline(answer.body, response).catch(() => {});
    },
  };
}

/** Number and bytes of requests in progress. */
interface Load {
  requests: number;
  bytes: number;
}

function refuseBusy(response: ServerResponse): void {
  sendPage(response, 503, 'Too many requests are in progress. Try again later.', {
    headers: { 'Retry-After': '1' },
  });
}

/**
 * Reads a body to its end, because a client that is still sending does not read an answer.
 * @param take reserves memory; returns false if the bytes do not fit
 * @returns `parts` is null if the body is too large or there was no memory for it
 */
async function readBody(
  request: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<{ parts: Buffer[] | null; bytes: number }> {
  let parts: Buffer[] | null = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) parts = null;
    if (parts !== null && !take(part.length)) parts = null;
    parts?.push(part);
  }
  return { parts, bytes };
}

function toWebRequest(
  { method, url = '/', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  signal: AbortSignal,
): Request {
  const webHeaders = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) webHeaders.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: webHeaders,
    body: hasBody ? body : undefined,
    signal,
  });
}
