import { Damage } from '../../base/damage.ts';
import type { Commit } from '../history/types.ts';
import type { Database } from './database.ts';
import { getRow, getValue, iterate, run } from './statements.ts';
import { commitSum, historySum } from './sums.ts';

/** Commits that no snapshot is linked with, kept so that other branches and older commits cost no reading. */
const UNUSED_COMMITS_KEPT = 5_000;
/** The same of commits without edits, which take little, and which every reading would meet again. */
const EMPTY_COMMITS_KEPT = 20_000;

type PackedEdit = [path: string, from: string | null, definitions: string[]];

/** The part of a repository's git history that was read, and which of it a snapshot has behind it. */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Whether a commit was read by this reader, and whether it has edits.
   * @throws Damage
   */
  find(hash: string, reader: string): { id: number; useful: boolean } | null {
    const row = getRow<{ id: number; hash: string; useful: number }>(
      this.#database,
      // Twice, so that what the index says is compared with the row.
      `SELECT c.id, c.hash, c.edits <> '[]' AS useful FROM commits i JOIN commits c ON c.id = i.id
       WHERE i.hash = ? AND i.reader = ?`,
      [hash, reader],
    );
    if (row && row.hash !== hash) throw new Damage(`commit ${hash}`);
    return row ? { id: row.id, useful: row.useful === 1 } : null;
  }

  /** Stores commits; call inside a transaction. */
  put(commits: readonly Commit[], reader: string): void {
    for (const { hash, time, message, edits } of commits) {
      const packed = edits.map(({ path, from, definitions }) => [path, from, definitions]);
      const row = [hash, reader, time, message, JSON.stringify(packed)] as const;
      run(
        this.#database,
        'INSERT OR IGNORE INTO commits (hash, reader, time, message, edits, sum) VALUES (?, ?, ?, ?, ?, ?)',
        [...row, commitSum(...row)],
      );
    }
  }

  /** Which state of history a snapshot is linked with, as `link` was told; null when with none. */
  linked(snapshotId: number): string | null {
    const history = 'SELECT history FROM snapshots WHERE id = ?';
    return getValue<string>(this.#database, history, [snapshotId]) ?? null;
  }

  /** Says which commits a snapshot has behind it, newest first; call inside a transaction. */
  link(snapshotId: number, state: string, commitIds: readonly number[]): void {
    const database = this.#database;
    run(database, 'DELETE FROM snapshot_commits WHERE snapshot_id = ?', [snapshotId]);
    const sumOf = (id: number) =>
      getValue(database, 'SELECT sum FROM commits WHERE id = ?', [id]) as number;
    let sum = 0;
    for (const [position, id] of commitIds.entries()) {
      run(database, 'INSERT INTO snapshot_commits VALUES (?, ?, ?)', [snapshotId, position, id]);
      sum = historySum(sum, sumOf(id));
    }
    const update = 'UPDATE snapshots SET history = ?, history_sum = ? WHERE id = ?';
    run(database, update, [state, sum, snapshotId]);
  }

  /**
   * The commits that a snapshot has behind it, newest first; call in `Store.read`, or while no other process writes.
   * @throws Damage when the last one was read, or before.
   */
  *ofSnapshot(snapshotId: number): IterableIterator<Commit> {
    const rows = iterate<[string, string, number, string, string, number]>(
      this.#database,
      `SELECT c.hash, c.reader, c.time, c.message, c.edits, c.sum FROM snapshot_commits s JOIN commits c ON c.id = s.commit_id
       WHERE s.snapshot_id = ? ORDER BY s.position`,
      [snapshotId],
    );
    let total = 0;
    for (const [hash, reader, time, message, edits, sum] of rows) {
      if (commitSum(hash, reader, time, message, edits) !== sum) throw new Damage(`commit ${hash}`);
      total = historySum(total, sum);
      const unpacked = (JSON.parse(edits) as PackedEdit[]).map(([path, from, definitions]) => {
        return { path, from, definitions };
      });
      yield { hash, time, message, edits: unpacked };
    }
    const sum = 'SELECT history_sum FROM snapshots WHERE id = ?';
    if (total !== getValue(this.#database, sum, [snapshotId]))
      throw new Damage('commits are missing');
  }

  /** Drops the oldest commits that no snapshot is linked with; call inside a transaction. */
  collectGarbage(): void {
    const remove = `DELETE FROM commits WHERE id IN (
      SELECT id FROM commits WHERE (edits = '[]') = ? AND id NOT IN (SELECT commit_id FROM snapshot_commits)
      ORDER BY id DESC LIMIT -1 OFFSET ?)`;
    run(this.#database, remove, [0, UNUSED_COMMITS_KEPT]);
    run(this.#database, remove, [1, EMPTY_COMMITS_KEPT]);
  }
}
