import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { slowReads } from '../support/slow-reads.ts';
import {
  type Agent,
  cancellingEndsTheWork,
  ERAS,
  ISSUE,
  LOCUS,
  names,
  type Place,
  SHOP,
  stdioAgent,
  untilIdle,
} from './agent.ts';
import { hasManners } from './conventions.ts';

let dataDir: string;
let shop: string;
/** Repository that takes a while to index, in a process with these variables. */
let large: string;
let slow: Record<string, string>;
const folders: string[] = [];
const made = (folder: string) => {
  folders.push(folder);
  return realpathSync(folder);
};

before(() => {
  dataDir = made(temporaryFolder());
  installSecondModel(dataDir);
  shop = made(gitRepository(SHOP));
  large = made(gitRepository(syntheticPackage(100)));
  slow = { NODE_OPTIONS: slowReads(large, made(temporaryFolder()), 30) };
});
after(() => folders.forEach(removeFolder));

async function readOne(agent: Agent, name: string, repository?: string): Promise<Place> {
  const { value } = await agent.call('read', { names: [name], ...(repository && { repository }) });
  return value.functions[0];
}

for (const era of ERAS) {
  describe(`locus mcp, ${era}`, () => {
    let agent: Agent;
    before(async () => {
      agent = await stdioAgent({ dataDir, args: ['--repo', shop], era });
    });
    after(() => agent.close());
    hasManners(
      () => agent,
      () => shop,
    );
  });

  describe(`roots of the client, ${era}`, () => {
    it('limit what can be asked, as they are at each call', async () => {
      const other = made(gitRepository({ 'other.py': 'def other():\n    return 1\n' }));
      const agent = await stdioAgent({ dataDir, roots: [shop], era });
      try {
        assert.equal((await readOne(agent, 'rounded')).name, 'rounded');
        assert.match(
          await agent.fails('read', { names: ['other'], repository: other }),
          /is unknown\. Available.*open the folder in the client/s,
        );
        agent.roots = [shop, other];
        if (era === 'legacy') await agent.client.sendRootsListChanged();
        assert.match(await agent.fails('read', { names: ['other'] }), /more than one/);
        assert.equal((await readOne(agent, 'other', basename(other))).name, 'other');
        const { value: all } = await agent.call('repository_status');
        assert.equal(all.repositories.length, 2);
      } finally {
        await agent.close();
      }
    });
  });
}

describe('the allowed folders', () => {
  it('are those of --repo only, without targets of links or ..', async () => {
    const outside = made(gitRepository({ 'secret.py': 'def secret():\n    return 1\n' }));
    const named = made(gitRepository({ 'part/inside.py': 'def inside():\n    return 1\n' }));
    symlinkSync(outside, join(named, 'link'));
    const agent = await stdioAgent({ dataDir, args: ['--repo', named], roots: [outside] });
    try {
      for (const repository of [
        'link',
        join(named, 'link'),
        `part/../../${basename(outside)}`,
        outside,
      ]) {
        const text = await agent.fails('read', { names: ['secret'], repository });
        assert.match(text, /is unknown\./, repository);
      }
      assert.match(await agent.fails('read', { names: ['secret'] }), /No function/);
      assert.equal((await readOne(agent, 'inside', 'part')).path, 'inside.py');
    } finally {
      await agent.close();
    }
  });

  it('are the git repository of the working directory by default', async () => {
    const agent = await stdioAgent({ dataDir, cwd: join(shop, 'shop') });
    try {
      const { value } = await agent.call('repository_status');
      assert.deepEqual([value.repositories.length, value.repositories[0].path], [1, shop]);
    } finally {
      await agent.close();
    }
  });

  it('are reported as missing once deleted, and the others still answer', async () => {
    const gone = made(gitRepository(SHOP));
    const agent = await stdioAgent({ dataDir, args: ['--repo', shop, '--repo', gone] });
    try {
      await agent.call('locate', { query: ISSUE, repository: gone });
      removeFolder(gone);
      const text = await agent.fails('locate', { query: ISSUE, repository: gone });
      assert.match(text, /is no longer there/);
      const { value } = await agent.call('repository_status');
      const [here, other] = value.repositories;
      assert.deepEqual([here.path, other.path, other.state], [shop, gone, 'failed']);
      assert.match(other.notes.join(), /does not exist/);
    } finally {
      await agent.close();
    }
  });

  it('are none outside of a repository, which every tool reports with a remedy', async () => {
    const nowhere = made(temporaryFolder());
    const agent = await stdioAgent({ dataDir, cwd: nowhere });
    try {
      assert.match(await agent.fails('locate', { query: ISSUE }), /No repository.*--repo/s);
      assert.match(await agent.fails('repository_status'), /No repository.*--repo/s);
    } finally {
      await agent.close();
    }
  });
});

describe('while an index is built', () => {
  it('an answer comes in time, says that it is partial, and later ones have more', async () => {
    const agent = await stdioAgent({ dataDir, args: ['--repo', large], env: slow });
    try {
      const issue = 'merge_session_21 raises without a value';
      const first = await agent.call('locate', { query: issue, waitSeconds: 0 });
      assert.ok(first.value.partial.retryAfterSeconds >= 1);
      assert.equal(first.value.confidence, null);
      assert.match(first.text, /partial: .*; repeat the call in about \d+ s for more results/);
      const { value } = await agent.ready(issue);
      assert.equal(value.results[0].name, 'merge_session_21');
    } finally {
      await agent.close();
    }
  });

  it('progress is reported, and never decreases', async () => {
    const fresh = made(temporaryFolder());
    const agent = await stdioAgent({ dataDir: fresh, args: ['--repo', large], env: slow });
    try {
      const told: { progress: number; total?: number; message?: string }[] = [];
      const onprogress = (progress: (typeof told)[number]) => void told.push(progress);
      await agent.call('read', { names: ['LIMIT_3'] }, { onprogress });
      const steps = told.map(({ progress }) => progress);
      assert.ok(steps.length > 3, JSON.stringify(told));
      assert.deepEqual(
        steps,
        [...new Set(steps)].sort((a, b) => a - b),
      );
      assert.ok(told.every(({ total, message }) => total === 100 && /\d/.test(message ?? '')));
    } finally {
      await agent.close();
    }
  });

  it('cancelling the call stops the work', async () => {
    const fresh = made(temporaryFolder());
    const agent = await stdioAgent({ dataDir: fresh, args: ['--repo', large], env: slow });
    try {
      await cancellingEndsTheWork(agent);
    } finally {
      await agent.close();
    }
  });

  it('two agents of one repository both get their answers, and the same', async () => {
    const fresh = made(temporaryFolder());
    installSecondModel(fresh);
    const args = ['--repo', large];
    const agents = await Promise.all(
      [1, 2].map(() => stdioAgent({ dataDir: fresh, args, env: slow })),
    );
    try {
      const issue = 'merge_session_21 raises without a value';
      const ask = async (agent: Agent) => names((await agent.ready(issue)).value.results);
      const [one, other] = await Promise.all(agents.map(ask));
      assert.equal(one[0], 'pkg/module_21.py::merge_session_21');
      assert.deepEqual(one, other);
      writeFiles(large, { 'pkg/late.py': 'def a_late_function():\n    return 1\n' });
      const late = await Promise.all(agents.map((agent) => readOne(agent, 'a_late_function')));
      for (const { path } of late) assert.equal(path, 'pkg/late.py');
      assert.equal(await untilIdle(agents[0]!), 'complete');
      const [status] = (await agents[0]!.call('repository_status')).value.repositories;
      assert.deepEqual(status.notes, []);
    } finally {
      await Promise.all(agents.map((agent) => agent.close()));
    }
  });
});

/** Starts the server without a client. */
function start(args: string[], cwd: string) {
  const child = spawn(process.execPath, [LOCUS, 'mcp', '--data-dir', dataDir, ...args], {
    cwd,
    env: { ...process.env, ...slow },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const lines = () => stdout.split('\n').slice(0, -1);
  return { child, send, lines, ended: once(child, 'close'), errors: () => stderr };
}

const INITIALIZE = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
};
const locateIn = (id: number, issue: string) => ({
  id,
  method: 'tools/call',
  params: { name: 'locate', arguments: { query: issue } },
});

describe('the process', () => {
  it('writes nothing but the protocol to its output, whatever it reads', async () => {
    const { child, send, lines, ended, errors } = start(['--repo', shop], shop);
    send(INITIALIZE);
    send({ method: 'notifications/initialized' });
    child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"}\n[]\n');
    send(locateIn(1, ISSUE));
    send({
      id: 2,
      method: 'tools/call',
      params: { name: 'read', arguments: { names: ['nobody'] } },
    });
    send({ id: 3, method: 'no/such' });
    const answered = () => new Set(lines().map((line) => JSON.parse(line).id));
    while (![0, 1, 2, 3].every((id) => answered().has(id)) && child.exitCode === null)
      await sleep(20);
    child.stdin.end();
    assert.deepEqual(await ended, [0, null], errors());
    for (const line of lines()) assert.equal(JSON.parse(line).jsonrpc, '2.0');
    const [refused] = lines()
      .map((line) => JSON.parse(line))
      .filter(({ id }) => id === 2);
    assert.equal(refused.result.isError, true);
  });

  it('refuses a message that is too large, and answers the next', async () => {
    const { child, send, lines, ended, errors } = start(['--repo', shop], shop);
    send(INITIALIZE);
    send({ method: 'notifications/initialized' });
    send({ id: 1, method: 'ping', params: { _meta: { long: 'x'.repeat(70_000_000) } } });
    send({ id: 2, method: 'ping' });
    const answered = () => lines().map((line) => JSON.parse(line));
    while (!answered().some(({ id }) => id === 2) && child.exitCode === null) await sleep(20);
    const [refusal] = answered().filter(({ id }) => id === null);
    assert.match(refusal?.error.message, /^The message has 700000\d\d bytes/);
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
    assert.equal(errors(), '');
  });

  it('exits when its input ends, even during work', async () => {
    const fresh = made(temporaryFolder());
    const { child, send, lines, ended, errors } = start(
      ['--repo', large, '--data-dir', fresh],
      shop,
    );
    send(INITIALIZE);
    send({ method: 'notifications/initialized' });
    const { params, ...call } = locateIn(1, ISSUE);
    send({ ...call, params: { ...params, _meta: { progressToken: 'x' } } });
    while (!lines().some((line) => line.includes('notifications/progress'))) await sleep(5);
    child.stdin.end();
    assert.deepEqual(await ended, [0, null], errors());
  });

  it('ends by a signal', async () => {
    const { child, send, lines, ended } = start(['--repo', shop], shop);
    send(INITIALIZE);
    while (lines().length === 0) await sleep(20);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  it('does not start for a missing folder', async () => {
    const nowhere = join(dataDir, 'nowhere');
    const { ended, errors } = start(['--repo', nowhere], shop);
    assert.deepEqual(await ended, [3, null]);
    assert.match(errors(), /nowhere does not exist/);
  });

  it('prints the skill, which has at most sixty lines', async () => {
    const { lines, ended } = start(['--skill'], shop);
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual([lines()[0], lines()[1]], ['---', 'name: locus']);
    assert.ok(lines().length < 60);
  });
});
