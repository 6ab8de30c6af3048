/** Tests where secrets are stored, by processes whose keychain works, is missing, or fails in any way. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { removeFolder, writeFiles } from '../support/repository.ts';
import { type Outcome, Place } from './support.ts';

const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');
const SECRET = 'swordfish';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => removeFolder(place.folder));

const result = (result: string | null) => ({ result });
const done = result(null);

/** @returns the message and the remedy of a failure */
function failed({ error }: Outcome): string {
  assert.ok(error, 'it fails');
  assert.ok(!JSON.stringify(error).includes(SECRET), 'no error quotes a secret');
  return `${error.code}: ${error.message} ${error.remedy}`;
}

describe('a secret', () => {
  for (const kind of ['check', 'fleet']) {
    it(`is in the keychain if there is one: ${kind}`, async () => {
      assert.deepEqual(await place.withKeychain(`write ${kind}`, SECRET), done);
      assert.ok(!place.files.includes(SECRET));
      assert.deepEqual(Object.values(place.entries), [SECRET]);
      assert.deepEqual(await place.withKeychain(`read ${kind}`), result(SECRET));
      assert.deepEqual(await place.withKeychain(`write ${kind}`, 'another'), done);
      assert.deepEqual(Object.values(place.entries), ['another']);
      assert.deepEqual(await place.withKeychain(`remove ${kind}`), done);
      assert.deepEqual(place.entries, {});
    });

    it(`is in a file without a keychain, and moves to the first keychain: ${kind}`, async () => {
      assert.deepEqual(await place.withoutKeychain(`write ${kind}`, SECRET), done);
      assert.ok(place.files.includes(SECRET));
      assert.deepEqual(await place.withoutKeychain(`read ${kind}`), result(SECRET));
      assert.deepEqual(await place.withKeychain(`read ${kind}`), result(SECRET));
      assert.ok(!place.files.includes(SECRET));
      assert.deepEqual(Object.values(place.entries), [SECRET]);
      assert.deepEqual(await place.withKeychain(`read ${kind}`), result(SECRET));
    });
  }

  it('in the keychain is not lost by a process without one, which says where it is', async () => {
    await place.withKeychain('write check', SECRET);
    await place.withKeychain('write fleet', SECRET);
    assert.equal(
      failed(await place.withoutKeychain('read check')),
      'bad-store: The API key for https://a.example is in the system’s keychain. There is no D-Bus session. Unlock the keychain, run Locus where it can be used, or give the key again, in the settings of the check or in LOCUS_CHECK_API_KEY.',
    );
    assert.match(failed(await place.withoutKeychain('read fleet')), /LOCUS_FLEET_TOKEN/);
    assert.deepEqual(await place.withKeychain('read check'), result(SECRET));
  });

  it('is the latest, whoever wrote it', async () => {
    await place.withKeychain('write fleet', 'first');
    await place.withoutKeychain('write fleet', SECRET);
    assert.deepEqual(await place.withoutKeychain('read fleet'), result(SECRET));
    assert.deepEqual(await place.withKeychain('read fleet'), result(SECRET));
    await place.withKeychain('write fleet', 'third');
    await place.withoutKeychain('remove fleet');
    assert.match(failed(await place.withKeychain('read fleet')), /No fleet is set up/);
  });

  it('moves back to a file with LOCUS_KEYCHAIN=off', async () => {
    const off = { LOCUS_KEYCHAIN: 'off' };
    await place.withKeychain('write check', SECRET);
    assert.deepEqual(await place.withKeychain('read check', '', off), result(SECRET));
    assert.deepEqual(place.entries, {});
    assert.deepEqual(await place.withoutKeychain('read check'), result(SECRET));
    await place.withKeychain('write fleet', SECRET, off);
    assert.deepEqual(place.entries, {});
  });

  it('is in no file with LOCUS_KEYCHAIN=on', async () => {
    const on = { LOCUS_KEYCHAIN: 'on' };
    const refusal =
      /^bad-store: The .* cannot be stored in the system’s keychain\. There is no D-Bus/;
    assert.match(failed(await place.withoutKeychain('write check', SECRET, on)), refusal);
    assert.deepEqual(await place.withoutKeychain('read check', '', on), done);
    await place.withoutKeychain('write check', SECRET);
    assert.match(failed(await place.withoutKeychain('read check', '', on)), refusal);
    assert.deepEqual(await place.withKeychain('read check', '', on), result(SECRET));
  });

  it('is only used for what it was stored for', async () => {
    await place.withKeychain('write fleet', SECRET);
    const stolen = JSON.parse(readFileSync(join(place.dataDir, 'fleet.json'), 'utf8')).token;
    const keys = { 'https://a.example': stolen };
    writeFiles(place.dataDir, { 'check.json': JSON.stringify({ keys }) });
    assert.match(failed(await place.withKeychain('read check')), /It has no such entry\./);
  });

  it('in a damaged file can be entered again', async () => {
    for (const token of ['{"keychain":3}', '{}', '3', '{"keychain"'])
      writeFiles(place.dataDir, {
        'fleet.json': `{"objects":"/mnt","engine":"http://a","token":${token}}`,
        'check.json': `{"keys":{"https://a.example":${token}}}`,
      });
    assert.match(failed(await place.withKeychain('read fleet')), /fleet\.json is damaged/);
    assert.deepEqual(await place.withKeychain('read check'), done);
    for (const kind of ['fleet', 'check']) {
      assert.deepEqual(await place.withKeychain(`write ${kind}`, SECRET), done);
      assert.deepEqual(await place.withKeychain(`read ${kind}`), result(SECRET));
    }
  });

  it('has one value, whoever reads, writes and moves it concurrently', async () => {
    await place.withoutKeychain('write check', 'before');
    const read = ['1', '2', '3'].map(() => place.withKeychain('read check'));
    const written = place.withKeychain('write check', SECRET);
    for (const { result } of await Promise.all(read)) assert.match(result!, /^(before|swordfish)$/);
    assert.deepEqual(await written, done);
    assert.deepEqual(await place.withKeychain('read check'), result(SECRET));
    assert.deepEqual(Object.values(place.entries), [SECRET]);
  });
});

describe('the key of a publisher', () => {
  it('is created in the keychain, and its public part is known without it', async () => {
    const { result: key } = await place.withKeychain('read publisher');
    assert.match(key!, /^ed25519:/);
    assert.deepEqual(await place.withKeychain('read publisher'), result(key!));
    assert.deepEqual(await place.withoutKeychain('public key'), result(key!));
    assert.ok(!place.files.includes('PRIVATE KEY'));
    assert.match(failed(await place.withoutKeychain('read publisher')), /LOCUS_PUBLISHER_KEY/);
    const off = { LOCUS_KEYCHAIN: 'off' };
    assert.deepEqual(await place.withKeychain('read publisher', '', off), result(key!));
    assert.match(place.files, /^-----BEGIN PRIVATE KEY-----$/m);
  });

  it('moves to the keychain unchanged, and no other file does', async () => {
    const { result: key } = await place.withoutKeychain('read publisher');
    const pem = readFileSync(join(place.dataDir, 'publisher.key'), 'utf8');
    assert.deepEqual(await place.withKeychain('read publisher'), result(key!));
    assert.deepEqual(Object.values(place.entries), [pem]);
    assert.ok(!place.files.includes('PRIVATE KEY'));
    const { privateKey } = generateKeyPairSync('x25519');
    const other = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const text of ['{', '', '{"publicKey":"ed25519:x"}', other]) {
      writeFileSync(join(place.dataDir, 'publisher.key'), text);
      assert.match(
        failed(await place.withKeychain('read publisher')),
        /does not hold an Ed25519 private key/,
      );
      assert.equal(readFileSync(join(place.dataDir, 'publisher.key'), 'utf8'), text);
    }
  });

  it('is the same for all processes that create it concurrently', async () => {
    const makers = ['1', '2', '3'].map(() => place.withKeychain('read publisher'));
    const keys = new Set((await Promise.all(makers)).map(({ result }) => result));
    assert.equal(keys.size, 1);
    assert.equal(Object.keys(place.entries).length, 1);
  });
});

/** Defects of the keychain, and the reason that is reported. */
const DEFECTS: [does: string, reason: RegExp][] = [
  ['missing', /Its library cannot be loaded\./],
  ['unreachable', /It cannot be reached \(Platform failure: no such bus\)\./],
  ['hang', /It did not answer within \d+ seconds?\./],
  ['throw-set', /It is locked, or rejected the request\./],
  ['hang-set', /It did not answer within \d+ seconds?\./],
  ['forget', /It did not store the secret\./],
];
const hurried = (does: string) => (does.startsWith('hang') ? { HURRY: '1' } : {});

describe('a keychain that fails', () => {
  for (const [does, reason] of DEFECTS)
    it(`leaves secrets in files: ${does}`, async () => {
      await place.whileKeychain(does, async () => {
        const env = hurried(does);
        assert.deepEqual(await place.withKeychain('write fleet', SECRET, env), done);
        assert.deepEqual(await place.withKeychain('read fleet', '', env), result(SECRET));
        assert.ok(place.files.includes(SECRET));
        const on = { ...env, LOCUS_KEYCHAIN: 'on' };
        assert.match(failed(await place.withKeychain('write fleet', 'other', on)), reason);
      });
      assert.deepEqual(await place.withKeychain('read fleet'), result(SECRET));
      assert.ok(!place.files.includes(SECRET));
    });

  for (const does of ['missing', 'unreachable', 'hang', 'hang-get', 'throw-get'])
    it(`does not lose stored secrets: ${does}`, async () => {
      await place.withKeychain('write fleet', SECRET);
      await place.whileKeychain(does, async () => {
        const said = failed(await place.withKeychain('read fleet', '', hurried(does)));
        assert.match(said, /^bad-store: The token for https:\/\/milvus\.example:19530 is in the/);
      });
      assert.deepEqual(await place.withKeychain('read fleet'), result(SECRET));
    });

  it('keeps an entry that it cannot remove, which is not used again', async () => {
    await place.withKeychain('write fleet', 'first');
    await place.whileKeychain('throw-delete', async () => {
      assert.deepEqual(await place.withKeychain('write fleet', SECRET), done);
    });
    assert.deepEqual(await place.withKeychain('read fleet'), result(SECRET));
    assert.equal(Object.keys(place.entries).length, 2);
  });
});

describe('a process that is killed while it', () => {
  for (const when of ['before-set', 'after-set', 'before-delete', 'after-delete']) {
    it(`replaces a secret loses neither: ${when}`, async () => {
      await place.withKeychain('write fleet', 'first');
      await place.whileKeychain(`kill-${when}`, async () => {
        assert.deepEqual(await place.withKeychain('write fleet', SECRET), { killed: true });
      });
      const kept = when.endsWith('set') ? 'first' : SECRET;
      assert.deepEqual(await place.withKeychain('read fleet'), result(kept));
    });

    it(`moves a secret does not lose it: ${when}`, async () => {
      const isBack = when.endsWith('delete');
      const off = isBack ? { LOCUS_KEYCHAIN: 'off' } : {};
      if (isBack) await place.withKeychain('write fleet', SECRET);
      else await place.withoutKeychain('write fleet', SECRET);
      await place.whileKeychain(`kill-${when}`, async () => {
        assert.deepEqual(await place.withKeychain('read fleet', '', off), { killed: true });
      });
      assert.deepEqual(await place.withKeychain('read fleet'), result(SECRET));
    });
  }
});

describe('locus doctor', () => {
  const doctor = (env: NodeJS.ProcessEnv) => {
    const { stdout } = spawnSync(process.execPath, [LOCUS, 'doctor', '--json'], {
      env: { ...env, LOCUS_DATA_DIR: place.dataDir, LOCUS_LOG: 'debug' },
      encoding: 'utf8',
    });
    assert.ok(!stdout.includes(SECRET));
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    return checks.find(({ name }) => name === 'secrets');
  };

  it('says where secrets are stored, and no log contains one', async () => {
    await place.withKeychain('write check', SECRET);
    await place.withoutKeychain('write fleet', 'in-a-file');
    const where =
      'In the keychain: API key for https://a.example. In files that only you can read: token for https://milvus.example:19530.';
    const { FAKE_KEYRING: _, DBUS_SESSION_BUS_ADDRESS: _bus, ...bare } = place.env;
    assert.deepEqual(doctor(place.env), {
      name: 'secrets',
      state: 'ok',
      detail: `The system’s keychain works. ${where}`,
      remedy: null,
    });
    assert.deepEqual(doctor(bare), {
      name: 'secrets',
      state: 'warning',
      detail: `The keychain is not used. There is no D-Bus session. ${where}`,
      remedy: 'Start and unlock the keychain, or enter the secrets again.',
    });
    const logs = join(place.dataDir, 'logs');
    for (const name of readdirSync(logs)) {
      const text = readFileSync(join(logs, name), 'utf8');
      assert.ok(!text.includes(SECRET) && !text.includes('in-a-file'));
    }
  });
});
