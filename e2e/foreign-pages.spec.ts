/** Attacks by pages of other sites, and of other ports on this machine, in a browser that has Locus open. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WebSocket as ProgramSocket, WebSocketServer } from 'ws';
import { launchChromium } from '../scripts/browsers.ts';
import { type RunningServer, startServer } from '../src/server/server.ts';
import { ENGINE_PROTOCOL, TOKEN_KEY } from '../src/shared/app-page.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../test/support/repository.ts';
import { hashFor } from './support.ts';

const SECRET = 'the secret of the target';
const EVIL = 'evil.example';

/** Server of the test, with the requests that it received. */
interface Place {
  server: Server;
  port: number;
  asked: IncomingMessage[];
}

async function listen(server: Server, port = 0): Promise<Place> {
  const asked: IncomingMessage[] = [];
  server.on('request', (message) => asked.push(message));
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { server, port: (server.address() as AddressInfo).port, asked };
}

const serveAttacker = (port?: number) =>
  listen(
    createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>attacker</title>');
    }),
    port,
  );

/** Starts a server that, unlike Locus, lets every page read, frame and include it. */
async function servePermissively(): Promise<Place> {
  const types: Record<string, string> = {
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
    events: 'text/event-stream',
  };
  const bodies: Record<string, string> = {
    '.js': '"ran"',
    '.css': 'a { color: red }',
    '.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    events: `data: ${SECRET}\n\n`,
  };
  const page = `<!doctype html><title>${SECRET}</title><script>opener?.postMessage('${SECRET}', '*')</script>`;
  const server = createServer(({ url = '/', headers }, response) => {
    const kind = Object.keys(types).find((end) => url.endsWith(end)) ?? '';
    response.writeHead(200, {
      'Content-Type': types[kind] ?? 'text/html',
      'Access-Control-Allow-Origin': headers.origin ?? '*',
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Headers': 'authorization, content-type',
    });
    response.end(bodies[kind] ?? page);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (message, socket, head) => {
    sockets.handleUpgrade(message, socket, head, (webSocket) => webSocket.send(SECRET));
  });
  return listen(server);
}

/** Paths of a target's files to attack. */
interface Files {
  script: string;
  style: string;
  image: string;
}

/** Runs in the attacker's page. Returns the attacks that led to something of the target. */
async function attackFromPage({
  target,
  files,
}: {
  target: string;
  files: Files;
}): Promise<string[]> {
  const patience = <T>(answer: Promise<T>) =>
    Promise.race([answer, new Promise<null>((done) => setTimeout(done, 3_000, null))]);
  const loads = (element: HTMLElement, set: () => void) =>
    new Promise<boolean>((done) => {
      element.onload = () => done(true);
      element.onerror = () => done(false);
      set();
      document.head.append(element);
    });
  const reads = async (path: string, options: RequestInit) => {
    const answer = await fetch(target + path, options);
    return answer.type !== 'opaque' && answer.ok && (await answer.text()) !== '';
  };
  const hears = (source: EventTarget) =>
    new Promise<boolean>((done) => {
      source.addEventListener('message', () => done(true));
      source.addEventListener('error', () => done(false));
    });
  const socket = (protocols: string[]) =>
    hears(new WebSocket(`${target.replace('http', 'ws')}/engine`, protocols));
  const opens = async (path: string) => {
    const answered = new Promise<boolean>((done) => {
      window.addEventListener('message', () => done(true), { once: true });
    });
    const opened = window.open(target + path, '_blank', 'popup');
    opened?.postMessage('locus:engine', '*', [new MessageChannel().port1]);
    const result = await patience(answered);
    opened?.close();
    return result;
  };
  const script = document.createElement('script');
  const module = Object.assign(document.createElement('script'), { type: 'module' });
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet' });
  const image = document.createElement('img');
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const authorization = 'Bearer guess';
  const attacks: Record<string, () => Promise<unknown>> = {
    'a page by fetch': () => reads('/', { credentials: 'include' }),
    'a page by simple fetch': () => reads('/', { credentials: 'omit' }),
    'the engine by fetch': () => reads('/engine', { headers: { authorization } }),
    'agents by fetch': () => reads('/mcp', { method: 'POST', body: call, credentials: 'include' }),
    'agents by JSON': () =>
      reads('/mcp', {
        method: 'POST',
        body: call,
        headers: { 'content-type': 'application/json' },
      }),
    'a socket': () => socket([]),
    events: () => hears(new EventSource(`${target}/events`, { withCredentials: true })),
    'a script': () =>
      loads(script, () => {
        script.src = target + files.script;
      }),
    'a module': () =>
      loads(module, () => {
        module.src = target + files.script;
      }),
    'a style': () =>
      loads(style, () => {
        style.href = target + files.style;
      }),
    'an image': () =>
      loads(image, () => {
        image.src = target + files.image;
      }),
    'a window': () => opens('/'),
    'a window with a guess': () => opens('/?token=guess'),
  };
  const led: string[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    if (await patience(attack().catch(() => false))) led.push(name);
  }
  // The page cannot see what these lead to: the test looks at the responses. Browsers refuse some for every target.
  await patience(
    fetch(`${target}/mcp`, { method: 'POST', mode: 'no-cors', body: call }).catch(() => {}),
  );
  await patience(socket(['locus', 'guess']).catch(() => {}));
  await navigator.serviceWorker?.register(target + files.script).catch(() => {});
  const frame = Object.assign(document.createElement('iframe'), { name: 'frame' });
  document.body.append(frame);
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    enctype: 'text/plain',
    action: `${target}/mcp`,
    target: 'frame',
  });
  document.body.append(form);
  const submitted = new Promise((done) => frame.addEventListener('load', done, { once: true }));
  form.submit();
  await patience(submitted);
  const framed = new Promise((done) => frame.addEventListener('load', done, { once: true }));
  frame.src = `${target}/`;
  await patience(framed);
  return led;
}

const ALL = [
  'a page by fetch',
  'a page by simple fetch',
  'the engine by fetch',
  'agents by fetch',
  'agents by JSON',
  'a socket',
  'events',
  'a script',
  'a module',
  'a style',
  'an image',
  'a window',
  'a window with a guess',
];

describe('pages of other sites', () => {
  let folder: string;
  let repository: string;
  let locus: RunningServer;
  let permissive: Place;
  let attacker: Place;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let files: Files;

  before(async () => {
    folder = temporaryFolder('locus-e2e-');
    repository = gitRepository({ 'shop/cart.py': 'def total(items):\n    return sum(items)\n' });
    locus = await startServer({
      port: 0,
      dataDir: join(folder, 'data'),
      allowedRoot: repository,
      mcp: { folders: [repository] },
    });
    [permissive, attacker] = await Promise.all([servePermissively(), serveAttacker()]);
    browser = await launchChromium([
      `--host-resolver-rules=MAP ${EVIL} 127.0.0.1`,
      '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights',
      '--disable-popup-blocking',
    ]);
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(locus.url);
    await page.getByRole('heading', { name: 'Where do I edit for this issue?' }).waitFor();
    const attribute = (selector: string, name: string) =>
      page.locator(selector).first().getAttribute(name);
    const path = (url: string | null) => new URL(url ?? '', locus.url).pathname;
    files = {
      script: path(await attribute('script[src]', 'src')),
      style: path(await attribute('link[rel=stylesheet]', 'href')),
      image: path(await attribute('link[rel=icon]', 'href')),
    };
  });
  after(async () => {
    await browser?.close();
    await locus?.close();
    for (const { server } of [permissive, attacker]) {
      server.closeAllConnections();
      server.close();
    }
    removeFolder(folder);
    removeFolder(repository);
  });

  /** Attacks from a page at this host; returns what led to something, statuses of answers, and what is framed. */
  async function attackFrom(host: string, port: number, targetFiles: Files) {
    const attacking = await context.newPage();
    const statuses = new Set<number>();
    const target = `http://127.0.0.1:${port}`;
    const record = (message: { url(): string; status(): number }) => {
      if (message.url().startsWith(target)) statuses.add(message.status());
    };
    context.on('response', record);
    await attacking.goto(`http://${host}:${attacker.port}/`);
    const led = await attacking.evaluate(attackFromPage, { target, files: targetFiles });
    const frames = attacking.frames().filter((frame) => frame.url().startsWith(target));
    await attacking.close();
    context.off('response', record);
    return { led, statuses: [...statuses], framed: frames.length > 0 };
  }

  for (const host of [EVIL, '127.0.0.1', 'localhost']) {
    it(`at ${host} can read, run and show a permissive target (control)`, async () => {
      const own = { script: '/a.js', style: '/a.css', image: '/a.svg' };
      const { led, statuses, framed } = await attackFrom(host, permissive.port, own);
      assert.deepEqual(led, ALL);
      assert.ok(framed);
      assert.deepEqual(statuses, [200]);
    });

    it(`at ${host} get nothing from Locus`, async () => {
      const engine = locus.enginePid;
      const { led, statuses, framed } = await attackFrom(host, locus.port, files);
      assert.deepEqual(led, []);
      assert.equal(framed, false);
      assert.deepEqual(
        statuses.filter((status) => status < 400),
        [],
      );
      assert.ok(statuses.length > 0);
      assert.equal(locus.enginePid, engine);
      await page.reload();
      await page.getByRole('heading', { name: 'Where do I edit for this issue?' }).waitFor();
    });
  }

  it('cannot impersonate Locus under another name of this machine', async () => {
    const rebound = await context.newPage();
    const open = (port: number) => rebound.goto(`http://${EVIL}:${port}/`);
    assert.equal((await open(permissive.port))?.status(), 200);
    assert.equal((await open(locus.port))?.status(), 403);
    assert.doesNotMatch(await rebound.content(), /<script/);
    await rebound.close();
  });
});

/** A server that knows a browser by its cookie. */
async function serveByCookie(): Promise<Place> {
  const server = createServer((_, response) => {
    response.setHeader('Set-Cookie', 'session=right; HttpOnly; SameSite=Strict').end('welcome');
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (message, socket, head) => {
    if (!message.headers.cookie?.includes('session=right')) return socket.destroy();
    sockets.handleUpgrade(message, socket, head, () => {});
  });
  return listen(server);
}

/** True if a program that sends these headers gets to the engine at a port. */
function isLetIn(
  port: number,
  { cookie = '' }: IncomingMessage['headers'],
  protocols = [ENGINE_PROTOCOL],
): Promise<boolean> {
  const headers = { cookie, origin: `http://127.0.0.1:${port}` };
  const socket = new ProgramSocket(`ws://127.0.0.1:${port}/engine`, protocols, { headers });
  return new Promise((done) => {
    socket.on('error', () => done(false));
    socket.on('open', () => {
      socket.terminate();
      done(true);
    });
  });
}

describe('a server on another port of this machine', () => {
  it('gets no credentials for Locus from the browser, unlike with a cookie', async (t) => {
    const folder = temporaryFolder('locus-e2e-');
    const locus = await startServer({
      port: 0,
      dataDir: join(folder, 'data'),
      allowedRoot: folder,
    });
    const [byCookie, attacker] = await Promise.all([serveByCookie(), serveAttacker()]);
    const browser = await launchChromium();
    t.after(async () => {
      await browser.close();
      await locus.close();
      for (const { server } of [byCookie, attacker]) {
        server.closeAllConnections();
        server.close();
      }
      removeFolder(folder);
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    const start = page.getByRole('heading', { name: 'Where do I edit for this issue?' });
    await page.goto(`http://127.0.0.1:${byCookie.port}/`);
    await page.goto(locus.url);
    await start.waitFor();

    const visitor = await context.newPage();
    await visitor.goto(`http://127.0.0.1:${attacker.port}/`);
    await visitor.evaluate(() => fetch('/again', { credentials: 'include' }));
    assert.ok(attacker.asked.length >= 2);
    const token = new URL(locus.url).searchParams.get('token') ?? '';
    const stored = await visitor.evaluate(() => JSON.stringify({ ...localStorage }));
    assert.ok(!stored.includes(token));
    for (const { headers } of attacker.asked) {
      assert.equal(await isLetIn(byCookie.port, headers), true);
      assert.equal(await isLetIn(locus.port, headers), false);
      assert.ok(!JSON.stringify(headers).includes(token));
    }

    // The page itself keeps it: reloaded, and in another tab.
    await page.reload();
    await start.waitFor();
    const bookmark = await context.newPage();
    await bookmark.goto(`http://127.0.0.1:${locus.port}/`);
    await bookmark.getByRole('heading', { name: 'Where do I edit for this issue?' }).waitFor();
    // A browser that was not given it is told what is missing.
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(`http://127.0.0.1:${locus.port}/`);
    await stranger.getByText('Open the address that Locus printed').waitFor();
  });
});

describe('a program that takes the port of Locus while it is down', () => {
  it('gets an old token and no repository, and is not let in when Locus runs again', async (t) => {
    const folder = temporaryFolder('locus-e2e-');
    const repository = gitRepository({ 'shop/cart.py': 'def total(items):\n    return 0\n' });
    const options = { dataDir: join(folder, 'data'), allowedRoot: repository };
    const first = await startServer({ ...options, port: 0 });
    const { port } = first;
    const browser = await launchChromium();
    let second: RunningServer | undefined;
    t.after(async () => {
      await browser.close();
      await second?.close();
      removeFolder(folder);
      removeFolder(repository);
    });
    const context = await browser.newContext();
    const bookmark = `http://127.0.0.1:${port}/${hashFor(repository)}`;
    const page = await context.newPage();
    await page.goto(first.url);
    await page.getByRole('heading', { name: 'Where do I edit for this issue?' }).waitFor();
    await page.goto(bookmark);
    await page.reload();
    await page.getByText('Up to date').waitFor();
    await first.close();

    const { server, asked } = await serveAttacker(port);
    // The open window tries to connect again, and the user opens the bookmark.
    const asksForEngine = ({ url }: IncomingMessage) => url === '/engine';
    while (!asked.some(asksForEngine)) await page.waitForTimeout(20);
    const visitor = await context.newPage();
    await visitor.goto(bookmark);
    assert.equal(await visitor.title(), 'attacker');
    const stored = await visitor.evaluate(() => ({ ...localStorage }));
    await visitor.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    const requests = asked.map(({ url, headers }) => JSON.stringify([url, headers]));
    assert.ok(!requests.some((request) => request.includes(basename(repository))));

    second = await startServer({ ...options, port });
    const bearers = asked.map(({ headers }) => headers.authorization ?? '');
    assert.ok(bearers.includes(`Bearer ${stored[TOKEN_KEY]}`));
    const origin = `http://127.0.0.1:${port}`;
    for (const authorization of bearers) {
      const answer = await fetch(`${origin}/engine`, { headers: { authorization } });
      assert.equal(answer.status, 401);
      const protocols = [ENGINE_PROTOCOL, authorization.replace('Bearer ', '')].filter(Boolean);
      assert.equal(await isLetIn(port, {}, protocols), false);
    }
    // The bookmark is let in with the new token only.
    const again = await context.newPage();
    await again.goto(bookmark);
    await again.getByText('Open the address that Locus printed').waitFor();
    await (await context.newPage()).goto(second.url);
    await again.getByText('Up to date').waitFor();
  });
});
