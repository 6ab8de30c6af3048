/** Removes file versions that no snapshot needs, and the oldest snapshots of commits. */
import type { Database } from 'better-sqlite3';
import { getRows, getTuples, getValues, run } from './statements.ts';

/**
 * Bytes reserved for snapshots of commits other than the latest one, and for unused file versions. They make switching back to
 * another branch cheap, since nothing is parsed again. The reserve is a quarter of the bytes in use, if that is more.
 */
const RESERVE_BYTES = 8_000_000;
const RESERVE_SHARE = 0.25;
/** Approximate size of the row of a file in a snapshot, including its index entry. */
const FILE_BYTES = 80;

/**
 * Removes snapshots of commits and unused file versions beyond the reserve, oldest first. Incomplete snapshots stay, since
 * another process may be about to index one. Call inside a transaction.
 * @param commitsKept number of indexed commits that stay, regardless of their size. Null for as many as fit in the reserve,
 * at most `MAX_COMMITS`.
 */
export function removeGarbage(database: Database, commitsKept: number | null): void {
  const bytesOf = getVersionBytes(database);
  const used = new Set(
    getValues<number>(
      database,
      `SELECT DISTINCT f.version_id FROM snapshot_files f JOIN snapshots s ON s.id = f.snapshot_id
       WHERE s.revision = '' OR s.complete = 0`,
    ),
  );
  let reserve: number | null = null;
  const commits = getIndexedCommits(database);
  const most = commitsKept ?? MAX_COMMITS;
  for (const [rank, { id, bytes }] of commits.entries()) {
    const own = getValues<number>(database, VERSIONS, [id]).filter((version) => !used.has(version));
    const taken = own.reduce((sum, version) => sum + (bytesOf.get(version) ?? 0), bytes);
    // The latest commit counts as in use, like the working tree.
    if (rank > 0) {
      reserve ??= computeReserve(bytesOf, used);
      if (commitsKept === null) reserve -= taken;
      if (rank >= most || reserve < 0) {
        for (const older of commits.slice(rank))
          run(database, 'DELETE FROM snapshots WHERE id = ?', [older.id]);
        break;
      }
    }
    for (const version of own) used.add(version);
  }
  removeVersions(database, bytesOf, used, reserve ?? computeReserve(bytesOf, used));
}

/** Default number of commits that stay, not counting the working tree. */
const MAX_COMMITS = 8;

const VERSIONS = 'SELECT version_id FROM snapshot_files WHERE snapshot_id = ?';

/** Returns the indexed commits, latest first. `bytes` excludes the versions of their files. */
function getIndexedCommits(database: Database): { id: number; bytes: number }[] {
  return getRows(
    database,
    `SELECT id, (SELECT coalesce(SUM(length(edges)), 0) FROM edges e WHERE e.snapshot_id = s.id)
       + ? * (SELECT COUNT(*) FROM snapshot_files f WHERE f.snapshot_id = s.id) AS bytes
     FROM snapshots s WHERE revision <> '' AND complete = 1 ORDER BY indexed_at DESC, id DESC`,
    [FILE_BYTES],
  );
}

function getVersionBytes(database: Database): Map<number, number> {
  const rows = getTuples<[number, number]>(
    database,
    `SELECT version_id, length(chunks) + length(terms) + length(facts) + length(refs) + length(texts) FROM version_data`,
    [],
  );
  return new Map(rows);
}

function computeReserve(bytesOf: ReadonlyMap<number, number>, used: ReadonlySet<number>): number {
  let inUse = 0;
  for (const version of used) inUse += bytesOf.get(version) ?? 0;
  return Math.max(RESERVE_BYTES, inUse * RESERVE_SHARE);
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
