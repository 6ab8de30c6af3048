/**
 * Stores the user's own data: settings, issues, marks and recent repositories. It is in `app.db` in the data directory,
 * separate from the indexes, because those can be rebuilt.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { checkIntegrity, Damage, isDamage, toDamage } from '../base/damage.ts';
import { createFolder, ensurePrivateFile, protectDataDirectory } from '../base/private.ts';
import {
  finishQuarantine,
  getFileIdentity,
  quarantine,
  runWhileOpening,
} from '../base/quarantine.ts';
import { MAX_VERSIONS_AHEAD, openSqlite } from '../base/sqlite.ts';
import { LocusError } from '../shared/errors.ts';
import {
  APP_MIGRATIONS,
  getExpectedObjects,
  listSchemaObjects,
  migrateAppSchema,
} from './app-schema.ts';
import { describeRecovery, recoverDatabase, removeCopies } from './recover-database.ts';

/** Number of copies from before migrations to keep. */
const MAX_COPIES = 3;

/** Open `app.db`. `prepare` and `transaction` work like those of SQLite's connection. */
export class AppDatabase {
  /** Notes for the user about opening, for example about recovered data. */
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
   * Reopens the file and repairs damage.
   * @returns notes for the user
   */
  reopen(): string[] {
    this.#connection.close();
    const { connection, identity, notes } = this.#open();
    this.#connection = connection;
    this.#identity = identity;
    return notes;
  }

  /** True if another process replaced the file. Writes to the open file would be lost. */
  get isReplaced(): boolean {
    return !existsSync(this.#path) || getFileIdentity(this.#path) !== this.#identity;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #open(): { connection: Sqlite.Database; identity: string; notes: string[] } {
    const path = this.#path;
    try {
      createFolder(dirname(path));
      protectDataDirectory(dirname(path));
      return runWhileOpening(join(dirname(path), 'app.lock'), () => {
        const opened = openOrRecover(path);
        return { ...opened, identity: getFileIdentity(path) };
      });
    } catch (error) {
      throw toStoreError(error, path);
    }
  }
}

/**
 * Opens or creates `app.db`. If it is damaged, recovers all readable rows into a new file and quarantines the damaged one;
 * `notes` describes that.
 *
 * @throws LocusError `bad-store` if it cannot be opened or was written by a newer version
 */
export function openAppDatabase(directory: string): AppDatabase {
  return new AppDatabase(directory);
}

interface Opened {
  connection: Sqlite.Database;
  notes: string[];
}

function openOrRecover(path: string): Opened {
  const recovered = `${path}.new`;
  removeCopies(path);
  if (!existsSync(path) && existsSync(recovered)) {
    // The process that recovered it was killed before the last step.
    const aside = finishQuarantine(path);
    renameSync(recovered, path);
    const note = `app.db was damaged and was recovered. The damaged file was moved to ${aside}.`;
    return { connection: openIntact(path).connection, notes: [note] };
  }
  try {
    return openIntact(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const saved = recoverDatabase(path, recovered);
    const aside = quarantine(path);
    renameSync(recovered, path);
    return {
      connection: openIntact(path).connection,
      notes: [describeRecovery(saved, (error as Error).message, aside)],
    };
  }
}

function openIntact(path: string): Opened {
  ensurePrivateFile(path);
  const connection = openSqlite(path, { timeout: 10_000 });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL'); // Notes must survive a power failure, and writes are rare.
    connection.pragma('foreign_keys = ON');
    checkVersion(connection, path);
    // The file is small, so the check is fast. A damaged file must not be written to.
    checkIntegrity(connection);
    copyBeforeMigration(connection, path);
    return { connection, notes: connection.transaction(() => migrate(connection)).immediate() };
  } catch (error) {
    connection.close();
    throw toDamage(error, path);
  }
}

function readVersion(connection: Sqlite.Database): number {
  return connection.pragma('user_version', { simple: true }) as number;
}

function checkVersion(connection: Sqlite.Database, path: string): void {
  const version = readVersion(connection);
  if (version < 0 || version > APP_MIGRATIONS.length + MAX_VERSIONS_AHEAD)
    throw new Damage(`schema ${version} does not exist`);
  if (version <= APP_MIGRATIONS.length) return;
  throw new LocusError(
    'bad-store',
    `${path} was written by a newer version of Locus (schema ${version}; this version supports ${APP_MIGRATIONS.length}).`,
    'Update Locus, or choose another data directory with --data-dir or LOCUS_DATA_DIR.',
  );
}

/** Copies the database before a migration, so that a faulty migration can be undone. */
function copyBeforeMigration(connection: Sqlite.Database, path: string): void {
  const version = readVersion(connection);
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
  for (const old of schemas.slice(MAX_COPIES)) rmSync(`${path}.schema-${old}`, { force: true });
}

/** Runs the migrations and restores missing tables. Returns notes for the user. */
function migrate(connection: Sqlite.Database): string[] {
  const version = readVersion(connection);
  if (version < APP_MIGRATIONS.length) migrateAppSchema(connection, version);
  const existing = new Map(listSchemaObjects(connection).map(({ name, sql }) => [name, sql]));
  const missing = getExpectedObjects().filter(({ name }) => !existing.has(name));
  for (const { sql } of missing) connection.exec(sql);
  if (getExpectedObjects().some(({ name, sql }) => (existing.get(name) ?? sql) !== sql))
    throw new Damage('its tables have another schema');
  const tables = missing.filter(({ type }) => type === 'table').map(({ name }) => name);
  if (tables.length === 0) return [];
  return [
    `app.db lacked the tables ${tables.join(', ')}. Their content is lost, and they are now empty.`,
  ];
}

function toStoreError(error: unknown, path: string): Error {
  if (error instanceof LocusError) return error;
  return new LocusError(
    'bad-store',
    `${path} cannot be opened: ${(error as Error).message}.`,
    'Check the permissions and free space of the folder, or choose another data directory.',
    { cause: error },
  );
}
