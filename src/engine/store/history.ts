import type { Commit, FileEdit } from '../history/types.ts';
import type { Database } from './database.ts';

/** Commits that no snapshot is linked with, kept so that other branches and older commits cost no reading. */
const UNUSED_COMMITS_KEPT = 20_000;

/** The part of a repository's git history that was read, and which of it a snapshot has behind it. */
export class History {
  readonly #database: Database;
  readonly #find;
  readonly #insert;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare<[string, string], { id: number; useful: number }>(
      `SELECT id, edits <> '[]' AS useful FROM commits WHERE hash = ? AND reader = ?`,
    );
    this.#insert = database.prepare<[string, string, number, string, string]>(
      'INSERT OR IGNORE INTO commits (hash, reader, time, message, edits) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Whether a commit was read by this reader, and whether it has edits. */
  find(hash: string, reader: string): { id: number; useful: boolean } | null {
    const row = this.#find.get(hash, reader);
    return row ? { id: row.id, useful: row.useful === 1 } : null;
  }

  /** Stores commits; call inside a transaction. */
  put(commits: readonly Commit[], reader: string): void {
    for (const { hash, time, message, edits } of commits) {
      const packed = edits.map(({ path, from, definitions }) => [path, from, definitions]);
      this.#insert.run(hash, reader, time, message, JSON.stringify(packed));
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
    this.#database.prepare('UPDATE snapshots SET history = ? WHERE id = ?').run(state, snapshotId);
  }

  /** The commits that a snapshot has behind it, newest first. */
  *ofSnapshot(snapshotId: number): IterableIterator<Commit> {
    const rows = this.#database
      .prepare(
        `SELECT c.hash, c.time, c.message, c.edits FROM snapshot_commits s JOIN commits c ON c.id = s.commit_id
         WHERE s.snapshot_id = ? ORDER BY s.position`,
      )
      .raw()
      .iterate(snapshotId) as IterableIterator<[string, number, string, string]>;
    for (const [hash, time, message, edits] of rows) {
      yield { hash, time, message, edits: (JSON.parse(edits) as PackedEdit[]).map(unpacked) };
    }
  }

  /** Drops the oldest commits that no snapshot is linked with; call inside a transaction. */
  collectGarbage(): void {
    this.#database
      .prepare(
        `DELETE FROM commits WHERE id IN (
           SELECT id FROM commits WHERE id NOT IN (SELECT commit_id FROM snapshot_commits)
           ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      )
      .run(UNUSED_COMMITS_KEPT);
  }
}

type PackedEdit = [path: string, from: string | null, definitions: string[]];

function unpacked([path, from, definitions]: PackedEdit): FileEdit {
  return { path, from, definitions };
}
