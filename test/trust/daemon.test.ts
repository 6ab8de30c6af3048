/**
 * Commands answer whatever happens to the daemon: kills at random moments, several commands at once, edits, damage of the index and a full
 * disk. `npm run torture` repeats this many times.
 */
import assert from 'node:assert/strict';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { type CommandResult, Daemons, finish, poll } from '../resident/daemon-process.ts';
import { databasePath } from '../support/dump.ts';
import { scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { compileShim, faultyEnvironment } from '../support/shim.ts';

const ROUNDS = scaleRounds(3);
const AT_ONCE = 2;
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

test(`${ROUNDS} kills of the daemon while ${AT_ONCE} commands search`, { skip }, async (t) => {
  const daemons = new Daemons(t);
  const random = uniform();
  let kills = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const name = edit(daemons, round);
    const searches = Array.from({ length: AT_ONCE }, () => daemons.search('--fast', '--json'));
    const killing = (async () => {
      const daemon = await daemons.describe();
      if (!daemon) return;
      await sleep(1_000 * random());
      process.kill(daemon.pid, 'SIGKILL');
      kills++;
    })();
    for (const result of await Promise.all(searches)) assertFound(result, name);
    await killing;
    await daemons.search('--fast');
    await daemons.waitUntilOpen();
  }
  t.diagnostic(`${kills} kills`);
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
