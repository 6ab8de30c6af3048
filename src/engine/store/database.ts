import { existsSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { openSqlite } from './failures.ts';
import { makeFolder } from './location.ts';
import { MIGRATIONS } from './migrations.ts';

export type Database = Sqlite.Database;

/**
 * Opens the database at `path`, creating it and its folder when missing, and brings its schema up to date.
 *
 * Everything in it can be made again from the repository, so a file that SQLite cannot read is moved
 * aside (never deleted) and a new one begun; `notes` then says so.
 *
 * @throws LocusError `bad-store` when it was written by a newer version, or cannot be opened or created.
 */
export function openDatabase(path: string): { database: Database; notes: string[] } {
  try {
    makeFolder(dirname(path));
    return { database: openOrThrow(path), notes: [] };
  } catch (error) {
    if (!isDamage(error)) throw asStoreError(error, path);
    const aside = setAside(path);
    const note = `the index at ${path} was damaged (${(error as Error).message}); it was moved to ${aside} and is being made anew`;
    return { database: openOrThrow(path), notes: [note] };
  }
}

function openOrThrow(path: string): Database {
  const database = openSqlite(path, { timeout: 10_000 });
  try {
    // A killed process must not lose a committed batch, a power cut may: the index can be made again.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('cache_size = -65536');
    migrate(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Brings the schema up to date. @throws LocusError `bad-store` when a newer version wrote it. */
export function migrate(database: Database, path: string): void {
  // Opening a current database must write nothing: other processes would take it for news.
  if (database.pragma('user_version', { simple: true }) === MIGRATIONS.length) return;
  const upgrade = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true }) as number;
    if (version > MIGRATIONS.length) {
      throw new LocusError(
        'bad-store',
        `the index at ${path} was written by a newer version of Locus (schema ${version}, this one knows ${MIGRATIONS.length})`,
        'update Locus, or give this version a data directory of its own with --data-dir',
      );
    }
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  upgrade.immediate();
}

function isDamage(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Moves a damaged database and its side files out of the way; returns where it went. */
function setAside(path: string): string {
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

function asStoreError(error: unknown, path: string): Error {
  if (error instanceof LocusError) return error;
  return new LocusError(
    'bad-store',
    `the index at ${path} cannot be opened: ${(error as Error).message}`,
    'check that the folder exists and can be written, or choose another with --data-dir or LOCUS_DATA_DIR',
    { cause: error },
  );
}
