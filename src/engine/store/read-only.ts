/** Databases that are only read: on media that cannot be written, or because the one who asks is to change nothing. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileFailure, openReadOnly, openSqlite } from '../../base/sqlite.ts';
import { type Database, hasCurrentSchema } from './database.ts';

/**
 * Opens an index to read a snapshot of it: a revision's, or the working tree's for null. One that is missing, of an earlier version, or not
 * of this snapshot is empty.
 * @throws LocusError `bad-store` if it cannot be read, or was written by a newer version.
 */
export function openIndexReadOnly(path: string, revision: string | null): Database {
  // One that is being made has no bytes at first.
  if (sizeOf(path) === 0) return openEmpty(path);
  const database = openReadOnly(path);
  const has = closedOnFailure(database, () => hasSnapshot(database, path, revision ?? ''));
  if (has) return database;
  database.close();
  return openEmpty(path);
}

/** Bytes; none of a file that is not there. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    throw fileFailure(error, path);
  }
}

function hasSnapshot(database: Database, path: string, revision: string): boolean {
  if (!hasCurrentSchema(database, path)) return false;
  return Boolean(database.prepare('SELECT 1 FROM snapshots WHERE revision = ?').get(revision));
}

function openEmpty(path: string): Database {
  const database = openSqlite(':memory:', {}, path);
  closedOnFailure(database, () => hasCurrentSchema(database, path));
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
    // Not writable.
    return false;
  }
}
