/**
 * Finds language models on this machine: servers on their usual ports, and agents on the PATH, which are not run. Whatever answers on a
 * port is not trusted.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { Environment } from '../../base/environment.ts';
import { parseJsonOrNull } from '../../base/http.ts';
import { findProgram } from '../../base/programs.ts';
import type { FoundModels, FoundServer } from '../../shared/check.ts';
import { AGENT_SCHEME } from '../../shared/check-endpoint.ts';
import { isLoopback } from '../../shared/remote-url.ts';
import { AGENTS } from './agents.ts';

/** Time for a server's whole answer. */
const TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 1_000_000;
const MAX_MODELS = 200;
const MAX_NAME = 300;

interface KnownServer {
  title: string;
  /** Origin, always of this machine. */
  origin: string;
}

export interface FindModelsOptions {
  env: Environment;
  signal: AbortSignal;
  /** Servers to ask; for tests. */
  servers?: readonly KnownServer[];
  timeoutMs?: number;
}

/** Lists the servers that are asked. Ollama's own variable OLLAMA_HOST moves it to another port. */
export function listKnownServers({ OLLAMA_HOST }: Environment): KnownServer[] {
  return [
    { title: 'Ollama', origin: parseOllamaHost(OLLAMA_HOST) ?? 'http://127.0.0.1:11434' },
    { title: 'LM Studio', origin: 'http://127.0.0.1:1234' },
    { title: 'llama.cpp', origin: 'http://127.0.0.1:8080' },
    { title: 'vLLM', origin: 'http://127.0.0.1:8000' },
  ];
}

/** Parses a host with an optional port. Returns null for another machine. */
function parseOllamaHost(host = ''): string | null {
  const url = URL.parse(/^http:\/\//i.test(host) ? host : `http://${host}`);
  if (!url || url.username || url.password) return null;
  const hostname = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname;
  return isLoopback(hostname) ? `http://${hostname}:${url.port || 11434}` : null;
}

/**
 * Asks the known servers for their models, and looks for agents.
 * @throws LocusError `cancelled` if the signal aborts
 */
export async function findModels(options: FindModelsOptions): Promise<FoundModels> {
  const { env, signal, servers = listKnownServers(env), timeoutMs = TIMEOUT_MS } = options;
  const found = await Promise.all(
    servers.map(async ({ title, origin }): Promise<FoundServer[]> => {
      const address = `${origin}/v1`;
      const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const models = await listModels(address, ended);
      return models ? [{ title, address, models }] : [];
    }),
  );
  throwIfCancelled(signal, 'The search for models');
  return { servers: found.flat(), agents: findAgents(env) };
}

function findAgents(env: Environment): FoundModels['agents'] {
  return Object.entries(AGENTS)
    .filter(([, { program }]) => findProgram([program], env, process.platform) !== null)
    .map(([name, { title }]) => ({ title, address: `${AGENT_SCHEME}${name}` }));
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Returns the names of a server's models that can answer; null if it is no such server, or does not answer in time. */
async function listModels(address: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    const text = await readAnswer(await send(`${address}/models`, signal));
    const parsed = modelList.safeParse(text === null ? null : parseJsonOrNull(text));
    if (!parsed.success) return null;
    const names = parsed.data.data.map(({ id }) => id).filter(isChatModel);
    return [...new Set(names)].slice(0, MAX_MODELS);
  } catch {
    // Nothing listens there, it does not speak HTTP, or it is too slow.
    return null;
  }
}

/** Returns false for models that only embed, and for names that nobody gives to a model. */
const isChatModel = (name: string): boolean =>
  name.length > 0 && name.length <= MAX_NAME && !/\p{C}|embed/iu.test(name);

/** Sends a request without credentials. Node's own agent neither follows redirects nor uses a proxy, unlike `fetch`. */
async function send(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: new Agent(), signal, headers: { accept: 'application/json' } }, resolve).on(
    'error',
    reject,
  );
  return promise;
}

/** Returns the body of an answer; null if it is an error, a redirect, or too long. */
async function readAnswer(response: IncomingMessage): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    if (response.statusCode !== 200) return null;
    for await (const part of response as AsyncIterable<Uint8Array>) {
      bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) return null;
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  } finally {
    response.destroy();
  }
}
