/** Room on the disk: whether there is enough, and giving back what is no longer used. */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';

/** Free pages that stay in the file, to be used again. */
const FREE_PAGES_KEPT = 256;
/** What SQLite calls a database from whose end free pages can be cut. */
const INCREMENTAL = 2;

/**
 * Gives free pages back to the file system once there are more than a few; call outside of transactions. A database of
 * before that was possible is written anew, if the disk has room for that.
 */
export function giveBack(database: Database, path: string): void {
  const pages = (name: string) => database.pragma(name, { simple: true }) as number;
  const free = pages('freelist_count');
  if (free <= FREE_PAGES_KEPT) return;
  if (pages('auto_vacuum') === INCREMENTAL) {
    database.pragma(`incremental_vacuum(${free})`);
  } else {
    // Once in a temporary file, and once more in the log.
    if (!hasRoom(path, 2 * (pages('page_count') - free) * pages('page_size'))) return;
    database.pragma('auto_vacuum = INCREMENTAL');
    database.exec('VACUUM');
  }
  // The file ends where it ends only when the log is in it; where somebody reads, that is done later.
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Whether a database may be written anew within its log. */
export function hasRoomToConvert(path: string): boolean {
  return hasRoom(path, statSync(path).size);
}

/** Where the system does not tell, there is room: what fails for want of it says so. */
function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= bytes;
  } catch {
    return true;
  }
}
