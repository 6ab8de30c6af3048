import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/**
 * By what a copy of a snapshot's rows, kept elsewhere, is known to be current: which database it was made of, the last
 * chunk that was ever stored there, and what the snapshot says of itself and of all its rows, of which chunk has which
 * embedding too.
 */
export class SnapshotStates {
  readonly #database: Database;
  readonly #state;

  constructor(database: Database) {
    this.#database = database;
    this.#state = database
      .prepare<[number], string>(
        `SELECT json_array(m.value, v.user_version, (SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), s.id, s.revision,
           s.complete, s.attributes, s.history, s.files_sum, s.edges_sum, s.history_sum, s.links_sum)
         FROM snapshots s JOIN meta m ON m.key = 'identity' JOIN pragma_user_version v
         WHERE s.id = ? AND s.graph_dirty = 0`,
      )
      .pluck();
  }

  /** Null where the graph is dirty, or nothing was ever identified. */
  of(snapshotId: number): string | null {
    return this.#state.get(snapshotId) ?? null;
  }

  /** Gives the database a name that no other has, the one made anew after it was damaged neither; call in a transaction. */
  identify(): void {
    this.#database
      .prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('identity', ?)")
      .run(randomUUID());
  }
}
