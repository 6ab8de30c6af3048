/** Starts an index as a copy of another one: of a worktree of the same repository, or of another clone. */
import { constants, existsSync, renameSync } from 'node:fs';
import { copyFile, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import { createFolder, ensurePrivateFile, protectFolder } from '../../base/private.ts';
import { removeDatabase, runWhileOpening } from '../../base/quarantine.ts';
import { openSqlite } from '../../base/sqlite.ts';
import { isCancelled } from '../../shared/errors.ts';
import { listBaseFiles } from './base-file.ts';
import { checkSchema, type Database, getOpeningLockPath, hasCurrentSchema } from './database.ts';
import { listGenerations, RERANKER_FOLDER } from './row-generations.ts';
import { COPIED_REVISION } from './snapshots.ts';
import { getIndexPath } from './store.ts';
import { LOCK_FILE, WriterLock } from './writer-lock.ts';

/** Milliseconds to wait for another process that fills the same folder. */
const MAX_WAIT_MS = 60_000;
/** Number of pages that are copied before other work of this thread gets a turn: 4 MB. */
const PAGES_PER_TURN = 1000;

/**
 * Copies the index in one folder to another folder that has none. Its snapshot of the working tree becomes one to start from, so that
 * nothing is found before the files are compared. The source may be in use, also by a process that writes or deletes it.
 * @returns false if nothing was copied: the source is missing, damaged or of another version, or the target has an index
 * @throws LocusError `cancelled`
 */
export async function copyIndex(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  if (!existsSync(getIndexPath(from))) return false;
  createFolder(to);
  protectFolder(to);
  const lock = new WriterLock(join(to, LOCK_FILE));
  try {
    return await lock.hold(() => copyInto(from, to, signal), MAX_WAIT_MS, signal);
  } catch (error) {
    if (isCancelled(error)) throw error;
    // The index is made without a copy. If the disk is the cause, that fails as well and says so.
    return false;
  } finally {
    lock.close();
  }
}

async function copyInto(from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  const path = getIndexPath(to);
  const draft = `${path}.copy`;
  if (existsSync(path)) return false;
  try {
    // A killed process may have left one.
    removeDatabase(draft);
    await copyDatabase(getIndexPath(from), draft, signal);
    // After the database, since a row is written before the links to it.
    for (const folder of ['', RERANKER_FOLDER])
      await copyRows(join(from, folder), join(to, folder));
    throwIfCancelled(signal, 'Indexing');
    adaptCopy(draft);
    return runWhileOpening(getOpeningLockPath(path), () => {
      if (existsSync(path)) return false;
      renameSync(draft, path);
      return true;
    });
  } finally {
    removeDatabase(draft);
  }
}

/** Copies one state of a database, even while another process writes to it. */
async function copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const source = runWhileOpening(getOpeningLockPath(from), () =>
    openSqlite(from, { fileMustExist: true, timeout: 10_000 }),
  );
  try {
    // Within a transaction, writes of other processes do not restart the copy.
    source.exec('BEGIN');
    if (!hasCurrentSchema(source)) throw new Error('another version');
    checkSchema(source);
    ensurePrivateFile(to);
    await source.backup(to, {
      progress: () => {
        throwIfCancelled(signal, 'Indexing');
        return PAGES_PER_TURN;
      },
    });
  } finally {
    source.close();
  }
}

/** Copies the files of embeddings, without copying bytes where the file system can share them. */
async function copyRows(from: string, to: string): Promise<void> {
  const finished = [
    ...listGenerations(from).filter(({ isUnfinished }) => !isUnfinished),
    ...listBaseFiles(from).filter(({ unfinished }) => !unfinished),
  ];
  if (finished.length > 0) createFolder(to);
  for (const { path } of finished) {
    try {
      if (!(await lstat(path)).isFile()) continue;
      const copy = join(to, path.slice(from.length));
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
    } catch {
      // It was replaced or removed meanwhile. Chunks without a row are encoded again.
    }
  }
}

/** Turns the snapshot of the working tree into one that another working tree can start from. */
function adaptCopy(path: string): void {
  const database = openSqlite(path, { timeout: 10_000 });
  try {
    database.pragma('foreign_keys = ON');
    database.pragma('recursive_triggers = ON');
    database.transaction(() => replaceWorkingTree(database))();
  } finally {
    database.close();
  }
}

function replaceWorkingTree(database: Database): void {
  const remove = database.prepare('DELETE FROM snapshots WHERE revision = ?');
  remove.run(COPIED_REVISION);
  database
    .prepare("UPDATE snapshots SET revision = ? WHERE revision = '' AND complete = 1")
    .run(COPIED_REVISION);
  remove.run('');
  // The name of a database must be unique. The copy gets its own when it is first saved.
  database.prepare("DELETE FROM meta WHERE key = 'identity'").run();
}
