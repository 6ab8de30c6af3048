/** Agents over HTTP: the requests of Node's server as those of the web, which the protocol's handler takes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkAllowed } from '../backend/folders.ts';
import { LARGEST_MESSAGE } from '../mcp/limits.ts';
import type { EngineOptions } from '../mcp/repositories.ts';

export const MCP_PATH = '/mcp';

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
  const { mcpEndpoint } = await import('../mcp/http.ts');
  const endpoint = mcpEndpoint(folders, { dataDir, model, device, exclude, revision });
  return {
    close: () => endpoint.close(),
    answer: async (request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const body = await bodyOf(request);
      if (body === null) {
        response.writeHead(413).end();
        return;
      }
      const answer = await endpoint.fetch(toWeb(request, body, gone.signal));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      // A client that leaves has cancelled, as it may.
      else await pipeline(answer.body, response).catch(() => {});
    },
  };
}

/** Null where it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > LARGEST_MESSAGE) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
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
