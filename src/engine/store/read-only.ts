/** Databases that are only read: on media that cannot be written, or because the one who asks is to change nothing. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Database, migrate } from './database.ts';
import { fileFailure, openSqlite } from './failures.ts';
import { MIGRATIONS } from './migrations.ts';

/**
 * Opens a database that is there without writing to any file, whatever its journal mode.
 *
 * One in WAL mode needs the files beside it, which SQLite makes even for a reader. They are not needed where there are
 * none: then nobody has it open, and all of it is in one file (`immutable`). Where there are, they are read as they are.
 * @throws LocusError `bad-store`, among others when a process was killed that had it open and the files it left
 * cannot be used.
 */
export function openReadOnly(path: string): Database {
  const uri = pathToFileURL(path);
  const how = !existsSync(`${path}-wal`)
    ? 'immutable=1'
    : existsSync(`${path}-shm`)
      ? 'mode=ro&readonly_shm=1'
      : 'mode=ro';
  return openSqlite(`${uri}?${how}`, { readonly: true, timeout: 10_000 }, path);
}

/**
 * Opens an index to read a snapshot of it: a revision's, or the working tree's for null. An index of an older schema is
 * read as a copy in memory, which is brought up to date there; one that is not there, or not of this snapshot, is empty.
 * @throws LocusError `bad-store` when it cannot be read, or was written by a newer version.
 */
export function openIndexReadOnly(path: string, revision: string | null): Database {
  // One that is being made has no bytes at first.
  if (sizeOf(path) === 0) return inMemory(':memory:', path);
  const stored = openReadOnly(path);
  const database = closedOnFailure(stored, () => current(stored, path));
  const has = closedOnFailure(database, () =>
    database.prepare('SELECT 1 FROM snapshots WHERE revision = ?').get(revision ?? ''),
  );
  if (has) return database;
  database.close();
  return inMemory(':memory:', path);
}

/** Bytes; none of a file that is not there. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** The database, or, of an older schema, a copy of it. */
function current(stored: Database, path: string): Database {
  if (stored.pragma('user_version', { simple: true }) === MIGRATIONS.length) return stored;
  const copy = stored.serialize();
  stored.close();
  // The header's word for WAL mode, which a database in memory cannot be in.
  copy.fill(1, 18, 20);
  return inMemory(copy, path);
}

function inMemory(source: string | Buffer, path: string): Database {
  const database = openSqlite(source, {}, path);
  closedOnFailure(database, () => migrate(database, path));
  return database;
}

function closedOnFailure<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether a database is there that this process may not write to, or in whose folder. */
export function isReadOnly(path: string): boolean {
  return existsSync(path) && !(isWritable(path) && isWritable(dirname(path)));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
