/** Tests a fleet's catalog in a folder that other people can write to. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FleetCatalog, makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const ENTRY = { name: 'acme/shop', url: 'https://example.com/acme/shop', ref: null, forge: null };
const KEY = makeRepositoryKey(ENTRY);

describe('the catalog of a fleet', () => {
  let folder: string;
  let catalog: FleetCatalog;
  beforeEach(async () => {
    folder = temporaryFolder();
    catalog = new FleetCatalog(await openObjects(join(folder, 'fleet-objects')));
    await catalog.add([ENTRY]);
    await catalog.updateState(KEY, (state) => ({ ...state, checks: 3 }));
  });
  afterEach(() => {
    catalog[Symbol.dispose]();
    removeFolder(folder);
  });

  const path = (name: string) => join(folder, 'fleet-objects/fleet', name);
  const LIST = 'catalog.json';
  const STATE = `repositories/${KEY}.json`;
  const read = (name: string) => (name === LIST ? catalog.listEntries() : catalog.readState(KEY));

  it('is read as it was written', async () => {
    assert.deepEqual([...(await catalog.listEntries()).values()], [ENTRY]);
    assert.equal((await catalog.readState(KEY)).value.checks, 3);
  });

  for (const name of [LIST, STATE]) {
    for (const [what, content] of Object.entries({
      'a login page': '<html>Sign in',
      brackets: '['.repeat(50_000),
      'something else': '{"repositories":{"x":1}}',
      nothing: '',
    })) {
      it(`is rejected with ${what} in ${name}`, async () => {
        writeFileSync(path(name), content);
        await assert.rejects(read(name), { code: 'bad-objects' });
      });
    }

    it(`is rejected with a link in place of ${name}`, async () => {
      const elsewhere = join(folder, 'elsewhere.json');
      writeFileSync(elsewhere, '{"format":1,"repositories":{}}');
      await catalog.remove(KEY);
      mkdirSync(dirname(path(name)), { recursive: true });
      const link = path(name);
      removeFolder(link);
      symlinkSync(elsewhere, link);
      await assert.rejects(read(name), { code: 'bad-objects', message: /is a symbolic link\./ });
    });
  }

  it('is rejected if a state is too large', async () => {
    writeFileSync(path(STATE), ' '.repeat(100_000));
    await assert.rejects(catalog.readState(KEY), {
      code: 'bad-objects',
      message: /is larger than/,
    });
  });
});
