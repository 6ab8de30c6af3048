/** Opens SQLite databases. Failures caused by the disk, permissions or other processes become `LocusError`s with remedies. */
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import { isDamage } from './damage.ts';
import { requireRegularFile } from './regular-file.ts';

// better-sqlite3 reads this when it opens its first database. `openReadOnly` needs URIs; other names are not affected.
process.env.SQLITE_USE_URI = '1';

interface Cause {
  codes: RegExp;
  code?: LocusErrorCode;
  what: string;
  remedy: string;
}

const CHOOSE = 'or choose another data directory with --data-dir or LOCUS_DATA_DIR';

/** Causes of failures; the first match applies. Damage is not among them, since the code that opens a database handles it. */
const CAUSES: readonly Cause[] = [
  {
    codes: /^SQLITE_FULL/,
    what: 'the disk is full',
    remedy: `Free some space and try again, ${CHOOSE}.`,
  },
  {
    codes: /^SQLITE_(IOERR_)?NOMEM/,
    what: 'there is not enough memory',
    remedy: 'Close other programs and try again.',
  },
  {
    codes: /^SQLITE_IOERR/,
    what: 'the disk cannot be read or written',
    remedy: `Check the disk and its free space and try again, ${CHOOSE}.`,
  },
  {
    codes: /^SQLITE_READONLY/,
    what: 'it is read-only',
    remedy: `Make it writable, ${CHOOSE}.`,
  },
  {
    codes: /^SQLITE_PERM/,
    what: 'access is denied',
    remedy: `Make it readable and writable, ${CHOOSE}.`,
  },
  {
    codes: /^SQLITE_CANTOPEN/,
    what: 'it cannot be opened',
    remedy: `Check that its folder exists, is writable and has free space, ${CHOOSE}.`,
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    code: 'busy',
    what: 'another process is using it',
    remedy: 'Wait until it has finished, or stop it and try again.',
  },
  {
    codes: /^SQLITE_PROTOCOL/,
    code: 'busy',
    what: 'it cannot be locked',
    remedy:
      'Try again. If it is on a network drive, choose a data directory on a local disk with --data-dir.',
  },
];

/**
 * Converts a failure of SQLite to a `LocusError` with the file's name and a remedy: `busy` if another process is the cause, otherwise
 * `bad-store`. Returns other errors, such as damage, unchanged.
 */
function explainSqliteError(error: unknown, path: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof LocusError || typeof code !== 'string' || isDamage(error)) return error;
  const cause = CAUSES.find(({ codes }) => codes.test(code));
  if (!cause) return error;
  return new LocusError(
    cause.code ?? 'bad-store',
    `${path}: ${cause.what} (${message}, ${code}).`,
    cause.remedy,
    { cause: error },
  );
}

/** Codes of SQLite that correspond to codes of the system. */
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  ENOSPC: 'SQLITE_FULL',
  EDQUOT: 'SQLITE_FULL',
  EFBIG: 'SQLITE_FULL',
  EIO: 'SQLITE_IOERR',
  EROFS: 'SQLITE_READONLY',
  EACCES: 'SQLITE_PERM',
  EPERM: 'SQLITE_PERM',
  EMFILE: 'SQLITE_CANTOPEN',
  ENFILE: 'SQLITE_CANTOPEN',
  ENOENT: 'SQLITE_CANTOPEN',
  EBUSY: 'SQLITE_BUSY',
};

/** Converts a failure of the file system to a `LocusError`, as `explainSqliteError` does for SQLite. Returns other errors unchanged. */
export function explainFileError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = SYSTEM_CODES[code ?? ''];
  const cause = known && CAUSES.find(({ codes }) => codes.test(known));
  if (!cause) return error;
  return new LocusError(
    cause.code ?? 'bad-store',
    `${path}: ${cause.what} (${message}).`,
    cause.remedy,
    { cause: error },
  );
}

/**
 * Opens a database. All failures of it, its statements and its transactions are converted by `explainSqliteError`.
 * @param source path, `file:` URI, or bytes of a database.
 * @param name path that error messages use; `source` by default.
 * @throws LocusError `bad-store`, also if one of its files is a link or a special file; `busy`.
 */
export function openSqlite(
  source: string | Buffer,
  options?: Sqlite.Options,
  name = String(source),
): Sqlite.Database {
  const guard = createGuard(name);
  if (typeof source === 'string' && source !== IN_MEMORY)
    for (const suffix of SIDE_FILES) requireRegularFile(name + suffix);
  const database = guard(() => new Sqlite(source, options))();
  const { prepare, transaction } = database;
  return Object.assign(database, {
    exec: guard(database.exec),
    pragma: guard(database.pragma),
    close: guard(database.close),
    prepare: guard(function (this: Sqlite.Database, sql: string) {
      return guardStatement(prepare.call(this, sql), guard);
    }),
    transaction(this: Sqlite.Database, work: (...args: unknown[]) => unknown) {
      const made = transaction.call(this, work);
      return Object.assign(guard(made), {
        deferred: guard(made.deferred),
        immediate: guard(made.immediate),
        exclusive: guard(made.exclusive),
      });
    },
  });
}

/**
 * Opens an existing database without writing to any file, in any journal mode.
 *
 * In WAL mode, SQLite uses side files and creates them even for readers. If there are none, nobody has the database open and all data is
 * in one file, so it is opened as `immutable`. Existing side files are read as they are.
 * @throws LocusError `bad-store`, also if a killed process has left side files that cannot be used.
 */
export function openReadOnly(path: string): Sqlite.Database {
  for (let attempt = 1; ; attempt++) {
    const database = openWithSideFiles(path);
    try {
      // SQLite opens the files when it reads them first.
      database.pragma('schema_version');
      return database;
    } catch (error) {
      database.close();
      // The last process that wrote may have removed its side files meanwhile.
      if (attempt === MAX_ATTEMPTS || !isMissingFile(error)) throw error;
    }
  }
}

const MAX_ATTEMPTS = 5;

const isMissingFile = (error: unknown): boolean =>
  String(((error as Error).cause as { code?: unknown } | undefined)?.code).startsWith(
    'SQLITE_CANTOPEN',
  );

function openWithSideFiles(path: string): Sqlite.Database {
  const uri = pathToFileURL(path);
  const how = !fs.existsSync(`${path}-wal`)
    ? 'immutable=1'
    : fs.existsSync(`${path}-shm`)
      ? 'mode=ro&readonly_shm=1'
      : 'mode=ro';
  return openSqlite(`${uri}?${how}`, { readonly: true, timeout: 10_000 }, path);
}

const IN_MEMORY = ':memory:';
/** Suffixes of the files that SQLite opens. */
const SIDE_FILES = ['', '-wal', '-shm', '-journal'];

type Guard = <This, Args extends unknown[], Result>(
  work: (this: This, ...args: Args) => Result,
) => (this: This, ...args: Args) => Result;

function createGuard(path: string): Guard {
  return (work) =>
    function (...args) {
      try {
        return work.apply(this, args);
      } catch (error) {
        throw explainSqliteError(error, path);
      }
    };
}

function guardStatement(statement: Sqlite.Statement, guard: Guard): Sqlite.Statement {
  const { iterate } = statement;
  return Object.assign(statement, {
    run: guard(statement.run),
    get: guard(statement.get),
    all: guard(statement.all),
    iterate: guard(function (this: Sqlite.Statement, ...args: unknown[]) {
      const rows = iterate.apply(this, args);
      return Object.assign(rows, { next: guard(rows.next) });
    }),
  });
}

/** Number of versions ahead above which a schema version counts as damaged, not as written by a newer version of Locus. */
export const MAX_VERSIONS_AHEAD = 1000;
