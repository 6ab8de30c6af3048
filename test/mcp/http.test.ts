import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { type Agent, cancellingEndsTheWork, ERAS, httpAgent, SHOP } from './agent.ts';
import { hasManners } from './manners.ts';

let folder: string;
let shop: string;
let server: RunningServer;
let mcp: { url: string; token: string };

const start = (repository: string, data: string, withAgents = true) =>
  startServer({
    port: 0,
    dataDir: join(folder, data),
    allowedRoot: repository,
    rendererFolder: join(folder, 'pages'),
    mcp: withAgents ? { folders: [repository] } : undefined,
  });

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

/** The status of a request whose headers go out as they are. */
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

describe('the way to /mcp', () => {
  it('is open with the token alone, and to no page of another site or name', async () => {
    const { port } = server;
    const authorization = `Bearer ${mcp.token}`;
    assert.equal(await post(port, { authorization }), 200);
    assert.equal(await post(port, {}), 401);
    assert.equal(await post(port, { authorization: 'Bearer wrong' }), 401);
    assert.equal(await post(port, { authorization: mcp.token }), 401);
    assert.equal(await post(port, { authorization, host: 'evil.example' }), 403);
    assert.equal(await post(port, { authorization, origin: 'http://evil.example' }), 403);
    const welcome = await fetch(server.url);
    const cookie = welcome.headers.get('set-cookie')!.split(';')[0]!;
    assert.equal(await post(port, { cookie }), 401);
  });

  it('is not there unless asked for', async () => {
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

  it('leads to nothing outside of what serve allows', async () => {
    const outside = startServer({
      port: 0,
      dataDir: join(folder, 'outside'),
      allowedRoot: shop,
      rendererFolder: join(folder, 'pages'),
      mcp: { folders: [folder] },
    });
    await assert.rejects(outside, /is outside of/);
  });
});

describe('while an index is made, over HTTP', () => {
  it('progress is told, and a client that leaves ends the work', async () => {
    const large = realpathSync(gitRepository(syntheticPackage(1500)));
    const other = await start(large, 'large');
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
