import { grouped } from '../../shared/grouped.ts';
import type { Database } from './database.ts';

/** How many files are named; of a repository made to keep the resolver busy, all might have to be. */
const NAMED = 5;

/** What kept files of each snapshot from being linked in full. A file's note goes when the file does, or its content. */
export class GraphNotes {
  readonly #put;
  readonly #remove;
  readonly #all;
  readonly #byPath;

  constructor(database: Database) {
    this.#put = database.prepare<[number, string, string]>(
      // Other processes take whatever is written for news.
      `INSERT INTO graph_notes (snapshot_id, path, note) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET note = excluded.note WHERE note <> excluded.note`,
    );
    this.#remove = database.prepare<[number, string]>(
      'DELETE FROM graph_notes WHERE snapshot_id = ? AND path = ?',
    );
    this.#all = database
      .prepare<[number], string>('SELECT note FROM graph_notes WHERE snapshot_id = ? ORDER BY path')
      .pluck();
    this.#byPath = database.prepare<[number], { path: string; note: string }>(
      'SELECT path, note FROM graph_notes WHERE snapshot_id = ?',
    );
  }

  /** Replaces the notes of these files; null is none. */
  put(snapshotId: number, notes: ReadonlyMap<string, string | null>): void {
    for (const [path, note] of notes)
      if (note === null) this.#remove.run(snapshotId, path);
      else this.#put.run(snapshotId, path, note);
  }

  /** The notes of a snapshot by path. */
  byPath(snapshotId: number): Map<string, string> {
    return new Map(this.#byPath.all(snapshotId).map(({ path, note }) => [path, note]));
  }

  /** The notes of a snapshot as a person should read them: the first few, and how many there are besides. */
  of(snapshotId: number): string[] {
    const notes = this.#all.all(snapshotId);
    const more = notes.length - NAMED;
    if (more <= 0) return notes;
    const rest = `The call graphs of ${grouped(more)} more files are incomplete as well.`;
    return [...notes.slice(0, NAMED), rest];
  }
}
