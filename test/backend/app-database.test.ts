import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { APP_MIGRATIONS } from '../../src/backend/app-schema.ts';
import { startSession } from '../../src/backend/engine-host.ts';
import type { EngineSession } from '../../src/backend/session.ts';
import type { ChunkDetail } from '../../src/shared/detail.ts';
import { databasePath } from '../support/dump.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { connect, indexed, waitFor, workplace } from './support.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

const path = () => join(dataDir, 'app.db');
function change(sql: string, file = path()): void {
  const database = new Sqlite(file);
  database.exec(sql);
  database.close();
}

describe('app.db', () => {
  it('of a newer version is refused and left as it is', () => {
    openAppDatabase(dataDir)[Symbol.dispose]();
    change('PRAGMA user_version = 99');
    assert.throws(() => openAppDatabase(dataDir), {
      code: 'bad-store',
      message: /newer version of Locus \(schema 99/,
      remedy: /Update Locus/,
    });
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.includes('damaged')),
      [],
    );
  });

  it('without a table gets an empty one, and the user is notified', () => {
    openAppDatabase(dataDir)[Symbol.dispose]();
    change('DROP TABLE marks');
    const database = openAppDatabase(dataDir);
    assert.match(database.notes[0], /lacked the tables marks/);
    assert.deepEqual(database.prepare('SELECT * FROM marks').all(), []);
    database[Symbol.dispose]();
    const again = openAppDatabase(dataDir);
    assert.deepEqual(again.notes, []);
    again[Symbol.dispose]();
  });

  it('is copied before a migration, and the last three copies are kept', () => {
    const database = new Sqlite(path());
    database.exec(APP_MIGRATIONS[0]);
    database.exec(`INSERT INTO settings VALUES ('theme', '"dark"')`);
    database.pragma('user_version = 1');
    database.close();
    openAppDatabase(dataDir)[Symbol.dispose]();
    const copy = new Sqlite(`${path()}.schema-1`, { readonly: true });
    assert.equal(copy.prepare('SELECT value FROM settings').pluck().get(), '"dark"');
    copy.close();
  });

  it('is reopened after another process replaced it', async () => {
    const session = startSession({ dataDir });
    try {
      const client = connect(session);
      await client.call('settings.set', { theme: 'dark' });
      // Like another process that recovers it.
      const { quarantine } = await import('../../src/base/quarantine.ts');
      quarantine(path());
      assert.equal((await client.call('settings.get', {})).theme, 'system');
      await client.call('settings.set', { theme: 'light' });
    } finally {
      await session.close();
    }
    const database = new Sqlite(path(), { readonly: true });
    assert.equal(database.prepare('SELECT value FROM settings').pluck().get(), '"light"');
    database.close();
  });
});

describe('a bad setting', () => {
  for (const value of ['{', '"no such theme"', '']) {
    it(`${JSON.stringify(value)} counts as not set, is reported once, and stays until it is changed`, async () => {
      openAppDatabase(dataDir)[Symbol.dispose]();
      change(`INSERT INTO settings VALUES ('theme', '${value}'), ('limit', '50')`);
      const session = startSession({ dataDir });
      try {
        const client = connect(session);
        const { text } = await waitFor(client, 'note');
        assert.match(text, /“theme”/);
        const settings = await client.call('settings.set', { zoom: 2 });
        assert.deepEqual([settings.theme, settings.limit, settings.zoom], ['system', 50, 2]);
        const database = new Sqlite(path(), { readonly: true });
        const kept = database
          .prepare(`SELECT value FROM settings WHERE key = 'theme'`)
          .pluck()
          .get();
        database.close();
        assert.equal(kept, value);
        assert.equal((await client.call('settings.set', { theme: 'dark' })).theme, 'dark');
        assert.deepEqual(session.settings.listInvalid(), []);
      } finally {
        await session.close();
      }
    });
  }
});

describe('an index that is damaged while it is open', () => {
  it('is rebuilt with a note to the window, and its request is answered', async () => {
    const place = workplace();
    const open = async (session: EngineSession) => {
      const client = connect(session);
      const current = indexed(client);
      const { id } = await client.call('repository.open', { root: place.root });
      await current;
      return { client, id };
    };
    await open(place.session);
    await place.session.close();
    const session = startSession({ dataDir: place.dataDir });
    try {
      const { client, id } = await open(session);
      const request = { repository: id, request: { chunk: 'shop/cart.py::Cart.from_header' } };
      // Texts are read on request, after opening.
      change('UPDATE version_data SET texts = zeroblob(99)', databasePath(place.dataDir)!);
      const told = waitFor(client, 'note', ({ level }) => level === 'warning');
      const again = indexed(client);
      const meanwhile = await client.call('show', request).catch((error) => error.code);
      assert.match((await told).text, /index.db was damaged .*is being rebuilt/);
      await again;
      const isShown = (detail: ChunkDetail) => detail.code.includes('def from_header');
      assert.ok(meanwhile === 'not-found' || isShown(meanwhile));
      assert.ok(isShown(await client.call('show', request)));
    } finally {
      await session.close();
      await place.done();
    }
  });
});

describe('modes', { skip: process.platform === 'win32' }, () => {
  const modes = (folder: string): Record<string, string> =>
    Object.fromEntries(
      [
        folder,
        ...(readdirSync(folder, { recursive: true }) as string[]).map((name) => join(folder, name)),
      ].map((file) => [file, (statSync(file).mode & 0o777).toString(8)]),
    );

  it('of all that Locus keeps are for its user alone, of what was there too, whatever the umask', async () => {
    const umask = process.umask(0);
    const place = workplace();
    try {
      const client = connect(place.session);
      const current = indexed(client);
      await client.call('repository.open', { root: place.root });
      await current;
      for (const [file, mode] of Object.entries(modes(place.dataDir)))
        assert.equal(mode, statSync(file).isDirectory() ? '700' : '600', file);
    } finally {
      await place.session.close();
      process.umask(umask);
    }
    const { chmodSync } = await import('node:fs');
    for (const file of Object.keys(modes(place.dataDir)))
      chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
    const again = startSession({ dataDir: place.dataDir });
    await again.close();
    for (const [file, mode] of Object.entries(modes(place.dataDir)))
      assert.equal(mode, statSync(file).isDirectory() ? '700' : '600', file);
    await place.done();
  });

  it('of a folder that is there for other things too stay as they are, and of what is above', async () => {
    const { chmodSync, mkdirSync, writeFileSync } = await import('node:fs');
    const shared = join(dataDir, 'shared');
    mkdirSync(shared);
    writeFileSync(join(shared, 'notes.txt'), 'the user’s own');
    for (const [file, mode] of [
      [dataDir, 0o755],
      [shared, 0o755],
      [join(shared, 'notes.txt'), 0o644],
    ] as const)
      chmodSync(file, mode);
    openAppDatabase(shared)[Symbol.dispose]();
    const found = modes(dataDir);
    assert.deepEqual(
      [
        found[dataDir],
        found[shared],
        found[join(shared, 'notes.txt')],
        found[join(shared, 'app.db')],
      ],
      ['755', '755', '644', '600'],
    );
  });
});
