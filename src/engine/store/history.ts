import { Damage } from '../../base/damage.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { packText, unpackText } from '../columns/packed.ts';
import type { Commit } from '../history/types.ts';
import type { Database } from './database.ts';
import { getRow, getTuples, getValue, iterate, run } from './statements.ts';
import { computeCommitSum, extendHistorySum } from './sums.ts';

/** Number of commits kept that no snapshot is linked to, so that other branches and older commits needn't be read again. */
const MAX_UNUSED_COMMITS = 5_000;
/** The same for commits without edits: they are small, and every reading of history meets them again. */
const MAX_EMPTY_COMMITS = 20_000;

/** Length of JSON from which packing it saves more room than it is worth in time: 1,900 of Django's 5,000 commits. */
const MIN_PACKED_EDITS = 256;

type PackedEdit = [path: string, from: string | null, definitions: string[]];

/** Commits that were read from a repository's git history, and links from snapshots to the commits in their history. */
export class StoredHistory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns a commit that this reader has read, or null. `useful` is true if the commit has edits.
   * @throws Damage
   */
  find(hash: string, reader: string): { id: number; useful: boolean } | null {
    const row = getRow<{ id: number; hash: string; useful: number }>(
      this.#database,
      // Joined with itself, so that the hash found in the index is compared with the hash in the row.
      `SELECT c.id, lower(hex(c.hash)) AS hash, c.edits <> '[]' AS useful FROM commits i JOIN commits c ON c.id = i.id
       WHERE i.hash = unhex(?) AND i.reader = ?`,
      [hash, reader],
    );
    if (row && row.hash !== hash) throw new Damage(`commit ${hash}`);
    return row ? { id: row.id, useful: row.useful === 1 } : null;
  }

  /** Returns all commits that this reader has read, by hash, as `find` returns them. */
  getAll(reader: string): Map<string, { id: number; useful: boolean }> {
    // Reads the rows, not the index, which may be damaged.
    const rows = getTuples<[string, number, number]>(
      this.#database,
      "SELECT lower(hex(hash)), id, edits <> '[]' FROM commits NOT INDEXED WHERE reader = ?",
      [reader],
    );
    return new Map(rows.map(([hash, id, useful]) => [hash, { id, useful: useful === 1 }]));
  }

  /** Stores commits, and returns them by hash, as `find` does. Call inside a transaction. */
  put(commits: readonly Commit[], reader: string): Map<string, { id: number; useful: boolean }> {
    const stored = new Map<string, { id: number; useful: boolean }>();
    for (const { hash, time, message, edits } of commits) {
      const row = [hash, reader, time, message, packEdits(edits)] as const;
      const { changes, lastInsertRowid } = run(
        this.#database,
        'INSERT OR IGNORE INTO commits (hash, reader, time, message, edits, sum) VALUES (unhex(?), ?, ?, ?, ?, ?)',
        [...row, computeCommitSum(...row)],
      );
      const added = { id: Number(lastInsertRowid), useful: edits.length > 0 };
      stored.set(hash, changes > 0 ? added : assertPresent(this.find(hash, reader), 'a commit'));
    }
    return stored;
  }

  /** Returns the state of history that a snapshot was last linked to with `link`; null if it was never linked. */
  getLinkedState(snapshotId: number): string | null {
    const history = 'SELECT history FROM snapshots WHERE id = ?';
    return getValue<string>(this.#database, history, [snapshotId]) ?? null;
  }

  /** Links a snapshot to the commits in its history, newest first. Call inside a transaction. */
  link(snapshotId: number, state: string, commitIds: readonly number[]): void {
    const database = this.#database;
    run(database, 'DELETE FROM snapshot_commits WHERE snapshot_id = ?', [snapshotId]);
    const sumOf = (id: number) =>
      getValue(database, 'SELECT sum FROM commits WHERE id = ?', [id]) as number;
    let sum = 0;
    for (const [position, id] of commitIds.entries()) {
      run(database, 'INSERT INTO snapshot_commits VALUES (?, ?, ?)', [snapshotId, position, id]);
      sum = extendHistorySum(sum, sumOf(id));
    }
    const update = 'UPDATE snapshots SET history = ?, history_sum = ? WHERE id = ?';
    run(database, update, [state, sum, snapshotId]);
  }

  /**
   * Yields the commits that a snapshot is linked to, newest first. Call inside `Store.read`, or while no other process writes.
   * @throws Damage during the iteration or at its end, also if commits are missing.
   */
  *readAll(snapshotId: number): IterableIterator<Commit> {
    const rows = iterate<[string, string, number, string, string | Buffer, number]>(
      this.#database,
      `SELECT lower(hex(c.hash)), c.reader, c.time, c.message, c.edits, c.sum FROM snapshot_commits s JOIN commits c ON c.id = s.commit_id
       WHERE s.snapshot_id = ? ORDER BY s.position`,
      [snapshotId],
    );
    let total = 0;
    for (const [hash, reader, time, message, edits, sum] of rows) {
      if (computeCommitSum(hash, reader, time, message, edits) !== sum)
        throw new Damage(`commit ${hash}`);
      total = extendHistorySum(total, sum);
      yield { hash, time, message, edits: unpackEdits(edits) };
    }
    const sum = 'SELECT history_sum FROM snapshots WHERE id = ?';
    if (total !== getValue(this.#database, sum, [snapshotId]))
      throw new Damage('commits are missing');
  }

  /** Removes the oldest commits that no snapshot is linked to. Call inside a transaction. */
  collectGarbage(): void {
    const remove = `DELETE FROM commits WHERE id IN (
      SELECT id FROM commits WHERE (edits = '[]') = ? AND id NOT IN (SELECT commit_id FROM snapshot_commits)
      ORDER BY id DESC LIMIT -1 OFFSET ?)`;
    run(this.#database, remove, [0, MAX_UNUSED_COMMITS]);
    run(this.#database, remove, [1, MAX_EMPTY_COMMITS]);
  }
}

function packEdits(edits: Commit['edits']): string | Buffer {
  const rows = edits.map(({ path, from, definitions }): PackedEdit => [path, from, definitions]);
  const json = JSON.stringify(rows);
  return json.length < MIN_PACKED_EDITS ? json : packText(json);
}

function unpackEdits(packed: string | Buffer): Commit['edits'] {
  const json = typeof packed === 'string' ? packed : unpackText(packed);
  return (JSON.parse(json) as PackedEdit[]).map(([path, from, definitions]) => {
    return { path, from, definitions };
  });
}
