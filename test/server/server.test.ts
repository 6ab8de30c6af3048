import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { on, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { getSessionOptions } from '../../src/server/options.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { WindowRelay } from '../../src/server/windows.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import { type Channel, MAX_MESSAGE } from '../../src/shared/rpc/messages.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';
import { gitRepository, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const PAGES = {
  'index.html': '<!doctype html><title>Locus</title>',
  'assets/app-1234.js': 'export default 1;\n',
};

let server: RunningServer;
let folder: string;
let repository: string;

before(async () => {
  folder = temporaryFolder();
  writeFiles(join(folder, 'pages'), PAGES);
  repository = gitRepository({ 'shop/cart.py': 'def total(items):\n    return sum(items)\n' });
  server = await startServer({
    port: 0,
    dataDir: join(folder, 'data'),
    allowedRoot: repository,
    rendererFolder: join(folder, 'pages'),
  });
});
after(async () => {
  await server?.close();
  removeFolder(folder);
  removeFolder(repository);
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request with an unchanged path and headers, unlike a browser. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { port: server.port, host: '127.0.0.1', path, headers, method },
      (answer) => {
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        );
      },
    );
    asked.on('error', reject).end();
  });
}

describe('pages', () => {
  it('are not found at an invalid URL', async () => {
    assert.equal((await get('//')).status, 400);
  });

  it('are public, and store a correct token', async () => {
    const page = await get('/');
    assert.deepEqual([page.status, page.text], [200, PAGES['index.html']]);
    // The page says what is missing.
    const wrong = await get('/?token=wrong');
    assert.deepEqual([wrong.status, wrong.headers.location, wrong.text], [303, '/', '']);
    const { pathname, search } = new URL(server.url);
    const entrance = await get(pathname + search);
    assert.equal(entrance.status, 200);
    assert.equal(entrance.headers['set-cookie'], undefined);
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(entrance.text) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    assert.match(script, /localStorage\.setItem/);
    const policy = String(entrance.headers['content-security-policy']);
    assert.ok(policy.includes(`script-src 'sha256-${hash}';`), policy);
  });

  it('reveal nothing of the engine without the token', async () => {
    const authorization = `Bearer ${new URL(server.url).searchParams.get('token')}`;
    assert.equal((await get('/engine', { authorization })).status, 204);
    assert.equal((await get('/engine', { authorization: 'Bearer wrong' })).status, 401);
    assert.equal((await get('/engine')).status, 401);
  });

  it('carry a policy without inline or remote script', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy.replace(/style-src [^;]*/, ''), /unsafe|http|\*/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
  });

  it('are refused under another host name, and for other sites', async () => {
    assert.equal((await get('/', { host: 'evil.example' })).status, 403);
    assert.equal((await get('/', { host: `127.0.0.1.evil.example` })).status, 403);
    assert.equal((await get('/', { origin: 'http://evil.example' })).status, 403);
    assert.equal((await get('/', { origin: 'null' })).status, 403);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      assert.equal((await get('/', headers)).status, 403);
      assert.equal((await get('/assets/app-1234.js', headers)).status, 403);
      assert.equal((await get('/?token=wrong', headers)).status, 403);
      // A link in a terminal that runs in a web page.
      assert.equal((await get(`/${new URL(server.url).search}`, headers)).status, 200);
    }
    // With a forwarded port, as over SSH.
    assert.equal((await get('/', { host: 'localhost:8080' })).status, 200);
  });

  it('are the built files and nothing else', async () => {
    for (const path of [
      '/../data/app.db',
      '/..%2fdata/app.db',
      '/%2e%2e/data/app.db',
      '//etc/passwd',
      '/assets',
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
    const script = await get('/assets/app-1234.js', { 'accept-encoding': 'gzip' });
    assert.equal(script.headers['content-encoding'], 'gzip');
    assert.match(String(script.headers['cache-control']), /immutable/);
    assert.equal((await get('/', {}, 'POST')).status, 405);
  });

  it('survive requests that are not HTTP', async () => {
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.end('GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nnonsense\r\n\r\n');
    await once(socket.resume(), 'close');
    assert.equal((await get('/')).status, 200);
  });
});

/** Opens a socket like the page. `headers` replace the usual ones, `token` the correct one. */
function socket(
  headers: Record<string, string> = {},
  path = '/engine',
  token = new URL(server.url).searchParams.get('token') ?? '',
): WebSocket {
  const address = `127.0.0.1:${server.port}`;
  return new WebSocket(`ws://${address}${path}`, ['locus', token], {
    headers: { origin: `http://${address}`, ...headers },
  });
}

type Client = RpcClient<EngineMethods, Events>;

/** Window that reconnects until it is closed. */
function openWindow(): { client: Client; close(): void; current: () => WebSocket } {
  const opened: { root: string }[] = [{ root: repository }];
  const client: Client = new RpcClient(async (_welcome, ask) => {
    await Promise.all(opened.map((place) => ask('repository.open', place)));
  });
  let current: WebSocket;
  let wanted = true;
  const connect = () => {
    const made = socket();
    current = made;
    const channel: Channel = {
      post: (text) => made.send(text),
      onMessage: (listener) => made.on('message', (data) => String(data) && listener(String(data))),
      onClose: (listener) => made.on('close', listener),
      close: () => made.close(),
    };
    made.on('open', () => client.attach(channel));
    made.on('close', () => wanted && setTimeout(connect, 20));
  };
  connect();
  return {
    client,
    current: () => current,
    close() {
      wanted = false;
      current.terminate();
    },
  };
}

const issueId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('windows', () => {
  it('are refused without token, without origin, from other sites and other paths', async () => {
    const attempts: [headers: Record<string, string>, path?: string, token?: string][] = [
      [{}, '/engine', 'wrong'],
      [{ 'sec-fetch-site': 'same-site' }],
      [{ origin: '' }],
      [{ origin: 'http://evil.example' }],
      [{ host: 'evil.example', origin: 'http://evil.example' }],
      [{}, '/other'],
    ];
    for (const [headers, path, token] of attempts) {
      const [error] = (await once(socket(headers, path, token), 'error')) as [Error];
      assert.match(error.message, /403/);
    }
  });

  it('get an error for damaged, binary and oversized messages, and the engine lives', async () => {
    const raw = socket();
    const answers = on(raw, 'message');
    const next = async () => {
      for (;;) {
        const [data] = (await answers.next()).value as [Buffer];
        const message = JSON.parse(String(data) || '{"event": "beat"}');
        if (!('event' in message)) return message as { id: number; error?: { message: string } };
      }
    };
    await once(raw, 'open');
    const pid = server.enginePid;
    raw.send('{{{');
    assert.match((await next()).error!.message, /not JSON/);
    raw.send(Buffer.from([0, 1, 2]));
    assert.match((await next()).error!.message, /Binary messages/);
    raw.send(`{"id":5,"method":"recent.list","params":{"x":"${'x'.repeat(MAX_MESSAGE)}"}}`);
    const refusal = await next();
    assert.deepEqual([refusal.id, /too large/.test(refusal.error!.message)], [5, true]);
    raw.send('{"id":6,"method":"recent.list","params":{}}');
    assert.equal((await next()).id, 6);
    assert.equal(server.enginePid, pid);
    raw.terminate();
  });

  it('are answered in full, however much they send at once and however late they read', async () => {
    const { client, close, current } = openWindow();
    try {
      const { id } = await client.call('repository.open', { root: repository });
      const text = 'x'.repeat(4_000_000);
      current().pause();
      const saved = Array.from({ length: 12 }, (_, i) =>
        client.call('issues.save', { repository: id, issue: issueId(i), text: `${i} ${text}` }),
      );
      const read = Array.from({ length: 12 }, (_, i) =>
        client.call('issues.get', { issue: issueId(i) }),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      current().resume();
      await Promise.all(saved);
      for (const record of await Promise.all(read)) assert.ok(record.text.length > 4_000_000);
    } finally {
      close();
    }
  });

  it('continue after the engine was killed, and after the connection was lost', async () => {
    const window = openWindow();
    try {
      const { client } = window;
      const [{ id }] = [await client.call('repository.open', { root: repository })];
      const request = { issue: '`total` is wrong' };
      const search = () => client.call('search', { repository: id, request });
      await search();

      const told = new Promise<string>((resolve) => client.on('note', ({ text }) => resolve(text)));
      const before = server.enginePid!;
      const interrupted = search();
      process.kill(before, 'SIGKILL');
      assert.equal((await interrupted).results[0]?.qualifiedName, 'total');
      assert.match(await told, /engine stopped \(SIGKILL\)/);
      assert.notEqual(server.enginePid, before);

      window.current().terminate();
      assert.equal((await search()).results[0]?.qualifiedName, 'total');
    } finally {
      window.close();
    }
  });
});

describe('a server', () => {
  it('reports a data directory that is not writable', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    // No folder can be created in /proc; the system reports ENOENT.
    const places = process.platform === 'linux' ? [file, '/proc/locus/data'] : [file];
    for (const dataDir of places) {
      await assert.rejects(startServer({ port: 0, dataDir }), {
        code: 'bad-store',
        remedy: /--data-dir/,
      });
    }
  });

  it('reports missing pages, and a port in use', async () => {
    const dataDir = join(folder, 'other');
    const rendererFolder = join(folder, 'nowhere');
    await assert.rejects(
      startServer({ port: 0, dataDir, rendererFolder }),
      /npm run build|are missing/,
    );
    const taken = { port: server.port, dataDir, rendererFolder: join(folder, 'pages') };
    await assert.rejects(startServer(taken), { code: 'busy', remedy: /--port/ });
  });

  it('ends an engine that was started before it, if it cannot start', async () => {
    const taken = { port: server.port, dataDir: join(folder, 'other'), token: 'secret' };
    const windows = new WindowRelay(taken);
    const pid = windows.enginePid ?? 0;
    assert.ok(process.kill(pid, 0), 'control: it runs');
    await assert.rejects(startServer(taken, windows));
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.deepEqual(getSessionOptions(taken), { dataDir: taken.dataDir });
  });
});
