/** Windows, agents and `locus watch` answer commands about what they have open, and nothing else. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRepositoryPool } from '../../src/mcp/server.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import { nameRepository } from '../../src/services/resident/protocol.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { EngineWindow } from '../support/engine-window.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { Daemons, FILES, finish, poll } from './daemon-process.ts';

// This process answers commands as one that is not below a test runner.
const context = process.env.NODE_TEST_CONTEXT;
const never = process.env.LOCUS_NO_DAEMON;
let data: string;
let root: string;
before(() => {
  delete process.env.NODE_TEST_CONTEXT;
  delete process.env.LOCUS_NO_DAEMON;
  delete process.env.CI;
  data = temporaryFolder();
  root = gitRepository(FILES);
});
after(() => {
  if (context) process.env.NODE_TEST_CONTEXT = context;
  if (never) process.env.LOCUS_NO_DAEMON = never;
  removeFolder(data);
  removeFolder(root);
});

const connect = () => connectEngine(data, nameRepository(root));

/** Asks as a command does. Resolves with the names of the results, or with null while nobody answers. */
async function search(): Promise<string[] | null> {
  const connection = await connect();
  if (!connection) return null;
  const { client, close } = connection;
  try {
    const request = { issue: 'the total of the cart is wrong', rerank: { count: 0 } };
    await client.call('index', { root });
    const found = (await client.call('query', {
      root,
      name: 'search',
      request,
    })) as SearchResponse;
    await assert.rejects(client.call('query', { root: '/', name: 'status', request: {} }), {
      code: 'busy',
    });
    assert.equal(await client.call('stop', null), false, 'a command cannot end it');
    return found.results.map(({ name }) => name);
  } finally {
    close();
  }
}

test('a window answers until it is closed', async () => {
  const window = await EngineWindow.open(data, root, 'auto');
  try {
    // It refuses while it indexes.
    const names = await poll(() => search().catch(() => null));
    assert.ok(names.includes('total'));
    writeFileSync(join(root, 'shop/cart.py'), 'def total_of_cart(items):\n    return sum(items)\n');
    assert.ok((await search())?.includes('total_of_cart'), 'what was written just before');
  } finally {
    await window.close();
  }
  assert.equal(await connect(), null);
});

test('an agent’s server answers while it has the repository open', async () => {
  for (const answersCommands of [true, false]) {
    const pool = createRepositoryPool({ dataDir: data, answersCommands });
    const location = { folder: root, within: null };
    await pool.use(location, async (live) => {
      await live.repository;
      if (answersCommands) assert.ok((await poll(search)).includes('total_of_cart'));
      else assert.equal(await connect(), null);
    });
    await pool.close();
    assert.equal(await connect(), null);
  }
});

test('a window takes over from an agent’s server, and gives back', async () => {
  const pool = createRepositoryPool({ dataDir: data });
  const location = { folder: root, within: null };
  const question = { signal: new AbortController().signal, waitMs: 60_000 };
  const ask = () =>
    pool.use(location, (live) =>
      live.ask(question, async (repository) => {
        const { files } = await repository.status();
        return { files, isBorrowed: live.isBorrowed };
      }),
    );
  const describe = async () => {
    const connection = await connect();
    const found = await connection?.client.call('describe', null).catch(() => null);
    connection?.close();
    return found ?? null;
  };
  try {
    const alone = await ask();
    assert.deepEqual(alone, { files: 2, isBorrowed: false });
    assert.equal((await describe())?.pid, process.pid);
    const closing = await connect();
    const window = await EngineWindow.open(data, root, 'auto');
    try {
      await poll(async () => {
        const found = await describe();
        return found && found.pid !== process.pid;
      });
      // The repository is closed in this process, and with it the connection.
      await poll(async () =>
        closing?.client.call('describe', null).then(
          () => false,
          () => true,
        ),
      );
      assert.deepEqual(await ask(), { files: 2, isBorrowed: true });
    } finally {
      await window.close();
    }
    assert.deepEqual(
      await poll(async () => {
        const answer = await ask();
        return answer.isBorrowed ? null : answer;
      }),
      alone,
    );
    assert.equal((await describe())?.pid, process.pid);
  } finally {
    await pool.close();
  }
});

test('locus watch answers until it ends', { skip: process.platform === 'win32' }, async (t) => {
  const daemons = new Daemons(t);
  const watch = daemons.start(['watch', daemons.root]);
  const result = finish(watch);
  const open = () => connectEngine(daemons.data, nameRepository(daemons.root));
  const { client, close } = await poll(open);
  assert.deepEqual(await client.call('describe', null), {
    pid: watch.pid,
    roots: [daemons.root],
  });
  close();
  const found = await daemons.search('--fast', '--json');
  assert.equal(found.code, 0);
  assert.equal(await daemons.describe(), null, 'no daemon was needed');
  watch.kill('SIGINT');
  await result;
  assert.equal(await open(), null);
});
