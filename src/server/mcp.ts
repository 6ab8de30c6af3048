/** Agents over HTTP: the requests of Node's server as those of the web, which the protocol's handler takes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkAllowed } from '../backend/folders.ts';
import { describeTooLarge, LARGEST_MESSAGE, MAX_WAITING } from '../mcp/line-transport.ts';
import type { EngineOptions } from '../mcp/server.ts';
import { reply } from './files.ts';

export const MCP_PATH = '/mcp';
/** Requests at a time, of all agents; the next are told to come again. */
const MAX_REQUESTS = 256;

export interface Agents {
  /** Answers one request; who sent it was looked at before. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/**
 * What answers agents about these folders.
 * @throws LocusError `bad-input` for a folder outside of `allowedRoot`, `bad-repository` for what is none.
 */
export async function agentsOn(
  folders: readonly string[],
  allowedRoot: string,
  options: EngineOptions,
): Promise<Agents> {
  for (const folder of folders) await checkAllowed(resolve(folder), allowedRoot, folder);
  const { dataDir, model, device, exclude, revision } = options;
  const { mcpEndpoint } = await import('../mcp/server.ts');
  const endpoint = mcpEndpoint(folders, { dataDir, model, device, exclude, revision });
  const load: Load = { requests: 0, bytes: 0 };
  return {
    close: () => endpoint.close(),
    answer: async (request, response) => {
      if (load.requests >= MAX_REQUESTS) return refuseForNow(response);
      load.requests++;
      const gone = new AbortController();
      let held = 0;
      // Until its answer is read, the request is held in memory, too.
      response.once('close', () => {
        gone.abort();
        load.requests--;
        load.bytes -= held;
      });
      const { parts, bytes } = await readBody(request, (more) => {
        const hasRoom = load.bytes + more <= MAX_WAITING;
        // A dropped request makes room for others.
        const taken = hasRoom ? more : -held;
        held += taken;
        load.bytes += taken;
        return hasRoom;
      });
      if (bytes > LARGEST_MESSAGE) return reply(response, 413, describeTooLarge(bytes));
      if (parts === null) return refuseForNow(response);
      const answer = await endpoint.fetch(toWeb(request, Buffer.concat(parts), gone.signal));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      // A client that leaves has cancelled, as it may.
      else await pipeline(answer.body, response).catch(() => {});
    },
  };
}

/** Number and size of the requests that are not answered yet. */
interface Load {
  requests: number;
  bytes: number;
}

function refuseForNow(response: ServerResponse): void {
  reply(response, 503, 'Other requests are answered now. Ask again.', {
    headers: { 'Retry-After': '1' },
  });
}

/**
 * Reads a body to its end, since a client that is still sending does not see an answer.
 * @param take reserves room for so many bytes; returns false if they do not fit.
 * @returns null in place of the parts if they are too large or there was no room.
 */
async function readBody(
  request: IncomingMessage,
  take: (bytes: number) => boolean,
): Promise<{ parts: Buffer[] | null; bytes: number }> {
  let parts: Buffer[] | null = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > LARGEST_MESSAGE) parts = null;
    if (parts !== null && !take(part.length)) parts = null;
    parts?.push(part);
  }
  return { parts, bytes };
}

function toWeb(
  { method, url = '/', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  signal: AbortSignal,
): Request {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) web.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: web,
    body: hasBody ? body : undefined,
    signal,
  });
}
