import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { asDamage, Damage, isDamage } from './damage.ts';
import { openSqlite } from './failures.ts';
import { makeFolder } from './folder.ts';
import { MIGRATIONS, type Step } from './migrations.ts';
import { createPrivateFile, protectFolder } from './private.ts';
import { hasRoomToConvert } from './room.ts';
import { remove, removeOlderAside, setAside, whileOpening } from './set-aside.ts';

export type Database = Sqlite.Database;

/** A schema further ahead than this is no newer version of Locus: the number is damaged. */
export const MOST_VERSIONS_AHEAD = 1000;

export interface Opened<T> {
  database: Database;
  /** What `prepare` made of it. */
  contents: T;
  /** What a person should know about how it opened. */
  notes: string[];
}

/**
 * Opens the database at `path`, creating it and its folder when missing, and brings its schema up to date.
 *
 * Everything in it can be made again from the repository, so one that is damaged is moved aside and a new one begun;
 * `notes` then says so. Of those that were moved aside the last is kept.
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

/** The lock of `whileOpening` for the database at `path`. */
export function openingLock(path: string): string {
  return join(dirname(path), 'opening.lock');
}

function openOrBegin<T>(path: string, prepare: (database: Database) => T): Opened<T> {
  try {
    return { ...openOrThrow(path, prepare), notes: [] };
  } catch (error) {
    if (error instanceof NoRoom) {
      remove(path);
      return { ...openOrThrow(path, prepare), notes: [noRoomNote(path)] };
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

/** An index of an earlier version cannot be brought up to date: the disk lacks the room. */
class NoRoom extends Error {}

function noRoomNote(path: string): string {
  return `the disk has too little room to convert the index of an earlier version at ${path}; it was removed and is being made anew`;
}

/** What a person is told. */
export function damageNote(path: string, what: string, aside: string): string {
  return `the index at ${path} was damaged (${what}); it was moved to ${aside} and is being made anew`;
}

function openOrThrow<T>(
  path: string,
  prepare: (database: Database) => T,
): Pick<Opened<T>, 'database' | 'contents'> {
  createPrivateFile(path);
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
    if (isOlder(database) && !hasRoomToConvert(path)) throw new NoRoom();
    migrate(database, path);
    checkSchema(database);
    return { database, contents: prepare(database) };
  } catch (error) {
    database.close();
    throw asDamage(error, path);
  }
}

/** Whether an earlier version wrote it, and not this one just now. */
function isOlder(database: Database): boolean {
  const version = database.pragma('user_version', { simple: true }) as number;
  return version > 0 && version < MIGRATIONS.length;
}

/** Brings the schema up to date. @throws LocusError `bad-store` when a newer version wrote it. */
export function migrate(database: Database, path: string): void {
  // Opening a current database must write nothing: other processes would take it for news.
  if (database.pragma('user_version', { simple: true }) === MIGRATIONS.length) return;
  const upgrade = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true }) as number;
    if (version < 0 || version > MIGRATIONS.length + MOST_VERSIONS_AHEAD)
      throw new Damage(`there is no schema ${version}`);
    if (version > MIGRATIONS.length) {
      throw new LocusError(
        'bad-store',
        `the index at ${path} was written by a newer version of Locus (schema ${version}, this one knows ${MIGRATIONS.length})`,
        'update Locus, or give this version a data directory of its own with --data-dir',
      );
    }
    takeSteps(database, MIGRATIONS.slice(version));
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  upgrade.immediate();
}

/** SHA-256 of the schema that the steps make: making it takes 15 ms, which every opening would wait for. */
export const SOUND_SCHEMA = '76ba41449db13a2a0f5336a8c4a055a41525d923370c26964aa0e6173b52df32';

/** @throws Damage when tables, or what belongs to them, are not what the steps make. */
export function checkSchema(database: Database): void {
  const schema = schemaOf(database);
  if (sha256(schema) !== SOUND_SCHEMA && schema !== soundSchema())
    throw new Damage('its tables are not what they were');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

let sound: string | undefined;
/** What the steps make. */
export function soundSchema(): string {
  if (sound !== undefined) return sound;
  const database = new Sqlite(':memory:');
  takeSteps(database, MIGRATIONS);
  sound = schemaOf(database);
  database.close();
  return sound;
}

function takeSteps(database: Database, steps: readonly Step[]): void {
  for (const step of steps) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
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
