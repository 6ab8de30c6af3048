/** Tests how the fleet is resolved from options, variables and the data directory. Contacts no fleet. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import {
  describeFleetSetup,
  findFleetLocation,
  removeFleetSetup,
  resolveFleet,
  setUpFleet,
} from '../../src/services/fleet/setup.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const FLEET = {
  objects: 's3://acme-locus/fleet',
  engine: 'https://milvus.example.test:19530',
  token: 'root:secret',
};

describe('the fleet setup', () => {
  const dataDir = temporaryFolder();
  const options = (given = {}, env = {}) => resolveFleet({ dataDir, ...given }, env);
  beforeEach(() => removeFleetSetup(dataDir));
  after(() => removeFolder(dataDir));

  it('does not exist before it is stored in a private file, and after its removal', async () => {
    await assert.rejects(options(), { code: 'bad-input', message: 'No fleet is set up.' });
    assert.deepEqual(describeFleetSetup({ dataDir }, {}), {
      location: null,
      hasToken: false,
      variables: [],
    });
    await setUpFleet(dataDir, FLEET);
    assert.deepEqual(await options(), { dataDir, ...FLEET });
    // LOCUS_DATA_DIR applies here, too.
    assert.equal((await resolveFleet({}, { LOCUS_DATA_DIR: dataDir })).token, FLEET.token);
    if (process.platform !== 'win32') {
      assert.equal(statSync(join(dataDir, 'fleet.json')).mode & 0o777, 0o600);
      // The folder becomes private when it is next written to.
      chmodSync(dataDir, 0o755);
      await setUpFleet(dataDir, FLEET);
      assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    }
    const location = { objects: FLEET.objects, engine: FLEET.engine, isLocal: false };
    assert.deepEqual(describeFleetSetup({ dataDir }, {}), {
      location,
      hasToken: true,
      variables: [],
    });
    await removeFleetSetup(dataDir);
    assert.equal(existsSync(join(dataDir, 'fleet.json')), false);
    assert.equal(findFleetLocation({ dataDir }, {}), null);
  });

  it('prefers options to variables, and variables to the stored setup', async () => {
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
    assert.deepEqual(describeFleetSetup({ dataDir }, env).variables, Object.keys(env));
  });

  it('uses the stored engine only with its catalog, and the stored token only with its engine', async () => {
    await setUpFleet(dataDir, FLEET);
    const other = await options({ objects: '/srv/fleet' });
    assert.deepEqual([other.engine, other.token], ['http://127.0.0.1:19530', undefined]);
    const elsewhere = await options({}, { LOCUS_FLEET_ENGINE: 'https://evil.example.test:19530' });
    assert.deepEqual([elsewhere.objects, elsewhere.token], [FLEET.objects, undefined]);
    assert.equal((await options({ engine: `${FLEET.engine}/` })).token, FLEET.token);
  });

  it('keeps the token if none is given, unless the engine changes', async () => {
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

  it('rejects invalid locations, addresses and tokens, quotes no token, and keeps the old setup', async () => {
    await setUpFleet(dataDir, FLEET);
    const refused: [change: object, message: RegExp][] = [
      [{ objects: 'ftp://example.test/x' }, /is neither s3:\/\/ nor https:\/\//],
      [{ objects: 's3://UPPER/x' }, /does not name a valid bucket/],
      [{ engine: 'milvus.example.test' }, /The Milvus address is invalid/],
      [{ engine: 'https://root:secret@milvus.example.test' }, /The Milvus address is invalid/],
      [{ token: 'secret\nsecret' }, /The token is invalid/],
      [{ token: 'secret'.repeat(1_000) }, /The token is invalid/],
      [{ token: '' }, /The token is invalid/],
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

  it('reports a damaged file without its content, and can be replaced', async () => {
    for (const text of ['{"objects": "s3://secret', '{"objects":3}', '']) {
      writeFiles(dataDir, { 'fleet.json': text });
      await assert.rejects(options(), (error: Error) => {
        assert.match(error.message, /fleet\.json is damaged/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
      assert.equal(findFleetLocation({ dataDir }, {}), null);
      assert.equal((await options({ objects: '/srv/fleet' })).objects, '/srv/fleet');
    }
    await setUpFleet(dataDir, FLEET);
    assert.deepEqual(await options(), { dataDir, ...FLEET });
  });
});
