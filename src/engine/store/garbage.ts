/** What no snapshot needs, and snapshots of commits that were indexed long ago. */
import type { Database } from 'better-sqlite3';
import { getRows, getTuples, getValues, run } from './statements.ts';

/**
 * Bytes of what is kept for going back: commits that were indexed but for the last one, and file versions that nothing
 * uses, so that switching branches costs no parsing. A quarter of what is in use if that is more.
 */
const RESERVE = 8_000_000;
const RESERVE_SHARE = 0.25;
/** About what rows take with all that belongs to them. */
const CHUNK_BYTES = 130;
const EDGE_BYTES = 48;
const FILE_BYTES = 80;

/**
 * Removes it, the oldest first. Snapshots that are not complete stay: another process may be about to index one.
 * Call inside a transaction.
 * @param commitsKept how many indexed commits stay whatever room they take; null for as many as the reserve has room for,
 * and `MOST_COMMITS` at most.
 */
export function removeGarbage(database: Database, commitsKept: number | null): void {
  const bytesOf = versionBytes(database);
  const used = new Set(
    getValues<number>(
      database,
      `SELECT DISTINCT f.version_id FROM snapshot_files f JOIN snapshots s ON s.id = f.snapshot_id
       WHERE s.revision = '' OR s.complete = 0`,
    ),
  );
  let reserve: number | null = null;
  const commits = indexedCommits(database);
  const most = commitsKept ?? MOST_COMMITS;
  for (const [place, { id, bytes }] of commits.entries()) {
    const own = getValues<number>(database, VERSIONS, [id]).filter((version) => !used.has(version));
    const taken = own.reduce((sum, version) => sum + (bytesOf.get(version) ?? 0), bytes);
    // The last one is in use, as the working tree is.
    if (place > 0) {
      reserve ??= reserveFor(bytesOf, used);
      if (commitsKept === null) reserve -= taken;
      if (place >= most || reserve < 0) {
        for (const older of commits.slice(place))
          run(database, 'DELETE FROM snapshots WHERE id = ?', [older.id]);
        break;
      }
    }
    for (const version of own) used.add(version);
  }
  removeVersions(database, bytesOf, used, reserve ?? reserveFor(bytesOf, used));
}

/** Commits (as opposed to the working tree) that stay, unless told otherwise. */
const MOST_COMMITS = 8;

const VERSIONS = 'SELECT version_id FROM snapshot_files WHERE snapshot_id = ?';

/** Returns commits, the one indexed last first. `bytes` leave out the versions of their files. */
function indexedCommits(database: Database): { id: number; bytes: number }[] {
  return getRows(
    database,
    `SELECT id, ? * (SELECT COUNT(*) FROM edges e WHERE e.snapshot_id = s.id)
       + ? * (SELECT COUNT(*) FROM snapshot_files f WHERE f.snapshot_id = s.id) AS bytes
     FROM snapshots s WHERE revision <> '' AND complete = 1 ORDER BY indexed_at DESC, id DESC`,
    [EDGE_BYTES, FILE_BYTES],
  );
}

function versionBytes(database: Database): Map<number, number> {
  const rows = getTuples<[number, number]>(
    database,
    `SELECT d.version_id, length(d.texts) + length(d.facts) + length(d.terms)
       + ? * (SELECT COUNT(*) FROM chunks c WHERE c.version_id = d.version_id)
     FROM version_data d`,
    [CHUNK_BYTES],
  );
  return new Map(rows);
}

function reserveFor(bytesOf: ReadonlyMap<number, number>, used: ReadonlySet<number>): number {
  let inUse = 0;
  for (const version of used) inUse += bytesOf.get(version) ?? 0;
  return Math.max(RESERVE, inUse * RESERVE_SHARE);
}

function removeVersions(
  database: Database,
  bytesOf: ReadonlyMap<number, number>,
  used: ReadonlySet<number>,
  reserve: number,
): void {
  let left = reserve;
  const newestFirst = [...bytesOf].sort(([a], [b]) => b - a);
  for (const [id, bytes] of newestFirst) {
    if (used.has(id)) continue;
    left -= bytes;
    if (left < 0) run(database, 'DELETE FROM file_versions WHERE id = ?', [id]);
  }
}
