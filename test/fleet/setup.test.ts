/** Which fleet is meant: by an option, by the environment, or as it is stored. Nothing here reaches one. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import {
  fleetOptions,
  fleetPlaces,
  fleetSetUp,
  forgetFleet,
  setUpFleet,
} from '../../src/services/fleet/setup.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const FLEET = {
  objects: 's3://acme-locus/fleet',
  engine: 'https://milvus.example.test:19530',
  token: 'root:secret',
};

describe('the fleet that is set up', () => {
  const dataDir = temporaryFolder();
  const options = (given = {}, env = {}) => fleetOptions({ dataDir, ...given }, env);
  beforeEach(() => forgetFleet(dataDir));
  after(() => removeFolder(dataDir));

  it('is none until it is stored, in a file of its user’s own, and none again', async () => {
    await assert.rejects(options(), { code: 'bad-input', message: 'no fleet is set up' });
    assert.deepEqual(fleetSetUp({ dataDir }, {}), {
      places: null,
      hasToken: false,
      variables: [],
    });
    await setUpFleet(dataDir, FLEET);
    assert.deepEqual(await options(), { dataDir, ...FLEET });
    // LOCUS_DATA_DIR is heeded as everywhere.
    assert.equal((await fleetOptions({}, { LOCUS_DATA_DIR: dataDir })).token, FLEET.token);
    if (process.platform !== 'win32') {
      assert.equal(statSync(join(dataDir, 'fleet.json')).mode & 0o777, 0o600);
      // A folder of Locus' own is closed when it is next written to.
      chmodSync(dataDir, 0o755);
      await setUpFleet(dataDir, FLEET);
      assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    }
    const places = { objects: FLEET.objects, engine: FLEET.engine, isLocal: false };
    assert.deepEqual(fleetSetUp({ dataDir }, {}), { places, hasToken: true, variables: [] });
    await forgetFleet(dataDir);
    assert.equal(existsSync(join(dataDir, 'fleet.json')), false);
    assert.equal(fleetPlaces({ dataDir }, {}), null);
  });

  it('is that of an option before that of a variable, and that before what is stored', async () => {
    await setUpFleet(dataDir, FLEET);
    const env = {
      LOCUS_FLEET_OBJECTS: '/mnt/fleet',
      LOCUS_FLEET_ENGINE: 'http://127.0.0.1:2',
      LOCUS_FLEET_TOKEN: 'of:environment',
    };
    const given = { objects: '/srv/fleet', engine: 'http://127.0.0.1:3' };
    const told = ({ objects, engine, token }: typeof FLEET | Awaited<ReturnType<typeof options>>) =>
      [objects, engine, token].join(' ');
    assert.equal(told(await options(given, env)), '/srv/fleet http://127.0.0.1:3 of:environment');
    assert.equal(told(await options({}, env)), '/mnt/fleet http://127.0.0.1:2 of:environment');
    const { LOCUS_FLEET_TOKEN } = env;
    assert.equal(
      told(await options({}, { LOCUS_FLEET_TOKEN })),
      `${FLEET.objects} ${FLEET.engine} of:environment`,
    );
    assert.deepEqual(fleetSetUp({ dataDir }, env).variables, Object.keys(env));
  });

  it('has its engine with its list alone, and its token with its engine alone', async () => {
    await setUpFleet(dataDir, FLEET);
    const other = await options({ objects: '/srv/fleet' });
    assert.deepEqual([other.engine, other.token], ['http://127.0.0.1:19530', undefined]);
    const elsewhere = await options({}, { LOCUS_FLEET_ENGINE: 'https://evil.example.test:19530' });
    assert.deepEqual([elsewhere.objects, elsewhere.token], [FLEET.objects, undefined]);
    assert.equal((await options({ engine: `${FLEET.engine}/` })).token, FLEET.token);
  });

  it('keeps its token where none is said, until its engine is another one', async () => {
    const { token, ...places } = FLEET;
    await setUpFleet(dataDir, FLEET);
    await setUpFleet(dataDir, { ...places, objects: 's3://acme-locus/other' });
    assert.equal((await options()).token, token);
    await setUpFleet(dataDir, { ...places, token: null });
    assert.equal((await options()).token, undefined);
    await setUpFleet(dataDir, FLEET);
    await setUpFleet(dataDir, { ...places, engine: 'https://evil.example.test:19530' });
    await setUpFleet(dataDir, places);
    assert.equal((await options()).token, undefined);
  });

  it('refuses what is no place, no address and no token, quotes no token, and keeps what there was', async () => {
    await setUpFleet(dataDir, FLEET);
    const refused: [change: object, message: RegExp][] = [
      [{ objects: 'ftp://example.test/x' }, /is neither s3:\/\/ nor https:\/\//],
      [{ objects: 's3://UPPER/x' }, /names no bucket/],
      [{ engine: 'milvus.example.test' }, /the address of the engine is none/],
      [{ engine: 'https://root:secret@milvus.example.test' }, /the address of the engine is none/],
      [{ token: 'secret\nsecret' }, /a token is one line/],
      [{ token: 'secret'.repeat(1_000) }, /a token is one line/],
      [{ token: '' }, /a token is one line/],
    ];
    for (const [change, message] of refused) {
      await assert.rejects(setUpFleet(dataDir, { ...FLEET, ...change }), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
    assert.deepEqual(await options(), { dataDir, ...FLEET });
  });

  it('is told to be damaged, without what is in it, and set up again over that', async () => {
    for (const text of ['{"objects": "s3://secret', '{"objects":3}', '']) {
      writeFiles(dataDir, { 'fleet.json': text });
      await assert.rejects(options(), (error: Error) => {
        assert.match(error.message, /fleet\.json does not say where the fleet is/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
      assert.equal(fleetPlaces({ dataDir }, {}), null);
      assert.equal((await options({ objects: '/srv/fleet' })).objects, '/srv/fleet');
    }
    await setUpFleet(dataDir, FLEET);
    assert.deepEqual(await options(), { dataDir, ...FLEET });
  });
});
