/** Opens databases for reading only, because they are not writable or because the caller must not change anything. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFileError, openReadOnly, openSqlite } from '../../base/sqlite.ts';
import { type Database, ensureCurrentSchema } from './database.ts';

/**
 * Opens an index to read the snapshot of a revision, or of the working tree for null. Returns an empty database if the index is
 * missing, is of an earlier version, or does not have the snapshot.
 * @throws LocusError `bad-store` if it cannot be read, or if a newer version wrote it.
 */
export function openIndexReadOnly(path: string, revision: string | null): Database {
  // A database that is being created is empty at first.
  if (getSize(path) === 0) return openEmpty(path);
  const database = openReadOnly(path);
  const has = closeOnFailure(database, () => hasSnapshot(database, path, revision ?? ''));
  if (has) return database;
  database.close();
  return openEmpty(path);
}

/** Returns the size of a file in bytes; 0 if it does not exist. */
function getSize(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    throw explainFileError(error, path);
  }
}

function hasSnapshot(database: Database, path: string, revision: string): boolean {
  if (!ensureCurrentSchema(database, path)) return false;
  return Boolean(database.prepare('SELECT 1 FROM snapshots WHERE revision = ?').get(revision));
}

function openEmpty(path: string): Database {
  const database = openSqlite(':memory:', {}, path);
  closeOnFailure(database, () => ensureCurrentSchema(database, path));
  return database;
}

function closeOnFailure<T>(database: Database, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns true if a database exists and it, or its folder, is not writable for this process. */
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
