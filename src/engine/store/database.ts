import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { asDamage, Damage, isDamage } from '../../base/damage.ts';
import { ensurePrivateFile, makeFolder, protectFolder } from '../../base/private.ts';
import { remove, removeOlderAside, setAside, whileOpening } from '../../base/set-aside.ts';
import { MAX_VERSIONS_AHEAD, openSqlite } from '../../base/sqlite.ts';
import { LocusError } from '../../shared/errors.ts';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export type Database = Sqlite.Database;

export interface Opened<T> {
  database: Database;
  /** What `prepare` made of it. */
  contents: T;
  /** What a person should know about how it opened. */
  notes: string[];
}

/**
 * Opens the database at `path`, creating it and its folder if they are missing.
 *
 * Everything in it can be rebuilt from the repository. A damaged database is moved aside, and the last of these is kept; one of an earlier
 * version is removed. In both cases a new one is begun and `notes` says so.
 *
 * @param prepare reads what is needed from the beginning; damage that it meets counts as well.
 * @throws LocusError `bad-store` when it was written by a newer version, or cannot be opened or created.
 */
export function openDatabase<T>(path: string, prepare: (database: Database) => T): Opened<T> {
  try {
    makeFolder(dirname(path));
    protectFolder(dirname(path));
    return whileOpening(openingLock(path), () => openOrBegin(path, prepare));
  } catch (error) {
    throw asStoreError(error, path);
  }
}

export function openingLock(path: string): string {
  return join(dirname(path), 'opening.lock');
}

function openOrBegin<T>(path: string, prepare: (database: Database) => T): Opened<T> {
  try {
    return { ...openOrThrow(path, prepare), notes: [] };
  } catch (error) {
    if (error instanceof EarlierSchema) {
      remove(path);
      return { ...openOrThrow(path, prepare), notes: [EARLIER_SCHEMA_NOTE] };
    }
    if (!isDamage(error)) throw error;
    const aside = setAside(path);
    removeOlderAside(path, aside);
    return {
      ...openOrThrow(path, prepare),
      notes: [damageNote(path, (error as Error).message, aside)],
    };
  }
}

class EarlierSchema extends Error {}

const EARLIER_SCHEMA_NOTE =
  'The index was made by an earlier version of Locus. It is being rebuilt.';

export function damageNote(path: string, what: string, aside: string): string {
  return `the index at ${path} was damaged (${what}); it was moved to ${aside} and is being made anew`;
}

function openOrThrow<T>(
  path: string,
  prepare: (database: Database) => T,
): Pick<Opened<T>, 'database' | 'contents'> {
  ensurePrivateFile(path);
  const database = openSqlite(path, { timeout: 10_000 });
  try {
    // So that free pages can be given back; it is too late for that once there is a table.
    if (database.pragma('page_count', { simple: true }) === 0)
      database.pragma('auto_vacuum = INCREMENTAL');
    // A killed process must not lose a committed batch, a power cut may: the index can be made again.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('cache_size = -16384');
    database.pragma('cell_size_check = ON');
    // Rows that are replaced are removed: checksums of tables are kept by triggers.
    database.pragma('recursive_triggers = ON');
    if (!hasCurrentSchema(database, path)) throw new EarlierSchema();
    checkSchema(database);
    return { database, contents: prepare(database) };
  } catch (error) {
    database.close();
    throw asDamage(error, path);
  }
}

/**
 * Returns true if the tables are of this version, and makes them in a new database. Returns false for an earlier version.
 * @throws LocusError `bad-store` if a newer version wrote it.
 */
export function hasCurrentSchema(database: Database, path: string): boolean {
  // Opening a current database must write nothing: other processes would take it for news.
  if (readVersion(database) === SCHEMA_VERSION) return true;
  return database
    .transaction(() => {
      const version = readVersion(database);
      if (version < 0 || version > SCHEMA_VERSION + MAX_VERSIONS_AHEAD)
        throw new Damage(`there is no schema ${version}`);
      if (version > SCHEMA_VERSION) {
        throw new LocusError(
          'bad-store',
          `The index at ${path} was written by a newer version of Locus (schema ${version}, this one knows ${SCHEMA_VERSION}).`,
          'Update Locus, or give this version a data directory of its own with --data-dir.',
        );
      }
      if (version === 0) makeTables(database);
      return version === 0 || version === SCHEMA_VERSION;
    })
    .immediate();
}

function readVersion(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}

function makeTables(database: Database): void {
  database.exec(SCHEMA);
  database.pragma(`user_version = ${SCHEMA_VERSION}`);
}

/** SHA-256 of the schema as SQLite stores it: making it takes 15 ms, which every opening would wait for. */
export const SOUND_SCHEMA = '138e440b6be567af8f6af0e28ad0a8fe72eb7364cad881e4f5123111635937cf';

/** @throws Damage if tables, or what belongs to them, are not those of `SCHEMA`. */
export function checkSchema(database: Database): void {
  const schema = schemaOf(database);
  if (sha256(schema) !== SOUND_SCHEMA && schema !== soundSchema())
    throw new Damage('its tables are not what they were');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

let sound: string | undefined;
/** Returns `SCHEMA` as SQLite stores it. */
export function soundSchema(): string {
  if (sound !== undefined) return sound;
  const database = new Sqlite(':memory:');
  makeTables(database);
  sound = schemaOf(database);
  database.close();
  return sound;
}

function schemaOf(database: Database): string {
  return JSON.stringify(
    database
      .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')
      .raw()
      .all(),
  );
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
