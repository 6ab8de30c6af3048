import assert from 'node:assert/strict';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import { scaleRounds, uniform } from '../support/effort.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { slowReads, startSlowly } from '../support/slow-reads.ts';
import {
  type Agent,
  cancellingEndsTheWork,
  codeOf,
  ERAS,
  httpAgent,
  SHOP,
  untilIdle,
} from './agent.ts';
import { hasManners } from './conventions.ts';

let folder: string;
let shop: string;
let server: RunningServer;
let mcp: { url: string; token: string };

function start(repository: string, data: string, withAgents = true): Promise<RunningServer> {
  const dataDir = join(folder, data);
  installSecondModel(dataDir);
  return startServer({
    port: 0,
    dataDir,
    allowedRoot: repository,
    rendererFolder: join(folder, 'pages'),
    mcp: withAgents ? { folders: [repository] } : undefined,
  });
}

before(async () => {
  folder = realpathSync(temporaryFolder());
  writeFiles(join(folder, 'pages'), { 'index.html': '<!doctype html><title>Locus</title>' });
  shop = realpathSync(gitRepository(SHOP));
  server = await start(shop, 'data');
  assert.ok(server.mcp);
  mcp = server.mcp;
});
after(async () => {
  await server?.close();
  removeFolder(folder);
  removeFolder(shop);
});

for (const era of ERAS) {
  describe(`locus serve --mcp, ${era}`, () => {
    let agent: Agent;
    before(async () => {
      agent = await httpAgent(mcp.url, mcp.token, era);
    });
    after(() => agent.close());
    hasManners(
      () => agent,
      () => shop,
    );
  });
}

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** Returns the status of a request whose headers are sent unchanged. */
function post(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: all }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', reject)
      .end(LIST);
  });
}

describe('the endpoint /mcp', () => {
  it('requires the token, and refuses pages of other sites and hosts', async () => {
    const { port } = server;
    const authorization = `Bearer ${mcp.token}`;
    assert.equal(await post(port, { authorization }), 200);
    assert.equal(await post(port, {}), 401);
    assert.equal(await post(port, { authorization: 'Bearer wrong' }), 401);
    assert.equal(await post(port, { authorization: mcp.token }), 401);
    assert.equal(await post(port, { authorization, host: 'evil.example' }), 403);
    assert.equal(await post(port, { authorization, origin: 'http://evil.example' }), 403);
    assert.equal(await post(port, { authorization, 'sec-fetch-site': 'same-site' }), 403);
  });

  it('does not exist unless requested', async () => {
    const without = await start(shop, 'without', false);
    try {
      assert.equal(without.mcp, null);
      const { port } = without;
      const token = new URL(without.url).searchParams.get('token');
      assert.equal(await post(port, { authorization: `Bearer ${token}` }), 405);
    } finally {
      await without.close();
    }
  });

  it('refuses folders outside of the allowed root', async () => {
    const outside = startServer({
      port: 0,
      dataDir: join(folder, 'outside'),
      allowedRoot: shop,
      rendererFolder: join(folder, 'pages'),
      mcp: { folders: [folder] },
    });
    await assert.rejects(outside, /Only folders in .* can be opened here/);
  });
});

/** Sends a message without its last byte, which `finish` sends. */
async function sendAllButTheEnd(port: number, authorization: string, body: string) {
  const headers = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': body.length,
  };
  const sending = request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers });
  const status = once(sending, 'response').then(([answer]) => answer.resume().statusCode as number);
  await new Promise<void>((sent, failed) => {
    sending.once('error', failed).write(body.slice(1), () => sent());
  });
  return {
    finish: () => {
      sending.end(body[0]);
      return status;
    },
  };
}

describe('a message over HTTP that is too large', () => {
  it('is refused with its size, and its memory is released', async () => {
    const authorization = `Bearer ${mcp.token}`;
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const send = (body: string) => fetch(mcp.url, { method: 'POST', headers, body });
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', x: 'x'.repeat(65e6) });
    for (let n = 0; n < 2; n++) {
      const refused = await send(large);
      assert.equal(refused.status, 413);
      assert.match(await refused.text(), new RegExp(`has ${large.length} bytes`));
    }
    assert.equal((await send(LIST)).status, 200);
    // Three large invalid messages: memory suffices for two at a time.
    const largest = 'x'.repeat(63e6);
    const held = await Promise.all(
      [1, 2].map(() => sendAllButTheEnd(server.port, authorization, largest)),
    );
    const third = (await send(largest)).status;
    const others = await Promise.all(held.map((message) => message.finish()));
    assert.deepEqual([third, ...others].sort(), [400, 400, 503]);
    assert.equal((await send(largest)).status, 400);
    assert.equal((await send(LIST)).status, 200);
  });
});

describe('two agents of one server', () => {
  const files = syntheticPackage(60);
  const issue = 'merge_session_21 raises without a value';

  /** Sends requests repeatedly, cancels or disconnects at some point, and ignores the answers. */
  async function behaveBadly(
    port: number,
    token: string,
    draw: () => number,
    isOver: () => boolean,
  ) {
    while (!isOver()) {
      const call = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'locate', arguments: { query: issue, waitSeconds: 20 } },
      });
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      const closed = new Promise((done) => socket.once('close', done));
      const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${call.length}`;
      const bytes = `POST /mcp HTTP/1.1\r\n${headers}\r\n\r\n${call}`;
      socket.write(draw() < 0.3 ? bytes.slice(0, Math.floor(draw() * bytes.length)) : bytes);
      setTimeout(() => (draw() < 0.5 ? socket.resetAndDestroy() : socket.destroy()), draw() * 300);
      await closed;
    }
  }

  it('both get correct answers, while files change and a third one disconnects', async (t) => {
    const large = realpathSync(gitRepository(files));
    const other = await start(large, 'two');
    t.after(async () => {
      await other.close();
      removeFolder(large);
    });
    const { url, token } = other.mcp!;
    const agents = await Promise.all(ERAS.map((era) => httpAgent(url, token, era)));
    const draw = uniform();
    let isOver = false;
    const bad = [0, 1].map(() => behaveBadly(other.port, token, draw, () => isOver));
    const heard = t.mock.method(console, 'error');

    // During indexing.
    const ready = await Promise.all(agents.map((agent) => agent.ready(issue)));
    for (const { value } of ready) assert.equal(value.results[0].name, 'merge_session_21');
    for (let n = 0; n < scaleRounds(4); n++) {
      const name = `fresh_function_${n}`;
      const path = `pkg/fresh_${n % 3}.py`;
      writeFiles(large, { [path]: `def ${name}():\n    return ${n}\n` });
      const read = await Promise.all(agents.map((agent) => agent.call('read', { names: [name] })));
      for (const { value, text } of read) {
        const [one] = value?.functions ?? [];
        assert.equal(one?.path, path, text);
        assert.match(codeOf(one), new RegExp(`return ${n}$`));
      }
      const cancelling = new AbortController();
      const cancelled = agents[1]!.call('locate', { query: name }, { signal: cancelling.signal });
      setTimeout(() => cancelling.abort(), draw() * 20);
      const [, found] = await Promise.allSettled([
        cancelled,
        agents[0]!.call('locate', { query: `${name} is wrong`, waitSeconds: 60 }),
      ]);
      assert.equal(found.status === 'fulfilled' && found.value.value.results[0].name, name);
    }
    isOver = true;
    await Promise.all(bad);
    assert.equal(heard.mock.callCount(), 0);
    for (const agent of agents) assert.equal(await untilIdle(agent), 'complete');
    await Promise.all(agents.map((agent) => agent.close()));
  });
});

describe('while an index is built, over HTTP', () => {
  it('progress is reported, and a disconnect cancels the work', async () => {
    const large = realpathSync(gitRepository(syntheticPackage(100)));
    const slow = slowReads(large, folder, 30);
    const other = await startSlowly(slow, () => start(large, 'large'));
    try {
      const agent = await httpAgent(other.mcp!.url, other.mcp!.token, 'modern');
      await cancellingEndsTheWork(agent);
      await agent.close();
    } finally {
      await other.close();
      removeFolder(large);
    }
  });
});
