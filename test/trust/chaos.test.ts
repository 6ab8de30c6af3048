/** Clients that reset their connections at random moments, while a window goes on asking. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rounds, SEED, uniform } from '../support/effort.ts';
import { gitRepository, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import type { Served } from '../support/serve-and-count.ts';
import { engineHeaders, openWindow } from '../support/served-window.ts';

const SERVE = fileURLToPath(new URL('../support/serve-and-count.ts', import.meta.url));
/** Clients at a time. */
const CLIENTS = 8;

interface Server extends Served {
  child: ChildProcess;
  port: number;
  /** Standard error so far. */
  errors(): string;
  /** Open connections, those of this test included. */
  countConnections(): Promise<number>;
}

async function serve(options: object | null): Promise<Server> {
  const child = fork(SERVE, [JSON.stringify(options)], { stdio: ['ignore', 2, 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const [served] = (await once(child, 'message')) as [Served];
  return {
    ...served,
    child,
    port: Number(new URL(served.url).port),
    errors: () => errors,
    countConnections: async () => {
      child.send('count');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
  };
}

const isRunning = ({ child }: Server) => child.exitCode === null && child.signalCode === null;

/** A request as it goes over the wire. */
function wire(start: string, headers: Record<string, string>, body = ''): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([start, ...lines, '', body].join('\r\n'));
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const LOCATE = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'locate', arguments: { issue: 'the total is wrong' } },
});

/** A masked text frame of a WebSocket, and one that says that it is longer than anything. */
const FRAMES = [
  Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]),
  Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
  Buffer.from([0x88, 0x80, 1, 2, 3, 4]),
];

/** Everything that a client may send, with and without what lets it in. */
function listAttacks({ url, mcp, port }: Served & { port: number }): Buffer[] {
  const host = `127.0.0.1:${port}`;
  const upgrade = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const known = engineHeaders(url);
  const post = {
    host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const posts = [LIST, LOCATE].flatMap((body) =>
    [`Bearer ${mcp?.token}`, 'Bearer none'].map((authorization) =>
      wire(
        'POST /mcp HTTP/1.1',
        { ...post, authorization, 'content-length': `${body.length}` },
        body,
      ),
    ),
  );
  const accepted = wire('GET /engine HTTP/1.1', { ...upgrade, ...known });
  return [
    wire('GET / HTTP/1.1', { host }),
    wire(`GET /${'x'.repeat(20_000)} HTTP/1.1`, { host }),
    wire('GET / HTTP/1.1', { host, 'x-long': 'x'.repeat(20_000) }),
    Buffer.concat(Array.from({ length: 50 }, () => wire('GET / HTTP/1.1', { host }))),
    Buffer.from('\x16\x03\x01 this is no HTTP\r\n\r\n'),
    wire('GET /engine HTTP/1.1', upgrade),
    wire('GET /engine HTTP/1.1', { ...upgrade, origin: 'http://evil.example' }),
    wire('CONNECT 127.0.0.1:22 HTTP/1.1', { host }),
    ...posts,
    accepted,
    ...FRAMES.map((frame) => Buffer.concat([accepted, frame])),
  ];
}

/** Connects, sends a part of the bytes in one or two pieces, and resets the connection at some moment. */
async function attack(port: number, bytes: Buffer, draw: () => number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((done) => socket.once('close', done));
  const connected = new Promise((done) => socket.once('connect', done));
  const sent = draw() < 0.5 ? bytes.length : Math.floor(draw() * bytes.length);
  const cut = Math.floor(draw() * sent);
  const moment = draw();
  if (moment < 0.1) socket.resetAndDestroy();
  await Promise.race([connected, closed]);
  socket.write(bytes.subarray(0, cut));
  if (draw() < 0.3) await sleep(draw() * 3);
  socket.write(bytes.subarray(cut, sent));
  if (moment < 0.5) setImmediate(() => socket.resetAndDestroy());
  else if (moment < 0.7) socket.once('data', () => socket.resetAndDestroy());
  else if (moment < 0.8) socket.end();
  // Where nothing is answered, and in the rest.
  if (moment >= 0.5) setTimeout(() => socket.resetAndDestroy(), draw() * 20);
  await closed;
}

/** Makes so many connections, several at a time, for as long as the server runs; returns how many it made. */
async function attackMany(server: Server, count: number, attacks: Buffer[]): Promise<number> {
  const draw = uniform();
  let made = 0;
  const client = async () => {
    while (made < count && isRunning(server)) {
      made++;
      await attack(server.port, attacks[Math.floor(draw() * attacks.length)]!, draw);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return made;
}

describe(`connections that are reset at random moments, LOCUS_SEED=${SEED}`, () => {
  let folder: string;
  let repository: string;
  let server: Server;
  before(async () => {
    folder = temporaryFolder();
    writeFiles(join(folder, 'pages'), { 'index.html': '<!doctype html><title>Locus</title>' });
    repository = gitRepository({ 'shop/cart.py': 'def total(items):\n    return sum(items)\n' });
    server = await serve({
      port: 0,
      dataDir: join(folder, 'data'),
      allowedRoot: repository,
      rendererFolder: join(folder, 'pages'),
      mcp: { folders: [repository] },
    });
  });
  after(() => {
    server?.child.kill();
    removeFolder(folder);
    removeFolder(repository);
  });

  it('end a server that expects none', async () => {
    const plain = await serve(null);
    const attacks = listAttacks(plain);
    const made = await attackMany(plain, 20_000, attacks);
    assert.equal(isRunning(plain), false, `it runs after ${made} connections`);
    assert.match(plain.errors(), /ECONNRESET|EPIPE/);
  });

  it('leave Locus answering, quiet, and without what they held', async (t) => {
    const { client, close } = await openWindow(server.url);
    t.after(close);
    const before = await server.countConnections();
    let isOver = false;
    let answered = 0;
    const asking = (async () => {
      while (!isOver && isRunning(server)) {
        await client.call('recent.list', {});
        answered++;
      }
    })();
    const count = rounds(300);
    const made = await attackMany(server, count, listAttacks(server));
    isOver = true;
    assert.equal(isRunning(server), true, `ended after ${made}: ${server.errors()}`);
    await asking;
    assert.ok(made === count && answered > 0);
    while ((await server.countConnections()) > before) await sleep(20);
    assert.equal(server.errors(), '');
  });

  describe('and connections that stay', () => {
    interface Held {
      socket: Socket;
      /** Resolves when the server ends or resets the connection. */
      over: Promise<unknown>;
    }

    /** Connects so often and sends the bytes on each connection. */
    async function hold(port: number, count: number, bytes: string): Promise<Held[]> {
      const held = Array.from({ length: count }, () => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => {});
        const over = Promise.race(
          ['end', 'close'].map((event) => new Promise((done) => socket.once(event, done))),
        );
        return { socket, over };
      });
      for (const { socket } of held) socket.resume().write(bytes);
      return held;
    }
    const release = (held: Held[]) => {
      for (const { socket } of held) socket.destroy();
    };
    const HELD = 300;
    const UNFINISHED = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ';

    it('make room for others, the oldest first, where they show no token', async (t) => {
      const plain = await serve(null);
      t.after(() => plain.child.kill());
      const kept = await hold(plain.port, HELD, UNFINISHED);
      // Without a limit all of them are open together.
      while ((await plain.countConnections()) < HELD) await sleep(20);
      release(kept);

      const { client, close } = await openWindow(server.url);
      t.after(close);
      const held = await hold(server.port, HELD, UNFINISHED);
      await held[0]?.over;
      assert.ok((await server.countConnections()) < HELD);
      await client.call('recent.list', {});
      release(held);
    });

    it('are closed when their headers do not end', async () => {
      const [slow] = await hold(server.port, 1, UNFINISHED);
      const drip = setInterval(() => slow?.socket.write('x'), 100);
      await slow?.over;
      clearInterval(drip);
      slow?.socket.destroy();
    });

    it('are closed when they were refused, though the client leaves them open', async () => {
      const upgrade =
        'GET /engine HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
      const before = await server.countConnections();
      const refused = await hold(server.port, 20, upgrade);
      while ((await server.countConnections()) > before) await sleep(20);
      release(refused);
      assert.equal(server.errors(), '');
    });
  });
});
