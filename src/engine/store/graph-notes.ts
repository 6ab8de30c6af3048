import { grouped } from '../../shared/grouped.ts';
import type { Database } from './database.ts';
import { getTuples, run } from './statements.ts';

/** How many files are named; of a repository made to keep the resolver busy, all might have to be. */
const NAMED = 5;

/** What kept files of each snapshot from being linked in full. A file's note goes when the file does, or its content. */
export class GraphNotes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the notes of these files; null is none. */
  put(snapshotId: number, notes: ReadonlyMap<string, string | null>): void {
    const remove = 'DELETE FROM graph_notes WHERE snapshot_id = ? AND path = ?';
    // Other processes take whatever is written for news.
    const put = `INSERT INTO graph_notes (snapshot_id, path, note) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET note = excluded.note WHERE note <> excluded.note`;
    for (const [path, note] of notes)
      if (note === null) run(this.#database, remove, [snapshotId, path]);
      else run(this.#database, put, [snapshotId, path, note]);
  }

  /** The notes of a snapshot by path, in order. */
  byPath(snapshotId: number): Map<string, string> {
    const notes = 'SELECT path, note FROM graph_notes WHERE snapshot_id = ? ORDER BY path';
    return new Map(getTuples<[string, string]>(this.#database, notes, [snapshotId]));
  }

  /** The notes of a snapshot as a person should read them: the first few, and how many there are besides. */
  of(snapshotId: number): string[] {
    const notes = [...this.byPath(snapshotId).values()];
    const more = notes.length - NAMED;
    if (more <= 0) return notes;
    const rest = `The call graphs of ${grouped(more)} more files are incomplete as well.`;
    return [...notes.slice(0, NAMED), rest];
  }
}
