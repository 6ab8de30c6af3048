/** `locus search` starts a daemon, which answers later commands exactly as they would themselves, until it ends. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hasDefaults } from '../../src/cli/engine.ts';
import { areEnginesAllowed } from '../../src/services/resident/allowed.ts';
import { getEnginesFolder } from '../../src/services/resident/place.ts';
import { installSecondModel } from '../support/second-model.ts';
import { Daemons, finish, poll, withoutTimes } from './daemon-process.ts';

/** Makes a process print the URL of each module that it loads. */
const PRINTS_LOADED = `
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      process.stderr.write('loaded ' + url + '\\n');
      return next(url, context);
    },
  });
`;

describe('with a daemon', () => {
  const daemons = new Daemons();
  before(async () => {
    installSecondModel(daemons.data);
    assert.equal((await daemons.search()).code, 0);
    await daemons.waitUntilOpen();
  });
  after(() => daemons.close());

  const ISSUE = 'the total of the cart is wrong';
  const COMMANDS: Record<string, (root: string) => string[]> = {
    search: (root) => ['search', root, ISSUE],
    'search as JSON': (root) => ['search', root, ISSUE, '--json'],
    'search that finds nothing': (root) => ['search', root, ISSUE, '--path', 'none/**'],
    'show with evidence': (root) => ['show', root, 'total', '--issue', ISSUE],
    'show of a missing function': (root) => ['show', root, 'nowhere'],
    neighbors: (root) => ['neighbors', root, 'price'],
    tests: (root) => ['tests', root, 'price', '--json'],
    similar: (root) => ['similar', root, 'price', '--json'],
    grep: (root) => ['grep', root, 'price', '--json'],
    'export of a prompt': (root) => ['export', root, ISSUE, '--prompt'],
  };
  for (const [what, toArgs] of Object.entries(COMMANDS))
    test(`${what} prints the same, byte for byte`, async () => {
      const args = toArgs(daemons.root);
      const alone = await daemons.run([...args, '--no-daemon']);
      const asked = await daemons.run(args);
      assert.equal(withoutTimes(asked), withoutTimes(alone));
      assert.equal(asked.stderr, alone.stderr);
      assert.equal(asked.code, alone.code);
    });

  test('it is the daemon that answers', async () => {
    const before = daemons.countAnswers();
    await daemons.search('--no-daemon');
    assert.equal(daemons.countAnswers(), before);
    await daemons.search();
    assert.equal(daemons.countAnswers(), before + 1);
  });

  test('a command that asks it loads neither the engine nor SQLite', async () => {
    const hooks = join(daemons.data, 'hooks.mjs');
    writeFileSync(hooks, PRINTS_LOADED);
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(hooks).href}` };
    const args = ['search', daemons.root, 'total', '--fast'];
    const load = async (...more: string[]) =>
      (await daemons.run([...args, ...more], env)).stderr.match(/src\/engine\/|better-sqlite3/g);
    assert.equal(await load(), null);
    assert.ok(await load('--no-daemon'), 'control: they are seen');
  });

  test('an answer includes what was written just before', async () => {
    const path = join(daemons.root, 'shop/cart.py');
    for (let i = 0; i < 3; i++) {
      const name = `total_of_cart_${i}`;
      writeFileSync(path, `def ${name}(items):\n    return sum(items) + ${i}\n`);
      const { stdout } = await daemons.search('--fast', '--json');
      assert.deepEqual(
        JSON.parse(stdout)
          .results.map(({ name }: { name: string }) => name)
          .includes(name),
        true,
        stdout,
      );
    }
  });

  test('doctor and status show it', async () => {
    const { pid } = await daemons.waitUntilOpen();
    const { stdout } = await daemons.run(['doctor', '--json']);
    const check = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'daemon');
    assert.match(check.detail, new RegExp(`process ${pid}, with .*${daemons.root}`));
    const status = await daemons.run(['status', daemons.root, '--json']);
    assert.deepEqual(JSON.parse(status.stdout).daemon, { pid });
    assert.match(
      (await daemons.run(['status', daemons.root])).stdout,
      new RegExp(`process ${pid}`),
    );
  });

  test('an index that is deleted underneath is built again', async () => {
    rmSync(join(daemons.data, 'repositories'), { recursive: true });
    const { code, stdout, stderr } = await daemons.search('--json');
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).partial, null);
    assert.equal((await daemons.search()).code, 0);
  });
});

test('no daemon starts, and none is asked, if it is forbidden or has other options', async (t) => {
  const forbidden = { CI: '1', NODE_TEST_CONTEXT: 'child-v8', LOCUS_NO_DAEMON: '1' };
  for (const [name, value] of Object.entries(forbidden))
    assert.equal(areEnginesAllowed({ [name]: value }), false, name);
  for (const env of [{}, { CI: '' }, { CI: '0' }, { CI: 'false' }, { LOCUS_NO_DAEMON: '0' }])
    assert.equal(areEnginesAllowed(env), true);
  const others = { revision: 'HEAD', model: 'bag-1', device: 'cpu', exclude: [] } as const;
  for (const [name, value] of Object.entries(others))
    assert.equal(hasDefaults({ [name]: value }), false, name);
  assert.equal(hasDefaults({ dataDir: '/data' }), true);
  const daemons = new Daemons(t);
  const search = ['search', daemons.root, 'total', '--fast'];
  assert.equal((await daemons.run([...search, '--no-daemon'])).code, 0);
  assert.equal((await daemons.run(search, { LOCUS_NO_DAEMON: '1' })).code, 0);
  assert.equal(existsSync(getEnginesFolder(daemons.data)), false);
});

describe('a daemon ends', () => {
  async function startOne(daemons: Daemons, env: NodeJS.ProcessEnv = {}) {
    await daemons.search('--no-daemon', '--fast');
    const child = daemons.start(['daemon', daemons.root], env);
    const result = finish(child);
    return { child, result };
  }

  test('when nobody has asked for a while', async (t) => {
    const daemons = new Daemons(t);
    const { result } = await startOne(daemons, { LOCUS_DAEMON_IDLE: '0.5' });
    assert.deepEqual(await result, { code: 0, stdout: '', stderr: '' });
  });

  test('when a command stops it', async (t) => {
    const daemons = new Daemons(t);
    const { result } = await startOne(daemons);
    await daemons.waitUntilOpen();
    assert.equal((await daemons.run(['daemon', '--stop'])).stdout, 'The daemon ends.\n');
    assert.equal((await result).code, 0);
    assert.equal((await daemons.run(['daemon', '--stop'])).stdout, 'No daemon is running.\n');
  });

  test('on SIGTERM', { skip: process.platform === 'win32' }, async (t) => {
    const daemons = new Daemons(t);
    const { child, result } = await startOne(daemons);
    await daemons.waitUntilOpen();
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  });

  test('when its data directory vanishes', { skip: process.platform === 'win32' }, async (t) => {
    const daemons = new Daemons(t);
    const { result } = await startOne(daemons, { LOCUS_DAEMON_IDLE: '3000' });
    await daemons.waitUntilOpen();
    rmSync(daemons.data, { recursive: true, force: true });
    assert.equal((await result).code, 0);
  });

  test('when another one is running', async (t) => {
    const daemons = new Daemons(t);
    await daemons.search('--no-daemon', '--fast');
    const both = [1, 2].map(() => daemons.start(['daemon', daemons.root]));
    const { pid } = await daemons.waitUntilOpen();
    const other = both.find((child) => child.pid !== pid);
    if (!other) throw new Error('Both are the daemon.');
    await poll(async () => other.exitCode !== null);
    assert.equal(other.exitCode, 0);
  });
});

describe('a daemon that fails', { skip: process.platform === 'win32' }, () => {
  for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
    test(`by ${signal} is not needed`, async (t) => {
      const daemons = new Daemons(t);
      const first = await daemons.search('--json');
      const { pid } = await daemons.waitUntilIdle();
      t.after(() => {
        if (signal === 'SIGSTOP') process.kill(pid, 'SIGKILL');
      });
      process.kill(pid, signal);
      const { code, stdout, stderr } = await daemons.search('--json');
      assert.equal(stderr, '');
      assert.equal(code, 0);
      assert.equal(
        withoutTimes({ code, stdout, stderr }),
        withoutTimes(first),
        'the answer is the same',
      );
    });
});
