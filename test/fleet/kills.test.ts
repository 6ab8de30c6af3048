/** Tests workers of a fleet that are killed at random moments: another worker stores the same rows. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FleetCatalog,
  type FleetEntry,
  makeRepositoryKey,
} from '../../src/services/fleet/catalog.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { openRowsEngine } from '../support/fleet-worker.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const KILLS = scaleRounds(1);
const WORKER = join(import.meta.dirname, '../support/fleet-worker.ts');

describe('workers of a fleet', () => {
  const folder = temporaryFolder();
  const random = uniform();
  let entries: FleetEntry[];
  let entry: FleetEntry;

  before(async () => {
    entries = [8, 12].map((count) => {
      const url = gitRepository(syntheticPackage(count));
      return { name: url.slice(1), url, ref: null, forge: null };
    });
    [entry] = entries as [FleetEntry, FleetEntry];
    const catalog = new FleetCatalog(await openObjects(join(folder, 'new/objects')));
    await catalog.add(entries);
    catalog[Symbol.dispose]();
  });
  after(() => {
    for (const one of [folder, ...entries.map(({ url }) => url)]) removeFolder(one);
  });

  const begin = (place: string, local: string) =>
    fork(
      WORKER,
      ['objects', 'rows', local].map((name) => join(folder, place, name)),
      {
        stdio: 'inherit',
      },
    );

  /** Returns the rows of each repository, and its state. */
  async function digest(place: string): Promise<string[]> {
    const engine = openRowsEngine(join(folder, place, 'rows'));
    const catalog = new FleetCatalog(await openObjects(join(folder, place, 'objects')));
    const all: string[] = [];
    for (const key of entries.map(makeRepositoryKey)) {
      const { indexed, lease, failure, removing } = (await catalog.readState(key)).value;
      // Numbers and times of runs may differ, but not what they stored.
      all.push(JSON.stringify({ ...indexed, generation: 0, at: null, lease, failure, removing }));
      all.push([...(await engine.listIds(key))].join());
    }
    catalog[Symbol.dispose]();
    engine.close();
    return all;
  }

  it(`store the same rows if they are killed ${KILLS} times`, async (t) => {
    cpSync(join(folder, 'new'), join(folder, 'undisturbed'), { recursive: true });
    const start = performance.now();
    assert.deepEqual(await once(begin('undisturbed', 'a'), 'exit'), [0, null]);
    const duration = performance.now() - start;
    cpSync(join(folder, 'undisturbed'), join(folder, 'before'), { recursive: true });
    // Each round starts before or after a commit was stored.
    writeFiles(entry.url, { 'pkg/module_3.py': 'def changed(value):\n    return value\n' });
    git(entry.url, 'commit', '-qam', 'Change');
    assert.deepEqual(await once(begin('undisturbed', 'a'), 'exit'), [0, null]);
    const expected = await digest('undisturbed');
    assert.ok(expected[1]!.length > 1_000);

    let kills = 0;
    let taken = 0;
    while (kills < KILLS) {
      rmSync(join(folder, 'killed'), { recursive: true, force: true });
      const from = join(folder, random() < 0.5 ? 'new' : 'before');
      cpSync(from, join(folder, 'killed'), { recursive: true });
      const victim = begin('killed', 'a');
      const ended = once(victim, 'exit');
      await sleep(random() * duration);
      const other = random() < 0.6 ? begin('killed', random() < 0.5 ? 'a' : 'b') : null;
      const otherEnded = other && once(other, 'exit');
      await sleep(random() * 0.3 * duration);
      victim.kill('SIGKILL');
      if ((await ended)[1] === 'SIGKILL') kills++;
      if (otherEnded) {
        assert.deepEqual(await otherEnded, [0, null], `seed ${SEED}, after ${kills} kills`);
        taken++;
      }
      assert.deepEqual(await once(begin('killed', 'a'), 'exit'), [0, null]);
      assert.deepEqual(await digest('killed'), expected, `seed ${SEED}, after ${kills} kills`);
    }
    t.diagnostic(
      `${kills} kills, ${taken} of them with another worker, 0 differences, seed ${SEED}`,
    );
  });
});
