/**
 * What the user made and Locus cannot make again: settings, issues, marks, recent repositories. Kept in `app.db`
 * in the data directory, apart from the indexes, which may be thrown away at any time.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { makeFolder } from '../store/location.ts';

export type AppDatabase = Sqlite.Database;

/** Step n brings the schema from version n to n + 1; a released step is never edited. Times are ISO 8601. */
const MIGRATIONS = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;   -- value: JSON

  CREATE TABLE repositories (
    root TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'empty',
    last_issue TEXT
  ) WITHOUT ROWID;

  CREATE TABLE issues (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,                -- of the repository it is about
    name TEXT,                         -- given by the user; else its title is its first line
    text TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT
  ) WITHOUT ROWID;
  CREATE INDEX issues_by_root ON issues (root, updated_at);

  -- A chunk is known by its address and its content, so that it is found again after it moved.
  CREATE TABLE marks (
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    mark TEXT,                         -- edit, relevant, irrelevant; NULL when there is only a note
    note TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (issue_id, path, qualified_name, ordinal)
  ) WITHOUT ROWID;
  `,
  // Whether it was in a git repository when it was opened last.
  'ALTER TABLE repositories ADD COLUMN git INTEGER NOT NULL DEFAULT 0',
  // Marks are edit, read and irrelevant since.
  "UPDATE marks SET mark = 'read' WHERE mark = 'relevant'",
];

/**
 * Opens or creates `app.db`. A file that SQLite cannot read is moved aside, never deleted; `note` then says so.
 *
 * @throws LocusError `bad-store` when it cannot be opened or was written by a newer version.
 */
export function openAppDatabase(directory: string): { database: AppDatabase; note: string | null } {
  const path = join(directory, 'app.db');
  try {
    makeFolder(directory);
    return { database: openOrThrow(path), note: null };
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code !== 'SQLITE_NOTADB' && !code.startsWith('SQLITE_CORRUPT'))
      throw storeError(error, path);
    const aside = `${path}.damaged-${Date.now()}`;
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    const note = `issues, marks and settings could not be read and begin anew; the damaged file is kept as ${aside}`;
    return { database: openOrThrow(path), note };
  }
}

function openOrThrow(path: string): AppDatabase {
  const database = new Sqlite(path, { timeout: 10_000 });
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL'); // A note must survive a power cut, and there are few writes.
    database.pragma('foreign_keys = ON');
    database.transaction(() => migrate(database, path)).immediate();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: AppDatabase, path: string): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version > MIGRATIONS.length) {
    throw new LocusError(
      'bad-store',
      `${path} was written by a newer version of Locus`,
      'update Locus, or choose another data directory',
    );
  }
  for (const step of MIGRATIONS.slice(version)) database.exec(step);
  if (version < MIGRATIONS.length) database.pragma(`user_version = ${MIGRATIONS.length}`);
}

function storeError(error: unknown, path: string): Error {
  if (error instanceof LocusError) return error;
  return new LocusError(
    'bad-store',
    `${path} cannot be opened: ${(error as Error).message}`,
    'check the folder’s permissions and free space, or choose another data directory',
    { cause: error },
  );
}
