/** Tests a search of a fleet with an in-memory engine. `fleet.fleet.ts` uses a real one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AccessChecker } from '../../src/services/fleet/access.ts';
import { FleetCatalog } from '../../src/services/fleet/catalog.ts';
import type { Fleet } from '../../src/services/fleet/fleet.ts';
import { searchFleet } from '../../src/services/fleet/search.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { fleetOf } from './support.ts';

describe('a search of the fleet', () => {
  const folder = temporaryFolder();
  let fleet: Fleet;
  let terms: string[];
  before(async () => {
    gitRepository({ 'cart.py': 'total = 1\n' }, folder);
    const catalog = new FleetCatalog(await openObjects(join(folder, 'objects')));
    await catalog.add([{ name: 'shop', url: folder, ref: null, forge: null }]);
    const engine = {
      search: async () => [],
      sample: async () => ({ terms, of: terms.length }),
    };
    fleet = fleetOf(catalog, engine, join(folder, 'local'));
  });
  after(() => removeFolder(folder));
  const functionsIn = async () =>
    (
      await searchFleet(
        fleet,
        new AccessChecker({}),
        { issue: 'The total is wrong' },
        { device: 'cpu' },
      )
    ).repository.chunks;

  it('caches its word sample for a day, unless nothing was stored when it was drawn', async () => {
    terms = [];
    assert.equal(await functionsIn(), 0);
    terms = ['cart total', 'mail'];
    assert.equal(await functionsIn(), 2);
    terms = ['cart total', 'mail', 'tax'];
    assert.equal(await functionsIn(), 2);
  });
});
