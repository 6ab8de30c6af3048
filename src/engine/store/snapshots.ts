import { randomUUID } from 'node:crypto';
import { Damage } from '../../base/damage.ts';
import type { SkippedFile } from '../../shared/indexing.ts';
import type { AttributeRule } from '../source/attributes.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { SEAL } from './schema.ts';
import { getRow, getRows, getValue, getValues, iterate, run } from './statements.ts';
import { computeFileSum } from './sums.ts';

export interface SnapshotState {
  /** True if edges may be missing or outdated. */
  graphDirty: boolean;
  /** True if an indexing run has finished and no file has changed since. */
  complete: boolean;
  indexedAt: string | null;
}

export interface SnapshotFile {
  path: string;
  versionId: number;
  hash: string;
  parser: string;
  /** 1 if the file's text says that it is generated, else 0. */
  generated: number;
}

/** Revision of a snapshot that was copied from the index of another working tree. No commit has this name. */
export const COPIED_REVISION = 'copied';

/** Snapshots: the sets of file versions that make up the working tree or a commit. */
export class Snapshots {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the id of the snapshot of a revision, or of the working tree for null. Creates an empty snapshot if there is none.
   * @throws Damage
   */
  open(revision: string | null): number {
    const wanted = revision ?? '';
    const id = this.#find(wanted) ?? this.#create(wanted);
    this.getState(id);
    const select = 'SELECT revision FROM snapshots WHERE id = ?';
    // A damaged index may lead to another row.
    if (getValue(this.#database, select, [id]) !== wanted) throw new Damage(`snapshot ${id}`);
    return id;
  }

  #find(revision: string): number | undefined {
    return getValue(this.#database, 'SELECT id FROM snapshots WHERE revision = ?', [revision]);
  }

  #create(revision: string): number {
    run(this.#database, 'INSERT OR IGNORE INTO snapshots (revision) VALUES (?)', [revision]);
    const id = this.#find(revision);
    if (id === undefined) throw new Damage('the index of snapshots');
    return id;
  }

  /**
   * Returns the complete snapshot that shares most contents with these files; null if none shares half of them.
   * @param hashes content hashes by path; null for unknown ones.
   */
  findSimilar(hashes: ReadonlyMap<string, string | null>): number | null {
    const files = `SELECT s.id, f.path, v.hash FROM snapshots s JOIN snapshot_files f ON f.snapshot_id = s.id
      JOIN file_versions v ON v.id = f.version_id WHERE s.complete = 1 AND s.graph_dirty = 0`;
    const shared = new Map<number, number>();
    for (const [id, path, hash] of iterate<[number, string, string]>(this.#database, files, []))
      if (hashes.get(path) === hash) shared.set(id, (shared.get(id) ?? 0) + 1);
    const [best] = [...shared].sort(([a, one], [b, other]) => other - one || b - a);
    return best && best[1] * 2 >= hashes.size ? best[0] : null;
  }

  /** Returns true if a complete snapshot exists. */
  hasComplete(): boolean {
    const select = 'SELECT 1 FROM snapshots WHERE complete = 1 LIMIT 1';
    return getValue(this.#database, select, []) !== undefined;
  }

  /** Returns true if a snapshot was copied from another index, and nothing was indexed since. */
  hasCopied(): boolean {
    return this.#find(COPIED_REVISION) !== undefined;
  }

  /** Removes the snapshot that was copied from another index, if there is one. */
  removeCopied(): void {
    run(this.#database, 'DELETE FROM snapshots WHERE revision = ?', [COPIED_REVISION]);
  }

  /** Gives an empty snapshot the files of another one, except at `omitted` paths. Call inside a transaction. */
  copyFiles(id: number, from: number, omitted: readonly string[]): void {
    run(
      this.#database,
      `INSERT INTO snapshot_files (snapshot_id, path, version_id, sum)
       SELECT @id, path, version_id, sum FROM snapshot_files
       WHERE snapshot_id = @from AND path NOT IN (SELECT value FROM json_each(@omitted))`,
      { id, from, omitted: JSON.stringify(omitted) },
    );
    this.markDirty(id);
  }

  getIds(): number[] {
    return getValues(this.#database, 'SELECT id FROM snapshots');
  }

  /**
   * Returns the state of a snapshot. A snapshot that another process has removed counts as never indexed.
   * @throws Damage
   */
  getState(id: number): SnapshotState {
    const row = getRow<{ dirty: number; complete: number; at: string | null; sound: number }>(
      this.#database,
      `SELECT graph_dirty AS dirty, complete, indexed_at AS at, seal IS ${SEAL} AS sound FROM snapshots WHERE id = ?`,
      [id],
    );
    if (row && row.sound !== 1) throw new Damage(`snapshot ${id}`);
    const graphDirty = row?.dirty !== 0;
    return { graphDirty, complete: row?.complete === 1 && !graphDirty, indexedAt: row?.at ?? null };
  }

  /**
   * Returns a text that changes whenever the rows of a snapshot change, so that a copy of them can be checked for being
   * current. It contains the database's identity, the snapshot's row and the checksums of its other rows, including embedding
   * links. Returns null if the graph is dirty or `ensureIdentity` was never called.
   */
  getIdentity(id: number): string | null {
    const identity = getValue<string>(
      this.#database,
      `SELECT json_array(m.value, v.user_version, s.id, s.revision, s.complete, s.attributes, s.history, s.files_sum,
         s.edges_sum, s.history_sum, s.links_sum)
       FROM snapshots s JOIN meta m ON m.key = 'identity' JOIN pragma_user_version v
       WHERE s.id = ? AND s.graph_dirty = 0`,
      [id],
    );
    return identity ?? null;
  }

  /** Gives the database a unique name, also among those rebuilt after damage. Call in a transaction. */
  ensureIdentity(): void {
    const name = "INSERT OR IGNORE INTO meta (key, value) VALUES ('identity', ?)";
    run(this.#database, name, [randomUUID()]);
  }

  /**
   * Returns the files of a snapshot in order of path. Call inside `Store.read`, or while no other process writes.
   * @throws Damage if a file is missing or differs from what was stored.
   */
  getFiles(id: number): SnapshotFile[] {
    const files = getRows<SnapshotFile>(
      this.#database,
      `SELECT s.path, s.version_id AS versionId, v.hash, v.parser, v.generated
       FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id WHERE s.snapshot_id = ? ORDER BY s.path`,
      [id],
    );
    const sum = files.reduce(
      (total, { path, versionId }) => addChecksums(total, computeFileSum(path, versionId)),
      0,
    );
    const known = getValue(this.#database, 'SELECT files_sum FROM snapshots WHERE id = ?', [id]);
    if (sum !== known) throw new Damage(`the files of snapshot ${id}`);
    return files;
  }

  /** Returns the number of files in the snapshot with syntax errors. */
  countFilesWithErrors(id: number): number {
    const count = `SELECT COUNT(*) FROM snapshot_files s JOIN file_versions v ON v.id = s.version_id
      WHERE s.snapshot_id = ? AND v.errors > 0`;
    return getValue(this.#database, count, [id]) ?? 0;
  }

  /** Adds file versions to the snapshot and removes paths. Call inside the transaction that stores the versions. */
  changeFiles(
    id: number,
    put: readonly { path: string; versionId: number }[],
    remove: readonly string[],
  ): void {
    if (put.length + remove.length === 0) return;
    const link =
      'INSERT OR REPLACE INTO snapshot_files (snapshot_id, path, version_id, sum) VALUES (?, ?, ?, ?)';
    for (const { path, versionId } of put)
      run(this.#database, link, [id, path, versionId, computeFileSum(path, versionId)]);
    const unlink = 'DELETE FROM snapshot_files WHERE snapshot_id = ? AND path = ?';
    for (const path of remove) run(this.#database, unlink, [id, path]);
    this.markDirty(id);
  }

  /** Marks the edges as possibly outdated. The next indexing run resolves all of them again. */
  markDirty(id: number): void {
    run(
      this.#database,
      'UPDATE snapshots SET graph_dirty = 1, complete = 0 WHERE id = ? AND (graph_dirty = 0 OR complete = 1)',
      [id],
    );
  }

  /** Marks the edges as current. Writes nothing if they already are, since other processes would reload the index. */
  markResolved(id: number): void {
    const update = 'UPDATE snapshots SET graph_dirty = 0 WHERE id = ? AND graph_dirty = 1';
    run(this.#database, update, [id]);
  }

  markComplete(id: number): void {
    const update = 'UPDATE snapshots SET complete = 1, indexed_at = ? WHERE id = ?';
    run(this.#database, update, [new Date().toISOString(), id]);
  }

  /** Returns the rules about roles in the snapshot's `.gitattributes`. Call after `state`, which detects damage. */
  getAttributes(id: number): AttributeRule[] {
    const select = 'SELECT attributes FROM snapshots WHERE id = ?';
    return JSON.parse(getValue<string>(this.#database, select, [id]) ?? '[]');
  }

  /** Stores the rules about roles. Writes nothing if they are unchanged, since other processes would reload the index. */
  setAttributes(id: number, rules: readonly AttributeRule[]): void {
    const stored = rules.length > 0 ? JSON.stringify(rules) : null;
    const update = 'UPDATE snapshots SET attributes = ? WHERE id = ? AND attributes IS NOT ?';
    run(this.#database, update, [stored, id, stored]);
  }

  /** Stores the number of files in unsupported languages, by the name of the language. */
  setUnread(id: number, unread: Readonly<Record<string, number>>): void {
    run(this.#database, 'DELETE FROM unread_files WHERE snapshot_id = ?', [id]);
    for (const [kind, files] of Object.entries(unread))
      run(this.#database, 'INSERT INTO unread_files VALUES (?, ?, ?)', [id, kind, files]);
  }

  /** Returns the numbers of files in unsupported languages, largest first. */
  getUnread(id: number): { kind: string; files: number }[] {
    const select =
      'SELECT kind, files FROM unread_files WHERE snapshot_id = ? ORDER BY files DESC, kind';
    return getRows(this.#database, select, [id]);
  }

  setSkipped(id: number, skipped: readonly SkippedFile[]): void {
    run(this.#database, 'DELETE FROM skipped_files WHERE snapshot_id = ?', [id]);
    this.addSkipped(id, skipped);
  }

  addSkipped(id: number, skipped: readonly SkippedFile[]): void {
    const insert = 'INSERT OR REPLACE INTO skipped_files VALUES (?, ?, ?, ?)';
    for (const { path, reason, detail } of skipped)
      run(this.#database, insert, [id, path, reason, detail]);
  }

  removeSkipped(id: number, paths: readonly string[]): void {
    const remove = 'DELETE FROM skipped_files WHERE snapshot_id = ? AND path = ?';
    for (const path of paths) run(this.#database, remove, [id, path]);
  }

  getSkipped(id: number): SkippedFile[] {
    const select =
      'SELECT path, reason, detail FROM skipped_files WHERE snapshot_id = ? ORDER BY path';
    return getRows(this.#database, select, [id]);
  }
}
