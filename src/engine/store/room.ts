/** Returning free space in an index to the file system. */
import type { Database } from 'better-sqlite3';

/** Free pages that stay in the file, to be used again. */
const FREE_PAGES_KEPT = 256;

/** Returns free pages to the file system once there are more than a few. Call outside of transactions. */
export function returnFreePages(database: Database): void {
  const free = database.pragma('freelist_count', { simple: true }) as number;
  if (free <= FREE_PAGES_KEPT) return;
  database.pragma(`incremental_vacuum(${free})`);
  // The file shrinks only when the log is in it. While somebody reads, that happens later.
  database.pragma('wal_checkpoint(TRUNCATE)');
}
