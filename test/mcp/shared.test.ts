/** Agents' servers, windows and commands that have one repository open share one engine, and survive it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readLog } from '../../src/base/log-files.ts';
import { ENGINES_FOLDER } from '../../src/base/private.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import { preparePlace } from '../../src/services/resident/place.ts';
import { nameRepository } from '../../src/services/resident/protocol.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { Daemons, finish, poll } from '../resident/daemon-process.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { compileShim, faultyEnvironment } from '../support/shim.ts';
import { slowReads } from '../support/slow-reads.ts';
import { type Agent, ISSUE, SHOP, stdioAgent } from './agent.ts';

/** Processes below a test runner and on a build server share nothing. */
const SHARING = { NODE_TEST_CONTEXT: '', CI: '', LOCUS_NO_DAEMON: '0' };
const LATE_ISSUE = 'merge_session_21 raises without a value';

const folders: string[] = [];
const made = (folder: string) => {
  folders.push(folder);
  return realpathSync(folder);
};
after(() => folders.forEach(removeFolder));

interface Setting {
  dataDir: string;
  root: string;
  agents: Agent[];
  start(env?: Record<string, string>): Promise<Agent>;
}

/** Runs a test with agents' servers on a repository that was never indexed. */
async function withAgents(
  files: Record<string, string>,
  run: (setting: Setting) => Promise<void>,
): Promise<void> {
  const dataDir = made(temporaryFolder());
  const root = made(gitRepository(files));
  const agents: Agent[] = [];
  const start = async (env: Record<string, string> = {}) => {
    const agent = await stdioAgent({
      dataDir,
      args: ['--repo', root],
      env: { ...SHARING, ...env },
    });
    agents.push(agent);
    return agent;
  };
  try {
    await run({ dataDir, root, agents, start });
  } finally {
    await Promise.allSettled(agents.map((agent) => agent.close()));
  }
}

/** Ids of the processes that have indexed or searched a repository of a data directory. */
function listEngines(dataDir: string): number[] {
  const { lines } = readLog(dataDir, 10_000);
  const ids = lines.flatMap((line) => / \w+\[(\d+)\] (?:searched|indexed) /.exec(line)?.[1] ?? []);
  return [...new Set(ids)].map(Number);
}

/** Id of the process that answers the others. */
async function findEngine({ dataDir, root }: Setting): Promise<number | null> {
  const connection = await connectEngine(dataDir, nameRepository(root));
  try {
    return (await connection?.client.call('describe', null))?.pid ?? null;
  } finally {
    connection?.close();
  }
}

const waitForEngine = (setting: Setting) => poll(() => findEngine(setting));

const answerOf = async (agent: Agent, issue = ISSUE) => {
  const { value, text } = await agent.call('locate', { query: issue, maxTokens: 1000 });
  return { value, text };
};

describe('two agents of a repository', () => {
  it('get the answers of one engine, the same as alone', async () => {
    await withAgents(SHOP, async (setting) => {
      const { dataDir, root, start } = setting;
      const [one, other] = [await start(), await start()];
      const first = await one.ready(ISSUE);
      assert.equal(first.value.partial, null);
      const shared = [await answerOf(one), await answerOf(other)];
      assert.deepEqual(shared[1], shared[0]);
      const alone = await start({ LOCUS_NO_DAEMON: '1' });
      assert.deepEqual(await answerOf(alone), shared[0]);
      const [engine, single, ...more] = listEngines(dataDir);
      assert.equal(engine, await findEngine(setting));
      assert.notEqual(single, undefined, 'the one that must not share');
      assert.deepEqual(more, []);
      writeFiles(root, { 'shop/late.py': 'def a_late_function():\n    return 1\n' });
      const { value } = await other.call('read', { names: ['a_late_function'] });
      assert.equal(value.functions[0].path, 'shop/late.py');
      const everything = {
        read: { names: ['rounded'], show: ['code', 'callers', 'callees', 'tests', 'history'] },
        grep: { pattern: 'rounded' },
      };
      for (const [name, args] of Object.entries(everything))
        assert.deepEqual(await other.call(name, args), await one.call(name, args));
      assert.deepEqual(await other.call('repository_status'), await one.call('repository_status'));
      assert.match(await other.fails('read', { names: ['nobody'] }), /nobody/);
      assert.equal(listEngines(dataDir).length, 2);
    });
  });

  it('start at once, and only one of them opens it', async () => {
    await withAgents(SHOP, async ({ dataDir, start }) => {
      const agents = await Promise.all([start(), start(), start()]);
      const answers = await Promise.all(agents.map((agent) => agent.ready(ISSUE)));
      for (const answer of answers) assert.deepEqual(answer.value, answers[0]?.value);
      assert.equal(listEngines(dataDir).length, 1);
    });
  });

  it('many calls at once, and cancelled ones, are answered by the same engine', async () => {
    await withAgents(SHOP, async ({ dataDir, start }) => {
      const [one, other] = [await start(), await start()];
      await one.ready(ISSUE);
      const calls = Array.from({ length: 40 }, (_, i) => {
        const cancelling = new AbortController();
        const { signal } = cancelling;
        const call = other.call('locate', { query: `${ISSUE} ${i}` }, { signal });
        if (i % 2) setTimeout(() => cancelling.abort(), i);
        return call.then(
          ({ value }) => value.results.length > 0,
          () => i % 2 === 1,
        );
      });
      assert.ok((await Promise.all(calls)).every(Boolean));
      assert.equal(listEngines(dataDir).length, 1);
    });
  });
});

describe('while the engine indexes', () => {
  const slow = (root: string, milliseconds = 30) => ({
    NODE_OPTIONS: slowReads(root, made(temporaryFolder()), milliseconds),
  });

  it('the other agent gets its progress and a partial answer, then a complete one', async () => {
    await withAgents(syntheticPackage(100), async (setting) => {
      const { dataDir, root, start } = setting;
      const one = await start(slow(root, 100));
      const working = one.ready(LATE_ISSUE);
      await waitForEngine(setting);
      const other = await start(slow(root, 100));
      const told: (string | undefined)[] = [];
      const ask = () =>
        other.call(
          'locate',
          { query: LATE_ISSUE, waitSeconds: 1 },
          { onprogress: ({ message }) => told.push(message) },
        );
      const early = await ask();
      assert.match(early.value.partial.reason, /indexing is in progress/);
      assert.match(early.value.partial.progress, /\d/);
      let late = early;
      while (late.value.partial !== null) late = await ask();
      assert.ok(told.length > 0);
      assert.deepEqual(late.value.results, (await working).value.results);
      assert.equal(listEngines(dataDir).length, 1);
    });
  });

  it('cancelling the call of the other agent stops the work that it began', async () => {
    await withAgents(syntheticPackage(100), async (setting) => {
      const { root, start } = setting;
      const [one, other] = [await start(slow(root)), await start()];
      // Opens the repository, and leaves soon.
      const leaving = new AbortController();
      const left = one.call('locate', { query: ISSUE }, { signal: leaving.signal });
      await waitForEngine(setting);
      const staying = new AbortController();
      const asked = other.call(
        'locate',
        { query: ISSUE, waitSeconds: 60 },
        { signal: staying.signal, onprogress: () => staying.abort() },
      );
      leaving.abort();
      await assert.rejects(left);
      await assert.rejects(asked);
      const status = await poll(async () => {
        const [found] = (await one.call('repository_status')).value.repositories;
        return found.indexing === null ? found : null;
      });
      assert.notEqual(status.state, 'complete');
    });
  });

  it('an agent that is killed costs the engine nothing', async () => {
    await withAgents(syntheticPackage(100), async (setting) => {
      const { dataDir, root, start } = setting;
      const one = await start(slow(root));
      const answer = one.ready(LATE_ISSUE);
      await waitForEngine(setting);
      const other = await start();
      const lost = other.call('locate', { query: LATE_ISSUE, waitSeconds: 60 });
      kill(other);
      await assert.rejects(lost);
      assert.equal((await answer).value.results[0].name, 'merge_session_21');
      assert.equal(listEngines(dataDir).length, 1);
    });
  });
});

/** Kills the process of an agent's server. */
function kill({ client }: Agent): void {
  const { pid } = client.transport as unknown as { pid: number | null };
  process.kill(assertPresent(pid, 'a process'), 'SIGKILL');
}

describe('when the engine ends', () => {
  it('by a kill during a call, another agent answers it and those that follow', async () => {
    await withAgents(syntheticPackage(100), async (setting) => {
      const { dataDir, root, start } = setting;
      const slow = { NODE_OPTIONS: slowReads(root, made(temporaryFolder()), 30) };
      const one = await start(slow);
      one.ready(LATE_ISSUE).catch(() => {});
      const engine = await waitForEngine(setting);
      const [other, third] = [await start(), await start()];
      const asked = [other, third].map((agent) => {
        let isKilled = false;
        const onprogress = () => {
          if (!isKilled) kill(one);
          isKilled = true;
        };
        const args = { query: LATE_ISSUE, waitSeconds: 60 };
        return agent.call('locate', args, agent === other ? { onprogress } : {});
      });
      for (const { isError, value } of await Promise.all(asked)) {
        assert.equal(isError, false);
        assert.equal(value.partial, null);
        assert.equal(value.results[0].name, 'merge_session_21');
      }
      const next = await waitForEngine(setting);
      assert.notEqual(next, engine);
      assert.deepEqual(await answerOf(third), await answerOf(other));
      assert.deepEqual(
        listEngines(dataDir).filter((pid) => pid !== engine),
        [next],
      );
    });
  });

  it('since its agent leaves, the other answers', async () => {
    await withAgents(SHOP, async (setting) => {
      const [one, other] = [await setting.start(), await setting.start()];
      await one.ready(ISSUE);
      const before = await answerOf(other);
      await one.close();
      assert.deepEqual(await answerOf(other), before);
      assert.equal(listEngines(setting.dataDir).length, 2);
      assert.equal(await waitForEngine(setting), listEngines(setting.dataDir)[1]);
    });
  });
});

async function fillIndex(agent: Agent): Promise<void> {
  await agent.ready(ISSUE);
  await agent.close();
}

describe('an agent’s server that cannot share', () => {
  it('answers alone if the folder of the sockets cannot be made', async () => {
    await withAgents(SHOP, async ({ dataDir, start }) => {
      writeFiles(dataDir, { [ENGINES_FOLDER]: '' });
      const [one, other] = [await start(), await start()];
      const answer = await one.ready(ISSUE);
      assert.deepEqual((await other.ready(ISSUE)).value, answer.value);
      assert.equal(listEngines(dataDir).length, 2);
    });
  });

  it('tells nothing to whoever listens without the key', async () => {
    await withAgents(SHOP, async ({ dataDir, root, start }) => {
      const { address } = preparePlace(dataDir, nameRepository(root));
      let received = '';
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (data) => {
          received += data;
        });
        socket.write(Buffer.from([0, 0, 0, 2, 0x7b, 0x7d]));
      }).listen(address);
      await once(server, 'listening');
      try {
        const agent = await start();
        assert.ok((await agent.ready(ISSUE)).value.results.length > 0);
        assert.match(received, /nonce/);
        assert.doesNotMatch(received, /cart|proof|locate|index/);
      } finally {
        server.close();
      }
    });
  });

  const skip = process.platform !== 'linux';

  it('answers with a data directory that is not writable, and says so', { skip }, async () => {
    const shim = compileShim(made(temporaryFolder()));
    for (const isIndexed of [false, true])
      await withAgents(SHOP, async ({ dataDir, start }) => {
        if (isIndexed) await fillIndex(await start());
        const faults = { root: dataDir, error: 'EROFS', at: 1, forEver: true } as const;
        const agent = await start(faultyEnvironment(shim, faults) as Record<string, string>);
        const { value, text } = await agent.call('locate', { query: ISSUE });
        assert.equal(value.results[0]?.name, 'rounded', text);
        assert.match(text, isIndexed ? /^partial: /m : /this index is temporary/);
      });
  });
});

describe('a process that follows the files', { skip: process.platform === 'win32' }, () => {
  it('answers agents that had the repository open before, and they answer after it', async (t) => {
    const daemons = new Daemons(t);
    const { data: dataDir, root } = daemons;
    const agents: Agent[] = [];
    const start = async () => {
      const agent = await stdioAgent({ dataDir, args: ['--repo', root], env: SHARING });
      agents.push(agent);
      return agent;
    };
    const setting = { dataDir, root, agents, start };
    try {
      const issue = 'the total of the cart is wrong';
      const [one, other] = [await start(), await start()];
      await one.ready(issue);
      const asking = await connectEngine(dataDir, nameRepository(root));
      const watch = daemons.start(['watch', root]);
      const result = finish(watch);
      await poll(async () => (await findEngine(setting)) === watch.pid);
      const before = listEngines(dataDir);
      const answers = [];
      // The first agent's server closes the repository after its last use, and with it the connection.
      await poll(async () =>
        asking?.client.call('describe', null).then(
          () => false,
          () => true,
        ),
      );
      for (const agent of [one, other]) answers.push(await answerOf(agent, issue));
      assert.deepEqual(answers[0], answers[1]);
      assert.deepEqual(listEngines(dataDir), before);
      writeFileSync(
        join(root, 'shop/cart.py'),
        'def total_of_cart(items):\n    return sum(items)\n',
      );
      assert.equal((await one.call('read', { names: ['total_of_cart'] })).isError, false);
      watch.kill('SIGINT');
      await result;
      const [after, again] = await Promise.all(agents.map((agent) => answerOf(agent, issue)));
      assert.deepEqual(after, again);
      assert.ok(after?.value.results.length > 0);
      assert.notEqual(await waitForEngine(setting), watch.pid);
    } finally {
      await Promise.allSettled(agents.map((agent) => agent.close()));
    }
  });
});
