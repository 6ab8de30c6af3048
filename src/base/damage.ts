import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { LocusError } from '../shared/errors.ts';

/** Something stored is not what was stored. `message` says what; whoever knows the file says which. */
export class Damage extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'Damage';
  }
}

/**
 * An index turned out to be damaged, and was set aside: who opens the repository again gets a new one, to be indexed.
 */
export class DamagedIndex extends LocusError {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super('bad-store', message, 'index the repository again; nothing else is lost', options);
    this.name = 'DamagedIndex';
    this.path = path;
  }
}

/** Failures of SQLite that its surroundings cause, whatever the file holds: permissions, disk, memory, other processes. */
const SURROUNDINGS =
  /^SQLITE_(BUSY|LOCKED|NOMEM|READONLY|INTERRUPT|IOERR|FULL|CANTOPEN|PROTOCOL|PERM|AUTH|NOLFS)/;

/** A short read is one of a file that was cut off, not of a disk that fails. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|FORMAT|IOERR_SHORT_READ)/;

/** Whether a failure by itself says that what is stored is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Damage || DAMAGE.test(codeOf(error));
}

/** @throws Damage when SQLite's own check of the whole file finds something, or SQLite's error. */
export function checkIntegrity(database: Database): void {
  const finding = database.pragma('integrity_check(1)', { simple: true }) as string;
  // `*** in database main ***`, and what it is on the next line.
  if (finding !== 'ok') throw new Damage(finding.slice(finding.indexOf('\n') + 1));
}

/** Whether what is stored may be the cause of a failure, so that a look at all of it is worth its while. */
export function mayBeDamage(error: unknown): boolean {
  return !(error instanceof LocusError) && !isOfSurroundings(error);
}

/** Whether SQLite or the system was kept from its work by something other than what the file holds. */
export function isOfSurroundings(error: unknown): boolean {
  const code = codeOf(error);
  return SURROUNDINGS.test(code) || /^E[A-Z]+$/.test(code);
}

/**
 * Whatever keeps SQLite from opening a file that can be read and written is wrong with the file: a missing table, say,
 * or a version in its header that no SQLite writes. Such a failure is returned as `Damage`, others as they are.
 */
export function asDamage(error: unknown, path: string): unknown {
  const failure = error instanceof LocusError ? error.cause : error;
  if (!(failure instanceof Sqlite.SqliteError) || isDamage(failure)) return error;
  const isReadOnly = failure.code === 'SQLITE_READONLY';
  if (isReadOnly ? !isWritable(path) : isOfSurroundings(failure)) return error;
  return new Damage(failure.message, { cause: failure });
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    // Not writable.
    return false;
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
