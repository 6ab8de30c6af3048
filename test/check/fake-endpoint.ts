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
  const { model, messages, response_format } = JSON.parse(body || '{"messages":[]}');
  const text = messages.map(({ content }: { content: string }) => content).join('\n');
  const heads = text.matchAll(/^#[0-9a-f]{24} (\d+) \w+ ("(?:[^"\\]|\\.)*") /gm);
  return {
    url: request.url ?? '',
    authorization: request.headers.authorization,
    structured: response_format !== undefined,
    model,
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

/** A model that finds that the fix edits only the chunk of this name. */
export function finds(name: string): Behaviour {
  return ({ chunks }, response) => {
    const found = chunks.filter((chunk) => chunk.name === name).map(({ id }) => id);
    complete(response, {
      edit: found.map((id) => ({ id, reason: 'It splits the header.' })),
      order: [...found, ...chunks.map(({ id }) => id).filter((id) => !found.includes(id))],
      missing: [],
    });
  };
}
