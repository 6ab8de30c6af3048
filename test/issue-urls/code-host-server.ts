/** A code host on this machine that answers as a test says, in the format of the published APIs. */
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'node:test';

/** A request. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

export type Behaviour = (asked: Asked, response: ServerResponse) => void;

export interface CodeHostServer {
  /** `http://127.0.0.1:4711` */
  origin: string;
  port: number;
  asked: Asked[];
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. */
export async function startCodeHost(behave: Behaviour): Promise<CodeHostServer> {
  const asked: Asked[] = [];
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers });
    behave({ method, url, headers }, response);
  };
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    asked,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

/** For a suite: starts servers, and closes each after the test that started it. */
export function createCodeHosts(): typeof startCodeHost {
  const running: CodeHostServer[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.close()));
  });
  return async (behave) => {
    const started = await startCodeHost(behave);
    running.push(started);
    return started;
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(json));
}

/** Answers by a table of paths, and with 404 otherwise. */
export const serving =
  (paths: Record<string, Behaviour | object>): Behaviour =>
  (asked, response) => {
    const found = paths[asked.url];
    if (typeof found === 'function') (found as Behaviour)(asked, response);
    else if (found) answer(response, 200, found);
    else
      answer(response, 404, { message: 'Not Found', documentation_url: 'https://docs.github.com' });
  };

export const TITLE = 'parse_cookie cuts a quoted value';
export const BODY = `<!-- Thank you for reporting. Please fill this in. -->\r
\r
### What happens\r
\r
The value is cut at a comma: ![screenshot](https://example.org/cut.png)\r
`;

/** Issue as in https://docs.github.com/en/rest/issues/issues#get-an-issue. Gitea's has the same fields that Locus reads. */
export const githubIssue = (change: object = {}) => ({
  id: 1,
  node_id: 'MDU6SXNzdWUx',
  url: 'https://api.github.com/repos/acme/shop/issues/7',
  html_url: 'https://github.com/acme/shop/issues/7',
  number: 7,
  state: 'open',
  title: TITLE,
  body: BODY,
  user: { login: 'octocat', id: 1, type: 'User' },
  labels: [{ id: 208045946, name: 'bug', default: true }],
  comments: 2,
  created_at: '2026-04-22T13:33:48Z',
  updated_at: '2026-04-22T13:33:48Z',
  ...change,
});

/** Comment as in https://docs.github.com/en/rest/issues/comments. */
export const githubComment = (body: string, login: string | null = 'hubot') => ({
  id: 1,
  user: login === null ? null : { login, id: 2 },
  created_at: '2026-05-01T08:00:00Z',
  body,
  author_association: 'COLLABORATOR',
});

/** Issue as in https://docs.gitlab.com/api/issues#single-project-issue. */
export const gitlabIssue = (change: object = {}) => ({
  id: 33,
  iid: 7,
  project_id: 4,
  title: TITLE,
  description: BODY,
  state: 'opened',
  author: { id: 1, username: 'root', name: 'Administrator' },
  labels: ['bug'],
  user_notes_count: 1,
  issue_type: 'issue',
  web_url: 'http://gitlab.example.com/g/s/p/-/issues/7',
  ...change,
});

/** Comment as in https://docs.gitlab.com/api/notes. */
export const gitlabNote = (body: string, system = false) => ({
  id: 302,
  body,
  author: { id: 1, username: 'pipin' },
  created_at: '2026-10-02T09:22:45Z',
  system,
  noteable_type: 'Issue',
  internal: false,
});
