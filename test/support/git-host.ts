/** Serves a folder of bare repositories over HTTP, by git's own `http-backend`. */
import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import type { Heard } from './loopback.ts';

/** Answers a request for a repository in `folder`, as a host of public repositories does. */
export async function respondAsGit(
  folder: string,
  { method, url, headers, body }: Heard,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(url, 'http://git');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: method,
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => {});
  backend.stdin.end(body);
  const parts: Buffer[] = [];
  for await (const part of backend.stdout) parts.push(part);
  const answer = Buffer.concat(parts);
  const end = answer.indexOf('\r\n\r\n');
  const fields = answer
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
  const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
  response
    .writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    .end(answer.subarray(end + 4));
}
