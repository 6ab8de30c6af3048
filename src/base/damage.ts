import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { LocusError } from '../shared/errors.ts';

/** Error for stored data that has changed. `message` says what is damaged; callers add the name of the file. */
export class Damage extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'Damage';
  }
}

/** Error for a damaged index that was quarantined. Opening the repository again creates a new index. */
export class DamagedIndex extends LocusError {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('bad-store', message, 'Index the repository again. Nothing else is lost.', options);
    this.name = 'DamagedIndex';
    this.path = path;
  }
}

/** Codes of SQLite for failures that don't depend on the file's content: permissions, disk, memory, other processes. */
const EXTERNAL_CAUSE =
  /^SQLITE_(BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|FULL|CANTOPEN|PROTOCOL|PERM|AUTH|NOLFS)/;

/** Codes of SQLite for damage. A short read means that the file was truncated, not that the disk fails. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/;

/** Returns true if an error by itself proves that stored data is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || DAMAGE.test(getCode(error));
}

/** Runs SQLite's check of the whole file. @throws Damage for a finding; SQLite's errors. */
export function checkIntegrity(database: Database): void {
  const finding = database.pragma('integrity_check(1)', { simple: true }) as string;
  // The first line is `*** in database main ***`; the finding follows.
  if (finding !== 'ok') throw new Damage(finding.slice(finding.indexOf('\n') + 1));
}

/** Returns true if damage may be the cause of an error, so that checking all stored data is worthwhile. */
export function mayBeDamage(error: unknown): boolean {
  return !(error instanceof LocusError) && !hasExternalCause(error);
}

/** Returns true if an error of SQLite or the system has a cause other than the file's content. */
export function hasExternalCause(error: unknown): boolean {
  const code = getCode(error);
  return EXTERNAL_CAUSE.test(code) || /^E[A-Z]+$/.test(code);
}

/**
 * Converts an error of SQLite to `Damage` if the file is readable and writable: then the file itself must be wrong, for example a
 * missing table or an impossible version in its header. Returns other errors unchanged.
 */
export function toDamage(error: unknown, path: string): unknown {
  const failure = error instanceof LocusError ? error.cause : error;
  if (!isSqliteError(failure) || isDamage(failure)) return error;
  const isReadOnly = failure.code === 'SQLITE_READONLY';
  if (isReadOnly ? !isWritable(path) : hasExternalCause(failure)) return error;
  return new Damage(failure.message, { cause: failure });
}

// The class is not imported: commands that ask another process do not load SQLite.
const isSqliteError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && error.name === 'SqliteError';

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    // Not accessible.
    return false;
  }
}

function getCode(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
