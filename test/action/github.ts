/** A server on this machine that answers like GitHub's API for comments on issue 7 of acme/shop. */
import type { ServerResponse } from 'node:http';
import { type Heard, type LoopbackHost, startLoopbackHost } from '../support/loopback.ts';
import { PROJECT } from './samples.ts';

export const BOT = 'github-actions[bot]';

export interface StoredComment {
  id: number;
  body: string;
  user: { login: string };
  html_url: string;
}

export interface Github extends LoopbackHost {
  comments: StoredComment[];
  /** Adds a comment, as a person or another program does. */
  add(body: string, login: string): StoredComment;
  /** Answers instead of the API if it returns true. */
  before: (heard: Heard, response: ServerResponse) => boolean;
  /** Returns the methods and paths of all requests that write. */
  writes(): string[];
}

export function answer(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(json));
  return true;
}

export async function startGithub(): Promise<Github> {
  const comments: StoredComment[] = [];
  const add = (body: string, login: string) => {
    const id = 100 + comments.length;
    const url = `https://github.com/${PROJECT}/issues/7#issuecomment-${id}`;
    const comment = { id, body, user: { login }, html_url: url };
    comments.push(comment);
    return comment;
  };
  const host = await startLoopbackHost((heard, response) => {
    if (github.before(heard, response)) return;
    const url = new URL(heard.url, host.origin);
    const issues = `/repos/${PROJECT}/issues`;
    const text = () => JSON.parse(heard.body.toString('utf8')).body;
    const found = comments.find(({ id }) => url.pathname === `${issues}/comments/${id}`);
    if (heard.method === 'PATCH' && found) {
      found.body = text();
      answer(response, 200, found);
    } else if (url.pathname !== `${issues}/7/comments`)
      answer(response, 404, { message: 'Not Found' });
    else if (heard.method === 'POST') answer(response, 201, add(text(), BOT));
    else {
      const size = Number(url.searchParams.get('per_page'));
      const first = (Number(url.searchParams.get('page')) - 1) * size;
      answer(response, 200, comments.slice(first, first + size));
    }
  });
  const github: Github = {
    ...host,
    comments,
    add,
    before: () => false,
    writes: () =>
      host.heard.filter((one) => one.method !== 'GET').map((one) => `${one.method} ${one.url}`),
  };
  return github;
}
