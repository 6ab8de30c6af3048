/** What SQLite says when the disk, its permissions or another process is in its way, as errors that a person can mend. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import { isDamage } from './damage.ts';
import { requireRegularFile } from './regular-file.ts';

// better-sqlite3 looks at this when it opens its first database: `openReadOnly` needs URIs. Other names mean what they say.
process.env.SQLITE_USE_URI = '1';

interface Cause {
  codes: RegExp;
  code?: LocusErrorCode;
  what: string;
  remedy: string;
}

const CHOOSE = 'or choose another data directory with --data-dir or LOCUS_DATA_DIR';

/** The first that fits holds. Damage is not among them: who opens a database knows what to do about that. */
const CAUSES: readonly Cause[] = [
  {
    codes: /^SQLITE_FULL/,
    what: 'the disk is full',
    remedy: `free some space and try again, ${CHOOSE}`,
  },
  {
    codes: /^SQLITE_(IOERR_)?NOMEM/,
    what: 'there is not enough memory',
    remedy: 'close other programs and try again',
  },
  {
    codes: /^SQLITE_IOERR/,
    what: 'the disk cannot be read or written',
    remedy: `check the disk and its free space and try again, ${CHOOSE}`,
  },
  {
    codes: /^SQLITE_READONLY/,
    what: 'it may only be read',
    remedy: `give the permission to write it, ${CHOOSE}`,
  },
  {
    codes: /^SQLITE_PERM/,
    what: 'it may not be opened',
    remedy: `give the permission to read and write it, ${CHOOSE}`,
  },
  {
    codes: /^SQLITE_CANTOPEN/,
    what: 'it cannot be opened',
    remedy: `check that its folder exists, can be written and has free space, ${CHOOSE}`,
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    code: 'busy',
    what: 'another process is using it',
    remedy: 'wait until that has finished, or stop it, and try again',
  },
  {
    codes: /^SQLITE_PROTOCOL/,
    code: 'busy',
    what: 'it cannot be locked',
    remedy: `try again; on a network drive, move it to a local disk: choose another data directory with --data-dir`,
  },
];

/**
 * A failure of SQLite as a `LocusError` that names the file and says what to do: `busy` when another process is in the
 * way, `bad-store` otherwise. What is none of these, such as damage, is returned as it is.
 */
function storeFailure(error: unknown, path: string): unknown {
  const { code, message } = error as { code?: unknown; message?: string };
  if (error instanceof LocusError || typeof code !== 'string' || isDamage(error)) return error;
  const cause = CAUSES.find(({ codes }) => codes.test(code));
  if (!cause) return error;
  return new LocusError(
    cause.code ?? 'bad-store',
    `${path}: ${cause.what} (${message}, ${code})`,
    cause.remedy,
    { cause: error },
  );
}

/** What the system says of a file, by its code; the sentences are those of SQLite's. */
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

/** A failure of the system at a file of the store, as `storeFailure` is one of SQLite; another error is returned as it is. */
export function fileFailure(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = SYSTEM_CODES[code ?? ''];
  const cause = known && CAUSES.find(({ codes }) => codes.test(known));
  if (!cause) return error;
  return new LocusError(
    cause.code ?? 'bad-store',
    `${path}: ${cause.what} (${message})`,
    cause.remedy,
    { cause: error },
  );
}

/**
 * Opens a database of which every failure is a `storeFailure`: of the database, of its statements and its transactions.
 * @param name what failures call it, when not `source`: a path, a `file:` URI or the bytes of a database.
 * @throws LocusError `bad-store`, also for a link or a special file in place of one of its files; `busy`.
 */
export function openSqlite(
  source: string | Buffer,
  options?: Sqlite.Options,
  name = String(source),
): Sqlite.Database {
  const guard = guardFor(name);
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
 * Opens a database that is there without writing to any file, whatever its journal mode.
 *
 * One in WAL mode needs the files beside it, which SQLite makes even for a reader. They are not needed where there are
 * none: then nobody has it open, and all of it is in one file (`immutable`). Where there are, they are read as they are.
 * @throws LocusError `bad-store`, among others when a process was killed that had it open and the files it left
 * cannot be used.
 */
export function openReadOnly(path: string): Sqlite.Database {
  const uri = pathToFileURL(path);
  const how = !existsSync(`${path}-wal`)
    ? 'immutable=1'
    : existsSync(`${path}-shm`)
      ? 'mode=ro&readonly_shm=1'
      : 'mode=ro';
  return openSqlite(`${uri}?${how}`, { readonly: true, timeout: 10_000 }, path);
}

const IN_MEMORY = ':memory:';
/** Endings of the files that SQLite opens by itself. */
const SIDE_FILES = ['', '-wal', '-shm', '-journal'];

type Guard = <This, Args extends unknown[], Result>(
  work: (this: This, ...args: Args) => Result,
) => (this: This, ...args: Args) => Result;

function guardFor(path: string): Guard {
  return (work) =>
    function (...args) {
      try {
        return work.apply(this, args);
      } catch (error) {
        throw storeFailure(error, path);
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

/** A schema further ahead than this is not a newer version of Locus: the number is damaged. */
export const MAX_VERSIONS_AHEAD = 1000;
