/** An OpenAI-compatible endpoint on this machine that behaves as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'node:test';

/** The parts of a request that tests check. */
export interface Asked {
  url: string;
  authorization: string | undefined;
  structured: boolean;
  model: string;
  /** The request without the messages. */
  parameters: Record<string, unknown>;
  /** The prompt as the model gets it. */
  text: string;
  /** Ids with the names of their chunks, in the order of the prompt. */
  chunks: { id: number; name: string }[];
}

export type Behaviour = (asked: Asked, response: ServerResponse, turn: number) => void;

export interface FakeEndpoint {
  /** Address for the settings. */
  address: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. `behave` answers each request; `turn` counts them from 0. */
export async function fakeEndpoint(behave: Behaviour): Promise<FakeEndpoint> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const question = await read(request);
    asked.push(question);
    behave(question, response, asked.length - 1);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** For a suite: starts endpoints, and closes each after the test that started it. */
export function endpoints(): typeof fakeEndpoint {
  const running: FakeEndpoint[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.close()));
  });
  return async (behave) => {
    const started = await fakeEndpoint(behave);
    running.push(started);
    return started;
  };
}

async function read(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const part of request) body += part;
  const { messages, ...parameters } = JSON.parse(body || '{"messages":[]}');
  const text = messages.map(({ content }: { content: string }) => content).join('\n');
  const heads = text.matchAll(/^#[0-9a-f]{24} (\d+) \w+ ("(?:[^"\\]|\\.)*") /gm);
  return {
    url: request.url ?? '',
    authorization: request.headers.authorization,
    structured: parameters.response_format !== undefined,
    model: parameters.model,
    parameters,
    text,
    chunks: Array.from(heads, ([, id, name]) => ({ id: Number(id), name: JSON.parse(name) })),
  };
}

/** Answers with a chat completion that has this content. */
export function complete(response: ServerResponse, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }));
}

/** An event of a stream. */
export const event = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;

/** An event with a part of an answer, such as `{ content: '…' }`. */
export const delta = (part: object, finish_reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta: part, finish_reason }] });

/** The events of a whole answer, in parts of a few characters. */
export const streamOf = (content: unknown): string[] => [
  delta({ role: 'assistant', content: '' }),
  ...(JSON.stringify(content).match(/.{1,5}/g) ?? []).map((text) => delta({ content: text })),
  delta({}, 'stop'),
  event({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 40 } }),
  'data: [DONE]\n\n',
];

/** Answers with a stream of events. */
export function stream(response: ServerResponse, events: readonly (string | Buffer)[]): void {
  response.setHeader('content-type', 'text/event-stream');
  for (const each of events) response.write(each);
  response.end();
}

/** A model that finds that the fix edits only the chunk of this name. */
export function finds(name: string, reason = 'It splits the header.'): Behaviour {
  return ({ chunks }, response) => {
    const found = chunks.filter((chunk) => chunk.name === name).map(({ id }) => id);
    complete(response, {
      edit: found.map((id) => ({ id, reason })),
      order: [...found, ...chunks.map(({ id }) => id).filter((id) => !found.includes(id))],
      missing: [],
    });
  };
}
