import { Damage } from '../../base/damage.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import type { AttributeRule } from '../source/attributes.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { fileSum } from './sums.ts';

export interface SnapshotState {
  /** The edges are not, or not all, those of the files. */
  graphDirty: boolean;
  /** An indexing run has finished, and nothing has changed since. */
  complete: boolean;
  indexedAt: string | null;
}

export interface SnapshotFile {
  path: string;
  versionId: number;
  hash: string;
  parser: string;
  /** Its text says that a tool wrote it: 1 or 0. */
  generated: number;
}

/** Snapshots: which file versions make up the working tree or a commit. */
export class Snapshots {
  readonly #database: Database;
  readonly #link;
  readonly #unlink;
  readonly #markDirty;
  readonly #find;
  readonly #state;

  constructor(database: Database) {
    this.#database = database;
    // Every search asks.
    this.#state = database.prepare<
      [number],
      { graph_dirty: number; complete: number; indexed_at: string | null; sound: number }
    >(
      `SELECT graph_dirty, complete, indexed_at,
         seal IS json_array(id, revision, graph_dirty, complete, indexed_at, history, attributes) AS sound
       FROM snapshots WHERE id = ?`,
    );
    this.#find = database
      .prepare<[string], number>('SELECT id FROM snapshots WHERE revision = ?')
      .pluck();
    this.#link = database.prepare<[number, string, number, number]>(
      'INSERT OR REPLACE INTO snapshot_files (snapshot_id, path, version_id, sum) VALUES (?, ?, ?, ?)',
    );
    this.#unlink = database.prepare<[number, string]>(
      'DELETE FROM snapshot_files WHERE snapshot_id = ? AND path = ?',
    );
    this.#markDirty = database.prepare<[number]>(
      'UPDATE snapshots SET graph_dirty = 1, complete = 0 WHERE id = ? AND (graph_dirty = 0 OR complete = 1)',
    );
  }

  /**
   * The snapshot of this revision (null: the working tree), created empty when there is none.
   * @throws Damage
   */
  open(revision: string | null): number {
    const wanted = revision ?? '';
    const id = this.#find.get(wanted) ?? this.#create(wanted);
    this.state(id);
    const stored = this.#database
      .prepare<[number], string>('SELECT revision FROM snapshots WHERE id = ?')
      .pluck()
      .get(id);
    // The index by which it was found may be damaged, and lead to another row.
    if (stored !== wanted) throw new Damage(`snapshot ${id}`);
    return id;
  }

  #create(revision: string): number {
    this.#database.prepare('INSERT OR IGNORE INTO snapshots (revision) VALUES (?)').run(revision);
    const id = this.#find.get(revision);
    if (id === undefined) throw new Damage('the index of snapshots');
    return id;
  }

  /** Of all that there are. */
  ids(): Set<number> {
    return new Set(this.#database.prepare<[], number>('SELECT id FROM snapshots').pluck().all());
  }

  /**
   * What is known of a snapshot. One that another process has removed meanwhile is as one never indexed.
   * @throws Damage
   */
  state(id: number): SnapshotState {
    const row = this.#state.get(id);
    if (row && row.sound !== 1) throw new Damage(`snapshot ${id}`);
    const graphDirty = row?.graph_dirty !== 0;
    return {
      graphDirty,
      complete: row?.complete === 1 && !graphDirty,
      indexedAt: row?.indexed_at ?? null,
    };
  }

  /**
   * Its files by path; call in `Store.read`, or while no other process writes.
   * @throws Damage when one is missing, or is not what was put there.
   */
  files(id: number): SnapshotFile[] {
    const files = this.#database
      .prepare<[number], SnapshotFile>(
        `SELECT s.path, s.version_id AS versionId, v.hash, v.parser, v.generated
         FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id WHERE s.snapshot_id = ? ORDER BY s.path`,
      )
      .all(id);
    const sum = files.reduce(
      (total, { path, versionId }) => addChecksums(total, fileSum(id, path, versionId)),
      0,
    );
    const known = this.#database
      .prepare('SELECT files_sum FROM snapshots WHERE id = ?')
      .pluck()
      .get(id);
    if (sum !== known) throw new Damage(`the files of snapshot ${id}`);
    return files;
  }

  /** How many files of the snapshot have places that the parser could not make sense of. */
  filesWithErrors(id: number): number {
    return this.#database
      .prepare(
        `SELECT COUNT(*) FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id
         WHERE s.snapshot_id = ? AND v.errors > 0`,
      )
      .pluck()
      .get(id) as number;
  }

  /** Puts file versions into the snapshot and takes paths out; call inside the transaction that stores the versions. */
  change(
    id: number,
    put: readonly { path: string; versionId: number }[],
    remove: readonly string[],
  ): void {
    if (put.length + remove.length === 0) return;
    for (const { path, versionId } of put)
      this.#link.run(id, path, versionId, fileSum(id, path, versionId));
    for (const path of remove) this.#unlink.run(id, path);
    this.markDirty(id);
  }

  /** Says that the edges may not be those of the files: all are resolved anew before they count. */
  markDirty(id: number): void {
    this.#markDirty.run(id);
  }

  /** Says that the edges are those of the files. Writes nothing where that is known: others would take it for news. */
  markResolved(id: number): void {
    this.#database
      .prepare('UPDATE snapshots SET graph_dirty = 0 WHERE id = ? AND graph_dirty = 1')
      .run(id);
  }

  markComplete(id: number): void {
    this.#database
      .prepare('UPDATE snapshots SET complete = 1, indexed_at = ? WHERE id = ?')
      .run(new Date().toISOString(), id);
  }

  /**
   * What the snapshot's `.gitattributes` say of roles; call after `state`, which tells damage.
   */
  attributes(id: number): AttributeRule[] {
    const stored = this.#database
      .prepare<[number], string | null>('SELECT attributes FROM snapshots WHERE id = ?')
      .pluck()
      .get(id);
    return stored ? (JSON.parse(stored) as AttributeRule[]) : [];
  }

  /** Says what `attributes` tells. Writes nothing where that is known: others would take it for news. */
  setAttributes(id: number, rules: readonly AttributeRule[]): void {
    const stored = rules.length > 0 ? JSON.stringify(rules) : null;
    this.#database
      .prepare('UPDATE snapshots SET attributes = ? WHERE id = ? AND attributes IS NOT ?')
      .run(stored, id, stored);
  }

  /** Says how many files the snapshot's tree has in languages that are not read, by what people call them. */
  setUnread(id: number, unread: Readonly<Record<string, number>>): void {
    this.#database.prepare('DELETE FROM unread_files WHERE snapshot_id = ?').run(id);
    const insert = this.#database.prepare('INSERT INTO unread_files VALUES (?, ?, ?)');
    for (const [kind, files] of Object.entries(unread)) insert.run(id, kind, files);
  }

  /** What `setUnread` said, most first. */
  unread(id: number): { kind: string; files: number }[] {
    return this.#database
      .prepare<[number], { kind: string; files: number }>(
        'SELECT kind, files FROM unread_files WHERE snapshot_id = ? ORDER BY files DESC, kind',
      )
      .all(id);
  }

  setSkipped(id: number, skipped: readonly SkippedFile[]): void {
    this.#database.prepare('DELETE FROM skipped_files WHERE snapshot_id = ?').run(id);
    this.addSkipped(id, skipped);
  }

  addSkipped(id: number, skipped: readonly SkippedFile[]): void {
    const insert = this.#database.prepare(
      'INSERT OR REPLACE INTO skipped_files VALUES (?, ?, ?, ?)',
    );
    for (const file of skipped) insert.run(id, file.path, file.reason, file.detail);
  }

  removeSkipped(id: number, paths: readonly string[]): void {
    const remove = this.#database.prepare(
      'DELETE FROM skipped_files WHERE snapshot_id = ? AND path = ?',
    );
    for (const path of paths) remove.run(id, path);
  }

  skipped(id: number): SkippedFile[] {
    return this.#database
      .prepare<[number], SkippedFile>(
        'SELECT path, reason, detail FROM skipped_files WHERE snapshot_id = ? ORDER BY path',
      )
      .all(id);
  }
}
