import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Damage, isDamage, toDamage } from '../../base/damage.ts';
import { createFolder, ensurePrivateFile, protectFolder } from '../../base/private.ts';
import {
  quarantine,
  removeDatabase,
  removeOlderQuarantined,
  runWhileOpening,
} from '../../base/quarantine.ts';
import { MAX_VERSIONS_AHEAD, openSqlite } from '../../base/sqlite.ts';
import { LocusError } from '../../shared/errors.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export type Database = Sqlite.Database;

export interface OpenedDatabase<T> {
  database: Database;
  /** Result of `prepare`. */
  contents: T;
  /** Messages for the user, for example that a damaged index is being rebuilt. */
  notes: string[];
}

/**
 * Opens the database at `path`, creating it and its folder if they are missing.
 *
 * Everything in it can be rebuilt from the repository. A damaged database is quarantined, and only the latest quarantined one is
 * kept. A database of an earlier version is removed. In both cases a new one is created, and `notes` says so.
 *
 * @param prepare reads what is needed immediately; damage that it finds counts as well.
 * @throws LocusError `bad-store` if a newer version wrote it, or if it cannot be opened or created.
 */
export function openDatabase<T>(
  path: string,
  prepare: (database: Database) => T,
): OpenedDatabase<T> {
  try {
    createFolder(dirname(path));
    protectFolder(dirname(path));
    return runWhileOpening(getOpeningLockPath(path), () => openOrRebuild(path, prepare));
  } catch (error) {
    throw toStoreError(error, path);
  }
}

export function getOpeningLockPath(path: string): string {
  return join(dirname(path), 'opening.lock');
}

function openOrRebuild<T>(path: string, prepare: (database: Database) => T): OpenedDatabase<T> {
  try {
    return { ...openCurrent(path, prepare), notes: [] };
  } catch (error) {
    if (error instanceof EarlierSchemaError) {
      removeDatabase(path);
      return { ...openCurrent(path, prepare), notes: [EARLIER_SCHEMA_NOTE] };
    }
    if (!isDamage(error)) throw error;
    const aside = quarantine(path);
    removeOlderQuarantined(path, aside);
    return {
      ...openCurrent(path, prepare),
      notes: [describeDamage(path, (error as Error).message, aside)],
    };
  }
}

class EarlierSchemaError extends Error {}

const EARLIER_SCHEMA_NOTE =
  'The index was made by an earlier version of Locus. It is being rebuilt.';

export function describeDamage(path: string, damage: string, quarantined: string): string {
  return `The index at ${path} was damaged (${damage}). The damaged file was moved to ${quarantined}, and the index is being rebuilt.`;
}

function openCurrent<T>(
  path: string,
  prepare: (database: Database) => T,
): Pick<OpenedDatabase<T>, 'database' | 'contents'> {
  ensurePrivateFile(path);
  const database = openSqlite(path, { timeout: 10_000 });
  try {
    // Lets free pages be returned to the file system. It must be set before the first table exists.
    if (database.pragma('page_count', { simple: true }) === 0) {
      database.pragma('auto_vacuum = INCREMENTAL');
      // Nothing can be lost yet, and nine waits for the disk take up to 40 ms.
      database.pragma('synchronous = OFF');
    }
    // A killed process must not lose a committed batch. A power failure may: the index can be rebuilt.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('cache_size = -16384');
    database.pragma('cell_size_check = ON');
    // Fires the delete triggers for replaced rows too: the triggers maintain the checksums of tables.
    database.pragma('recursive_triggers = ON');
    if (!ensureCurrentSchema(database, path)) throw new EarlierSchemaError();
    checkSchema(database);
    return { database, contents: prepare(database) };
  } catch (error) {
    database.close();
    throw toDamage(error, path);
  }
}

/**
 * Returns true if the tables are of this version. Creates them in a new database. Returns false for an earlier version.
 * @throws LocusError `bad-store` if a newer version wrote it.
 */
export function ensureCurrentSchema(database: Database, path: string): boolean {
  // Opening a current database must write nothing: other processes would reload it.
  if (hasCurrentSchema(database)) return true;
  return database
    .transaction(() => {
      const version = readVersion(database);
      if (version < 0 || version > SCHEMA_VERSION + MAX_VERSIONS_AHEAD)
        throw new Damage(`unknown schema ${version}`);
      if (version > SCHEMA_VERSION) {
        throw new LocusError(
          'bad-store',
          `The index at ${path} was written by a newer version of Locus (schema ${version}; this version supports ${SCHEMA_VERSION}).`,
          'Update Locus, or use another data directory with --data-dir.',
        );
      }
      if (version === 0) createTables(database);
      return version === 0 || version === SCHEMA_VERSION;
    })
    .immediate();
}

export function hasCurrentSchema(database: Database): boolean {
  return readVersion(database) === SCHEMA_VERSION;
}

function readVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

function createTables(database: Database): void {
  database.exec(SCHEMA);
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** SHA-256 of `SCHEMA` as SQLite stores it. Computing it takes 15 ms, which would delay every opening. */
export const EXPECTED_SCHEMA_SHA256 =
  '6ba10f79fc0a666d45a49025c9452ff4ba9b9c31dc34a45d72c333307b26ea60';

/** @throws Damage if the tables, indexes or triggers differ from `SCHEMA`. */
export function checkSchema(database: Database): void {
  const schema = readSchema(database);
  if (sha256(schema) !== EXPECTED_SCHEMA_SHA256 && schema !== getExpectedSchema())
    throw new Damage('its tables have changed');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

let expectedSchema: string | undefined;
/** Returns `SCHEMA` as SQLite stores it. */
export function getExpectedSchema(): string {
  if (expectedSchema !== undefined) return expectedSchema;
  const database = new Sqlite(':memory:');
  createTables(database);
  expectedSchema = readSchema(database);
  database.close();
  return expectedSchema;
}

function readSchema(database: Database): string {
  return JSON.stringify(
    database
      .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')
      .raw()
      .all(),
  );
}

function toStoreError(error: unknown, path: string): Error {
  if (error instanceof LocusError) return error;
  return new LocusError(
    'bad-store',
    `The index at ${path} cannot be opened: ${(error as Error).message}.`,
    'Check that the folder exists and is writable, or choose another one with --data-dir or LOCUS_DATA_DIR.',
    { cause: error },
  );
}
