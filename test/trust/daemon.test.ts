/**
 * Commands answer whatever happens to the daemon at random moments: kills, suspension, edits, a damaged or deleted index, and a full disk.
 * `npm run torture` repeats this many times.
 */
import assert from 'node:assert/strict';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getEnginesFolder } from '../../src/services/resident/place.ts';
import type { EngineDescription } from '../../src/services/resident/protocol.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import {
  type CommandResult,
  Daemons,
  finish,
  poll,
  withoutTimes,
} from '../resident/daemon-process.ts';
import { corrupt } from '../support/corrupt.ts';
import { databasePath } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { compileShim, faultyEnvironment } from '../support/shim.ts';

const ROUNDS = scaleRounds(3);
const skip = process.platform === 'win32';

/** Names a new function in the repository, and returns its name. */
function edit({ root }: Daemons, round: number): string {
  const name = `total_of_cart_${round}`;
  writeFileSync(join(root, 'shop/cart.py'), `def ${name}(items):\n    return sum(items)\n`);
  return name;
}

/** Fails unless a search found a function and printed nothing else. */
function assertFound({ code, stdout, stderr }: CommandResult, name: string, notes = /^$/): void {
  assert.equal(code, 0, stderr);
  assert.match(stderr, notes);
  const { results, partial } = JSON.parse(stdout);
  assert.equal(partial, null);
  assert.ok(
    results.some((result: { name: string }) => result.name === name),
    stdout,
  );
}

/** Misfortunes of the daemon while commands search. `npm test` tries the first ones, `npm run torture` all of them, many times. */
const MISFORTUNES: Record<
  string,
  (daemons: Daemons, daemon: EngineDescription, draw: () => number) => unknown
> = {
  'is killed': (_, { pid }) => signal(pid, 'SIGKILL'),
  'is suspended for a while': async (_, { pid }, draw) => {
    signal(pid, 'SIGSTOP');
    await sleep(1_000 * draw());
    signal(pid, 'SIGCONT');
  },
  'loses its index': ({ data }) => remove(join(data, 'repositories')),
  'is stopped': (daemons) => daemons.run(['daemon', '--stop']),
  'has a damaged index': ({ data }, _, draw) => {
    const path = databasePath(data);
    if (path) corrupt(path, draw, Buffer.alloc(0));
  },
  'loses its socket': ({ data }) => remove(getEnginesFolder(data)),
};

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended for lack of its index or socket.
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
}

/** Removes a folder in which processes create files meanwhile. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

/** Fails unless commands with and without the daemon answer like one with a data directory of its own. */
async function assertSameAlone(daemons: Daemons, what: string): Promise<void> {
  const data = temporaryFolder();
  try {
    const args = ['search', daemons.root, 'the total of the cart is wrong', '--fast', '--json'];
    const alone = daemons.run([...args, '--no-daemon'], { LOCUS_DATA_DIR: data });
    const expected = withoutTimes(await alone);
    for (const options of [[], ['--no-daemon']]) {
      const result = await daemons.run([...args, ...options]);
      assert.equal(result.code, 0, `${what}: ${result.stderr}`);
      assert.equal(withoutTimes(result), expected, what);
    }
  } finally {
    removeFolder(data);
  }
}

test(`${ROUNDS} misfortunes of the daemon while commands with and without it search, LOCUS_SEED=${SEED}`, {
  skip,
}, async (t) => {
  const daemons = new Daemons(t);
  const draw = uniform();
  const names = Object.keys(MISFORTUNES);
  let count = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const what = names[round] ?? names[Math.floor(draw() * names.length)] ?? '';
    const name = edit(daemons, round);
    const searches = [[], [], ['--no-daemon']].map((options) =>
      daemons.search('--fast', '--json', ...options),
    );
    const misfortune = (async () => {
      const daemon = await daemons.describe();
      if (!daemon) return;
      await sleep(1_000 * draw());
      await MISFORTUNES[what]?.(daemons, daemon, draw);
      count++;
    })();
    for (const result of await Promise.all(searches)) assertFound(result, name, /^$|damaged/);
    await misfortune;
    await assertSameAlone(daemons, `round ${round}: the daemon ${what}`);
    // The next round needs a daemon. A search may have been answered by one that was ending.
    await poll(async () => {
      await daemons.search('--fast');
      return Boolean((await daemons.describe())?.roots.length);
    });
  }
  t.diagnostic(`${count} misfortunes`);
});

test('an index that is damaged under the daemon is rebuilt', { skip }, async (t) => {
  const daemons = new Daemons(t);
  await daemons.search('--fast');
  const { pid } = await daemons.waitUntilOpen();
  const path = assertPresent(databasePath(daemons.data), 'the database');
  for (let round = 0; round < 2; round++) {
    if (round === 0) truncateSync(path, Math.floor(statSync(path).size / 2));
    else for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    const name = edit(daemons, round);
    assertFound(await daemons.search('--fast', '--json'), name, /^$|damaged/);
    assertFound(await daemons.search('--fast', '--json'), name, /^$|damaged/);
    assertFound(await daemons.search('--fast', '--json'), name);
  }
  assert.equal((await daemons.describe())?.pid, pid, 'the daemon goes on');
});

test('a daemon on a full disk is not needed', { skip: process.platform !== 'linux' }, async (t) => {
  const scratch = temporaryFolder();
  t.after(() => removeFolder(scratch));
  const daemons = new Daemons(t);
  await daemons.search('--fast', '--no-daemon');
  const faults = { root: daemons.data, error: 'ENOSPC', at: 1, forEver: true } as const;
  const { LD_PRELOAD, ...others } = faultyEnvironment(compileShim(scratch), faults);
  const env = Object.fromEntries(
    Object.entries({ LD_PRELOAD, ...others }).filter(([name]) => /^(LD_|FAULTS_)/.test(name)),
  );
  const child = daemons.start(['daemon', daemons.root], env);
  const ended = finish(child);
  await poll(
    async () => child.exitCode !== null || ((await daemons.describe())?.roots.length ?? 0) > 0,
  );
  for (let round = 0; round < 2; round++) {
    const name = edit(daemons, round);
    assertFound(await daemons.search('--fast', '--json'), name);
  }
  child.kill('SIGKILL');
  await ended;
});
