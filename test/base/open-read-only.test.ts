import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openReadOnly } from '../../src/base/sqlite.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

describe('a database that is opened for reading', () => {
  let folder: string;
  let path: string;
  before(() => {
    folder = temporaryFolder();
    path = join(folder, 'index.db');
    const database = new Sqlite(path);
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE one (value); INSERT INTO one VALUES (7)');
    database.close();
  });
  after(() => removeFolder(folder));

  it('is opened again if its last writer removed the side files meanwhile', (t) => {
    const { existsSync } = fs;
    // The files seem to be there when openReadOnly looks first.
    const looked = t.mock.method(fs, 'existsSync', (at: fs.PathLike) =>
      looked.mock.callCount() < 2 ? true : existsSync(at),
    );
    const database = openReadOnly(path);
    assert.equal(database.prepare('SELECT value FROM one').pluck().get(), 7);
    database.close();
    assert.ok(looked.mock.callCount() > 2);
  });

  it('is not tried forever', () => {
    assert.throws(() => openReadOnly(join(folder, 'missing.db')), /it cannot be opened/);
  });
});
