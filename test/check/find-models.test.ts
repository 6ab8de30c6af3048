import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findModels, listKnownServers } from '../../src/services/check/find-models.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

describe('the search for models on this machine', () => {
  const running: Server[] = [];
  afterEach(async () => {
    await Promise.all(
      running.splice(0).map((server) => {
        (server as Partial<import('node:http').Server>).closeAllConnections?.();
        return new Promise((closed) => server.close(closed));
      }),
    );
  });

  async function listen(server: Server): Promise<string> {
    running.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const serve = (listener: RequestListener) => listen(createHttpServer(listener));
  const list = (...names: unknown[]) =>
    serve((_, response) => response.end(JSON.stringify({ data: names.map((id) => ({ id })) })));

  /** Returns the models of the servers that were found at these origins. */
  async function find(
    origins: string[],
    options: { timeoutMs?: number; signal?: AbortSignal } = {},
  ) {
    const { servers } = await findModels({
      env: {},
      signal: new AbortController().signal,
      servers: origins.map((origin, at) => ({ title: `server ${at}`, origin })),
      ...options,
    });
    return servers.map(({ title, address, models }) => [title, address, ...models]);
  }

  it('asks each server for its models, without credentials', async () => {
    const asked: unknown[] = [];
    const origin = await serve(({ method, url, headers }, response) => {
      asked.push([method, url, Object.keys(headers).sort()]);
      response.end(
        '{"object": "list", "data": [{"id": "qwen:7b"}, {"id": "qwen:7b"}, {"id": "b"}]}',
      );
    });
    const none = await list();
    assert.deepEqual(await find([origin, none]), [
      ['server 0', `${origin}/v1`, 'qwen:7b', 'b'],
      ['server 1', `${none}/v1`],
    ]);
    assert.deepEqual(asked, [['GET', '/v1/models', ['accept', 'connection', 'host']]]);
  });

  it('skips what does not answer like a model server', async () => {
    let redirected = 0;
    const target = await serve((_, response) => {
      redirected++;
      response.end('{"data": [{"id": "m"}]}');
    });
    const closed = await list('m');
    await new Promise((done) => running.pop()?.close(done));
    const origins = [
      closed,
      await serve((_, response) =>
        response.writeHead(302, { location: `${target}/v1/models` }).end(),
      ),
      await serve((_, response) => response.writeHead(401).end('{"data": [{"id": "m"}]}')),
      await serve((_, response) => response.end('<h1>Jenkins</h1>')),
      await serve((_, response) => response.end('{"data": {"id": "m"}}')),
      await serve((_, response) => response.end('{"data": [{"name": "m"}]}')),
      await listen(createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'))),
      await listen(createServer((socket) => socket.destroy())),
    ];
    assert.deepEqual(await find(origins), []);
    assert.equal(redirected, 0);
  });

  it('does not wait for a slow server', async () => {
    const silent = await serve(() => {});
    const endless = await serve((_, response) => void response.write('{"data": ['));
    assert.deepEqual(await find([silent, endless], { timeoutMs: 50 }), []);
    const controller = new AbortController();
    const found = find([silent], { timeoutMs: 60_000, signal: controller.signal });
    controller.abort();
    await assert.rejects(found, { code: 'cancelled' });
  });

  it('stops reading a huge answer', async () => {
    let sent = 0;
    const part = 'x'.repeat(64_000);
    const huge = await serve((_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(part)) sent += part.length;
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    });
    assert.deepEqual(await find([huge], { timeoutMs: 60_000 }), []);
    assert.ok(sent < 50_000_000, `${sent} characters were sent`);
  });

  it('drops names that no model has, and models that only embed', async () => {
    const origin = await list(
      'good',
      '',
      'two\nlines',
      'bell\u0007',
      'right\u202eleft',
      'x'.repeat(301),
      'y'.repeat(900_000),
      'nomic-embed-text',
      'text-embedding-3',
    );
    const number = await list(7);
    const many = await list(...Array.from({ length: 1000 }, (_, at) => `m${at}`));
    const [[, , ...names], [, , ...first]] = (await find([
      origin,
      number,
      many,
    ])) as unknown as string[][];
    assert.deepEqual(names, ['good']);
    assert.equal(first.length, 200);
  });

  it('asks this machine only', () => {
    const origins = (host: string) => listKnownServers({ OLLAMA_HOST: host })[0]?.origin;
    assert.deepEqual(
      listKnownServers({}).map(({ title, origin }) => `${title} ${origin}`),
      [
        'Ollama http://127.0.0.1:11434',
        'LM Studio http://127.0.0.1:1234',
        'llama.cpp http://127.0.0.1:8080',
        'vLLM http://127.0.0.1:8000',
      ],
    );
    assert.equal(origins('127.0.0.1:5000'), 'http://127.0.0.1:5000');
    assert.equal(origins('http://localhost:5000/'), 'http://localhost:5000');
    assert.equal(origins('0.0.0.0'), 'http://127.0.0.1:11434');
    for (const host of [
      'models.example:11434',
      'https://127.0.0.1',
      'http://user:secret@127.0.0.1',
      '127.0.0.1@models.example',
      'not a host',
    ])
      assert.equal(origins(host), 'http://127.0.0.1:11434', host);
  });

  it('goes around a proxy that Node is told to use', async () => {
    const origin = await list('m');
    const module = new URL('../../src/services/check/find-models.ts', import.meta.url);
    const script = `import { findModels } from '${module}';
      const servers = [{ title: 'it', origin: '${origin}' }];
      const found = await findModels({ env: {}, signal: new AbortController().signal, servers });
      console.log(found.servers.length);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' } },
    );
    assert.equal(stdout.trim(), '1');
  });

  it('looks for agents without running them', { skip: process.platform === 'win32' }, async () => {
    const folder = temporaryFolder();
    const ran = join(folder, 'ran');
    for (const name of ['claude', 'gemini', 'codex']) {
      writeFileSync(join(folder, name), `#!/bin/sh\ntouch ${ran}\n`);
      chmodSync(join(folder, name), name === 'codex' ? 0o644 : 0o755);
    }
    const { agents } = await findModels({
      env: { PATH: folder },
      signal: new AbortController().signal,
      servers: [],
    });
    assert.deepEqual(agents, [
      { title: 'Claude Code', address: 'agent:claude' },
      { title: 'Gemini CLI', address: 'agent:gemini' },
    ]);
    assert.equal(existsSync(ran), false);
    removeFolder(folder);
  });
});
