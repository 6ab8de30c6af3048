import { Damage } from '../../base/damage.ts';
import type { Commit, FileEdit } from '../history/types.ts';
import type { Database } from './database.ts';
import { commitSum, historySum } from './sums.ts';

/** Commits that no snapshot is linked with, kept so that other branches and older commits cost no reading. */
const UNUSED_COMMITS_KEPT = 5_000;
/** The same of commits without edits, which take little, and which every reading would meet again. */
const EMPTY_COMMITS_KEPT = 20_000;

/** The part of a repository's git history that was read, and which of it a snapshot has behind it. */
export class History {
  readonly #database: Database;
  readonly #find;
  readonly #insert;

  constructor(database: Database) {
    this.#database = database;
    // Twice, so that what the index says is compared with the row.
    this.#find = database.prepare<[string, string], { id: number; hash: string; useful: number }>(
      `SELECT c.id, c.hash, c.edits <> '[]' AS useful FROM commits i JOIN commits c ON c.id = i.id
       WHERE i.hash = ? AND i.reader = ?`,
    );
    this.#insert = database.prepare<[string, string, number, string, string, number]>(
      'INSERT OR IGNORE INTO commits (hash, reader, time, message, edits, sum) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /**
   * Whether a commit was read by this reader, and whether it has edits.
   * @throws Damage
   */
  find(hash: string, reader: string): { id: number; useful: boolean } | null {
    const row = this.#find.get(hash, reader);
    if (row && row.hash !== hash) throw new Damage(`commit ${hash}`);
    return row ? { id: row.id, useful: row.useful === 1 } : null;
  }

  /** Stores commits; call inside a transaction. */
  put(commits: readonly Commit[], reader: string): void {
    for (const { hash, time, message, edits } of commits) {
      const packed = JSON.stringify(
        edits.map(({ path, from, definitions }) => [path, from, definitions]),
      );
      const sum = commitSum(hash, reader, time, message, packed);
      this.#insert.run(hash, reader, time, message, packed, sum);
    }
  }

  /** Which state of history a snapshot is linked with, as `link` was told; null when with none. */
  linked(snapshotId: number): string | null {
    return this.#database
      .prepare('SELECT history FROM snapshots WHERE id = ?')
      .pluck()
      .get(snapshotId) as string | null;
  }

  /** Says which commits a snapshot has behind it, newest first; call inside a transaction. */
  link(snapshotId: number, state: string, commitIds: readonly number[]): void {
    this.#database.prepare('DELETE FROM snapshot_commits WHERE snapshot_id = ?').run(snapshotId);
    const insert = this.#database.prepare('INSERT INTO snapshot_commits VALUES (?, ?, ?)');
    for (const [position, id] of commitIds.entries()) insert.run(snapshotId, position, id);
    const sumOf = this.#database.prepare('SELECT sum FROM commits WHERE id = ?').pluck();
    const sum = commitIds.reduce((total, id) => historySum(total, sumOf.get(id) as number), 0);
    this.#database
      .prepare('UPDATE snapshots SET history = ?, history_sum = ? WHERE id = ?')
      .run(state, sum, snapshotId);
  }

  /**
   * The commits that a snapshot has behind it, newest first; call in `Store.read`, or while no other process writes.
   * @throws Damage when the last one was read, or before.
   */
  *ofSnapshot(snapshotId: number): IterableIterator<Commit> {
    const rows = this.#database
      .prepare(
        `SELECT c.hash, c.reader, c.time, c.message, c.edits, c.sum FROM snapshot_commits s JOIN commits c ON c.id = s.commit_id
         WHERE s.snapshot_id = ? ORDER BY s.position`,
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<[string, string, number, string, string, number]>;
    let total = 0;
    for (const [hash, reader, time, message, edits, sum] of rows) {
      if (commitSum(hash, reader, time, message, edits) !== sum) throw new Damage(`commit ${hash}`);
      total = historySum(total, sum);
      yield { hash, time, message, edits: (JSON.parse(edits) as PackedEdit[]).map(unpacked) };
    }
    const known = this.#database
      .prepare('SELECT history_sum FROM snapshots WHERE id = ?')
      .pluck()
      .get(snapshotId);
    if (total !== known) throw new Damage('commits are missing');
  }

  /** Drops the oldest commits that no snapshot is linked with; call inside a transaction. */
  collectGarbage(): void {
    const remove = this.#database.prepare<[number, number]>(
      `DELETE FROM commits WHERE id IN (
         SELECT id FROM commits WHERE (edits = '[]') = ? AND id NOT IN (SELECT commit_id FROM snapshot_commits)
         ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    );
    remove.run(0, UNUSED_COMMITS_KEPT);
    remove.run(1, EMPTY_COMMITS_KEPT);
  }
}

type PackedEdit = [path: string, from: string | null, definitions: string[]];

function unpacked([path, from, definitions]: PackedEdit): FileEdit {
  return { path, from, definitions };
}
