/**
 * What the user made and Locus cannot make again: settings, issues, marks, recent repositories. Kept in `app.db`
 * in the data directory, apart from the indexes, which may be thrown away at any time.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { asDamage, checkIntegrity, Damage, isDamage } from '../base/damage.ts';
import { ensurePrivateFile, makeFolder, protectDataDirectory } from '../base/private.ts';
import { finishSettingAside, identityOf, setAside, whileOpening } from '../base/set-aside.ts';
import { MAX_VERSIONS_AHEAD, openSqlite } from '../base/sqlite.ts';
import { LocusError } from '../shared/errors.ts';
import { APP_MIGRATIONS, makeAppSchema, objectsOf, soundObjects } from './app-schema.ts';
import { noteOf, removeCopies, salvage } from './salvage.ts';

/** Copies of before migrations. */
const COPIES_KEPT = 3;

/** `app.db`, open. What is read and written goes through `prepare` and `transaction`, as with SQLite's own. */
export class AppDatabase {
  /** What a person should know about how it opened. */
  readonly notes: string[];
  readonly #path: string;
  #connection: Sqlite.Database;
  #identity: string;

  constructor(directory: string) {
    this.#path = join(directory, 'app.db');
    const opened = this.#open();
    this.#connection = opened.connection;
    this.#identity = opened.identity;
    this.notes = opened.notes;
  }

  get prepare(): Sqlite.Database['prepare'] {
    return this.#connection.prepare.bind(this.#connection) as Sqlite.Database['prepare'];
  }

  get transaction(): Sqlite.Database['transaction'] {
    return this.#connection.transaction.bind(this.#connection) as Sqlite.Database['transaction'];
  }

  /**
   * Opens the file anew, as after a failure that damage explains, which is mended then.
   * @returns what a person should know about it.
   */
  reopen(): string[] {
    this.#connection.close();
    const { connection, identity, notes } = this.#open();
    this.#connection = connection;
    this.#identity = identity;
    return notes;
  }

  /** Whether another process put another file in its place: what is written to this one would be lost. */
  get isReplaced(): boolean {
    return !existsSync(this.#path) || identityOf(this.#path) !== this.#identity;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #open(): { connection: Sqlite.Database; identity: string; notes: string[] } {
    const path = this.#path;
    try {
      makeFolder(dirname(path));
      protectDataDirectory(dirname(path));
      return whileOpening(join(dirname(path), 'app.lock'), () => {
        const opened = openOrMend(path);
        return { ...opened, identity: identityOf(path) };
      });
    } catch (error) {
      throw storeError(error, path);
    }
  }
}

/**
 * Opens or creates `app.db`. From a damaged one everything that can be read is taken over into a new one; the damaged
 * one is kept, and `notes` says so.
 *
 * @throws LocusError `bad-store` when it cannot be opened or was written by a newer version.
 */
export function openAppDatabase(directory: string): AppDatabase {
  return new AppDatabase(directory);
}

interface Opened {
  connection: Sqlite.Database;
  notes: string[];
}

function openOrMend(path: string): Opened {
  const mended = `${path}.new`;
  removeCopies(path);
  if (!existsSync(path) && existsSync(mended)) {
    // The process that rebuilt it was killed before the last step.
    const aside = finishSettingAside(path);
    renameSync(mended, path);
    const note = `app.db was damaged and was rebuilt. The damaged file is kept as ${aside}.`;
    return { connection: openOrThrow(path).connection, notes: [note] };
  }
  try {
    return openOrThrow(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const saved = salvage(path, mended);
    const aside = setAside(path);
    renameSync(mended, path);
    return {
      connection: openOrThrow(path).connection,
      notes: [noteOf(saved, (error as Error).message, aside)],
    };
  }
}

function openOrThrow(path: string): Opened {
  ensurePrivateFile(path);
  const connection = openSqlite(path, { timeout: 10_000 });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL'); // A note must survive a power cut, and there are few writes.
    connection.pragma('foreign_keys = ON');
    checkVersion(connection, path);
    // It is small. What is not sound must not be written to.
    checkIntegrity(connection);
    keepCopy(connection, path);
    return { connection, notes: connection.transaction(() => migrate(connection)).immediate() };
  } catch (error) {
    connection.close();
    throw asDamage(error, path);
  }
}

function versionOf(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number;
}

function checkVersion(connection: Sqlite.Database, path: string): void {
  const version = versionOf(connection);
  if (version < 0 || version > APP_MIGRATIONS.length + MAX_VERSIONS_AHEAD)
    throw new Damage(`there is no schema ${version}`);
  if (version <= APP_MIGRATIONS.length) return;
  throw new LocusError(
    'bad-store',
    `${path} was written by a newer version of Locus (schema ${version}, this one knows ${APP_MIGRATIONS.length})`,
    'update Locus, or choose another data directory with --data-dir or LOCUS_DATA_DIR',
  );
}

/** Before it is changed for good: what a migration gets wrong can be taken back. */
function keepCopy(connection: Sqlite.Database, path: string): void {
  const version = versionOf(connection);
  if (version === 0 || version === APP_MIGRATIONS.length) return;
  const copy = `${path}.schema-${version}`;
  rmSync(copy, { force: true });
  ensurePrivateFile(copy);
  connection.prepare('VACUUM INTO ?').run(copy);
  const prefix = `${basename(path)}.schema-`;
  const schemas = readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => b - a);
  for (const old of schemas.slice(COPIES_KEPT)) rmSync(`${path}.schema-${old}`, { force: true });
}

/** Brings the schema up to date and puts back what is missing of it; returns what a person should know. */
function migrate(connection: Sqlite.Database): string[] {
  const version = versionOf(connection);
  if (version < APP_MIGRATIONS.length) makeAppSchema(connection, version);
  const there = new Map(objectsOf(connection).map(({ name, sql }) => [name, sql]));
  const missing = soundObjects().filter(({ name }) => !there.has(name));
  for (const { sql } of missing) connection.exec(sql);
  if (soundObjects().some(({ name, sql }) => (there.get(name) ?? sql) !== sql))
    throw new Damage('its tables are not what they were');
  const tables = missing.filter(({ type }) => type === 'table').map(({ name }) => name);
  if (tables.length === 0) return [];
  return [`app.db lacked ${tables.join(', ')}: what was in there is lost, and begins anew`];
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
