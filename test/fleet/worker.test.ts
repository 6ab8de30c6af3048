/** Tests one pass of a worker with an in-memory engine. `fleet.fleet.ts` uses a real one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  FleetCatalog,
  type FleetEntry,
  makeRepositoryKey,
} from '../../src/services/fleet/catalog.ts';
import { type Fleet, removeRepository } from '../../src/services/fleet/fleet.ts';
import { runWorker } from '../../src/services/fleet/worker.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import type { FleetRow } from '../../src/shared/fleet-row.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { fleetOf } from './support.ts';

describe('a worker of the fleet', () => {
  let folder: string;
  let entries: FleetEntry[];
  let fleet: Fleet;
  let stored: Map<string, Set<string>>;

  before(() => {
    folder = temporaryFolder();
    entries = ['a', 'b'].map((name) => {
      const url = gitRepository({ [`${name}.py`]: `def ${name}():\n    return 1\n` });
      return { name: url.slice(1), url, ref: null, forge: null };
    });
  });
  beforeEach(async (test) => {
    stored = new Map();
    const catalog = new FleetCatalog(
      await openObjects(join(folder, test.name.replace(/\W+/g, '-'))),
    );
    await catalog.add(entries);
    const idsOf = (key: string) => stored.get(key) ?? new Set();
    const engine = {
      listIds: async (key: string) => new Set(idsOf(key)),
      put: async (rows: FleetRow[]) => {
        for (const { repository, id } of rows) stored.set(repository, idsOf(repository).add(id));
      },
      removeAll: async (key: string) => void stored.delete(key),
    };
    fleet = fleetOf(catalog, engine, join(folder, 'local'));
  });
  after(() => {
    for (const one of [folder, ...entries.map(({ url }) => url)]) removeFolder(one);
  });

  /** Runs a worker, and removes the other repository while the first one is indexed. */
  async function workWhileOneIsRemoved(): Promise<string> {
    let removed = '';
    const authorize = async (first: FleetEntry) => {
      if (removed) return null;
      removed =
        entries.map(makeRepositoryKey).find((key) => key !== makeRepositoryKey(first)) ?? '';
      await removeRepository(fleet, removed);
      return null;
    };
    const done = await runWorker(fleet, { authorize });
    assert.deepEqual(
      done.map(({ failure }) => failure),
      [null],
    );
    return removed;
  }

  const isGone = async (key: string) => {
    assert.equal(stored.has(key), false);
    assert.equal((await fleet.catalog.readState(key)).tag, null);
    assert.equal(stored.size, 1);
  };

  it('stores nothing of a new repository that was removed meanwhile', async () => {
    await isGone(await workWhileOneIsRemoved());
  });

  it('stores nothing of a known repository that was removed meanwhile', async () => {
    await runWorker(fleet);
    assert.equal(stored.size, 2);
    await isGone(await workWhileOneIsRemoved());
  });
});
