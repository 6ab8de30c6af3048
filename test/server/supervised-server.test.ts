import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type ForkedServer,
  type FromServer,
  superviseServer,
  type ToServer,
} from '../../src/server/supervised-server.ts';
import { findRunningServer } from '../../src/services/running-server.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { openWindow } from '../support/served-window.ts';

const SUPERVISE = fileURLToPath(new URL('../support/supervise.ts', import.meta.url));
const linux = {
  skip: process.platform !== 'linux' && 'only Linux lists the children of a process',
};

let folder: string;
let options: { port: number; dataDir: string; allowedRoot: string; rendererFolder: string };
before(() => {
  folder = temporaryFolder();
  const rendererFolder = join(folder, 'pages');
  writeFiles(rendererFolder, { 'index.html': '<!doctype html><title>Locus</title>' });
  options = { port: 0, dataDir: join(folder, 'data'), allowedRoot: folder, rendererFolder };
});
after(() => removeFolder(folder));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const gone = async (...pids: number[]) => {
  while (pids.some(isAlive)) await sleep(20);
};

/** Supervisor in its own process, with its server and the engine. */
async function supervise(t: TestContext) {
  const child = spawn(process.execPath, [SUPERVISE, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  while (!printed.includes('token=')) await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  const [host = 0] = childrenOf(pid);
  while (childrenOf(host).length === 0) await sleep(20);
  const [engine = 0] = childrenOf(host);
  return { child, pid, host, engine, url: printed.trim(), printed: () => printed };
}

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const exit = once(child, 'exit');
  child.kill(signal);
  return exit;
};

describe('a supervised server', linux, () => {
  it('restarts at the same address after a kill, and leaves no child processes', async (t) => {
    const { child, pid, host, engine, url, printed } = await supervise(t);
    const before = await openWindow(url);
    await before.client.call('recent.list', {});
    process.kill(host, 'SIGKILL');
    await gone(host, engine);
    while (!printed().includes('SIGKILL') || (await findRunningServer(options.dataDir)) === null) {
      await sleep(20);
    }
    assert.equal(await findRunningServer(options.dataDir), url);
    const next = await openWindow(url);
    await next.client.call('recent.list', {});
    const [second = 0] = childrenOf(pid);
    assert.notEqual(second, host);
    const [secondEngine = 0] = childrenOf(second);
    before.close();
    next.close();
    assert.deepEqual(await end(child, 'SIGTERM'), [0, null]);
    await gone(second, secondEngine);
    assert.deepEqual(readdirSync(join(options.dataDir, 'servers')), []);
  });

  it('keeps running when its engine is killed', async (t) => {
    const { child, pid, host, engine, url, printed } = await supervise(t);
    process.kill(engine, 'SIGKILL');
    await gone(engine);
    const window = await openWindow(url);
    await window.client.call('recent.list', {});
    window.close();
    assert.deepEqual(childrenOf(pid), [host]);
    assert.equal(printed().trim(), url);
    await end(child, 'SIGTERM');
    await gone(host);
  });

  it('exits with its supervisor, even if that is killed', async (t) => {
    const { child, host, engine } = await supervise(t);
    await end(child, 'SIGKILL');
    await gone(host, engine);
    assert.equal(await findRunningServer(options.dataDir), null);
    assert.deepEqual(readdirSync(join(options.dataDir, 'servers')), []);
  });

  it('does not start if the port is in use, and leaves no process behind', async (t) => {
    const first = await superviseServer(options, () => {});
    t.after(() => first[Symbol.asyncDispose]());
    const { port } = first.address;
    await assert.rejects(
      superviseServer({ ...options, port }, () => {}),
      {
        name: 'LocusError',
        code: 'busy',
        remedy: /--port/,
      },
    );
    assert.equal(childrenOf(process.pid).length, 1);
    await first[Symbol.asyncDispose]();
    assert.deepEqual(childrenOf(process.pid), []);
  });
});

/** Fake server that the test can make crash. */
class FakeHost implements ForkedServer {
  pid = undefined;
  sent: ToServer[] = [];
  #exit: (reason: string) => void = () => {};
  #message: (message: FromServer) => void = () => {};
  send(message: ToServer): void {
    this.sent.push(message);
  }
  onMessage(listener: (message: FromServer) => void): void {
    this.#message = listener;
  }
  onExit(listener: (reason: string) => void): void {
    this.#exit = listener;
  }
  say(message: FromServer): void {
    this.#message(message);
  }
  end(reason: string): void {
    this.#exit(reason);
  }
  stop(): void {
    this.#exit('exit code 0');
  }
  kill(): void {}
}

describe('a server that crashes', () => {
  const address = { url: 'http://127.0.0.1:4747/?token=x', mcp: null, port: 4747 };

  /** Supervisor of fake servers. */
  function superviseFakes() {
    const hosts: FakeHost[] = [];
    const reasons: string[] = [];
    const start = () => {
      hosts.push(new FakeHost());
      return hosts.at(-1)!;
    };
    const server = superviseServer({ port: 0 }, (reason) => reasons.push(reason), start);
    return { server, hosts, reasons };
  }

  it('gets the same port and token, and is not restarted after five crashes in a row', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const { server, hosts, reasons } = superviseFakes();
    hosts[0]!.say({ type: 'listening', address });
    const { failed } = await server;
    for (let n = 0; n < 5; n++) {
      hosts.at(-1)!.end('SIGSEGV');
      test.mock.timers.tick(60_000 - 1);
    }
    await assert.rejects(failed, /crashed 5 times in a row: SIGSEGV/);
    test.mock.timers.tick(60_000);
    assert.equal(hosts.length, 5);
    assert.equal(reasons.length, 4);
    const told = hosts.flatMap(({ sent: [first] }) =>
      first?.type === 'serve' ? first.options : [],
    );
    assert.equal(new Set(told.map(({ token }) => token)).size, 1);
    assert.deepEqual(
      told.map(({ port }) => port),
      [0, 4747, 4747, 4747, 4747],
    );
  });

  it('is given up if it cannot start, or if another program uses its port', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const never = superviseFakes();
    never.hosts[0]!.end('exit code 1');
    await assert.rejects(never.server, /could not start: exit code 1/);

    const { server, hosts } = superviseFakes();
    hosts[0]!.say({ type: 'listening', address });
    const { failed } = await server;
    hosts[0]!.end('SIGKILL');
    test.mock.timers.tick(1);
    const failure = {
      code: 'busy',
      message: 'The port is taken.',
      remedy: 'Choose another.',
    } as const;
    hosts[1]!.say({ type: 'failed', failure });
    await assert.rejects(failed, { code: 'busy' });
    test.mock.timers.tick(60_000);
    assert.equal(hosts.length, 2);
    assert.equal(never.hosts.length, 1);
  });
});
