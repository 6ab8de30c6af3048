import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedIndex, isDamage, mayBeDamage, toDamage } from '../../base/damage.ts';
import {
  getFileIdentity,
  quarantine,
  removeOlderQuarantined,
  runWhileOpening,
} from '../../base/quarantine.ts';
import { explainFileError } from '../../base/sqlite.ts';
import { LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { sumBaseBytes } from './base-file.ts';
import { type Database, describeDamage, getOpeningLockPath, openDatabase } from './database.ts';
import { Edges } from './edges.ts';
import { Embeddings } from './embeddings.ts';
import { FileVersions } from './file-versions.ts';
import { removeGarbage } from './garbage.ts';
import { StoredHistory } from './history.ts';
import { openIndexReadOnly } from './read-only.ts';
import { RERANKER_FOLDER, sumRowBytes } from './row-generations.ts';
import { Snapshots } from './snapshots.ts';
import { getTuples, run } from './statements.ts';
import { TermDictionary } from './terms.ts';
import { verifyAll } from './verify-all.ts';
import { LOCK_FILE, WriterLock } from './writer-lock.ts';

/** Maximum number of files that notes name: a repository crafted to slow down the resolver may have thousands. */
const MAX_NAMED_FILES = 5;

/** Reasons why the edges of some files are incomplete, by snapshot. A note is deleted when its file is removed or changed. */
class GraphNotes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the notes of these files; null deletes one. */
  put(snapshotId: number, notes: ReadonlyMap<string, string | null>): void {
    const remove = 'DELETE FROM graph_notes WHERE snapshot_id = ? AND path = ?';
    // Unchanged notes are not written, since other processes reload the index after any write.
    const put = `INSERT INTO graph_notes (snapshot_id, path, note) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET note = excluded.note WHERE note <> excluded.note`;
    for (const [path, note] of notes)
      if (note === null) run(this.#database, remove, [snapshotId, path]);
      else run(this.#database, put, [snapshotId, path, note]);
  }

  /** Gives a snapshot without notes those of another one with the same files. Call inside a transaction. */
  copy(snapshotId: number, from: number): void {
    const copy = `INSERT INTO graph_notes (snapshot_id, path, note)
      SELECT ?, path, note FROM graph_notes WHERE snapshot_id = ?`;
    run(this.#database, copy, [snapshotId, from]);
  }

  /** Returns the notes of a snapshot by path, in order of path. */
  getByPath(snapshotId: number): Map<string, string> {
    const notes = 'SELECT path, note FROM graph_notes WHERE snapshot_id = ? ORDER BY path';
    return new Map(getTuples<[string, string]>(this.#database, notes, [snapshotId]));
  }

  /** Returns the first few notes of a snapshot for display, followed by the number of the others. */
  summarize(snapshotId: number): string[] {
    const notes = [...this.getByPath(snapshotId).values()];
    const more = notes.length - MAX_NAMED_FILES;
    if (more <= 0) return notes;
    const rest = `The call graphs of ${formatCount(more)} more files are incomplete as well.`;
    return [...notes.slice(0, MAX_NAMED_FILES), rest];
  }
}

/** Free pages that stay in the file for reuse. */
const MAX_FREE_PAGES = 256;

/** Returns the path of the database in an index's folder. */
export const getIndexPath = (directory: string) => join(directory, 'index.db');

/** Index of one repository on disk: its database and its files of embeddings. */
export class Store {
  readonly directory: string;
  readonly path: string;
  /** Messages for the user, for example that a damaged index is being rebuilt. */
  readonly notes: string[];
  readonly terms: TermDictionary;
  readonly versions: FileVersions;
  readonly snapshots: Snapshots;
  readonly edges: Edges;
  readonly graphNotes: GraphNotes;
  readonly embeddings: Embeddings;
  readonly history: StoredHistory;
  /** True if it was opened for reading only. */
  readonly readOnly: boolean;
  readonly #database: Database;
  #lock: WriterLock | null = null;
  readonly #commitsKept: number | null;
  /** Identity of the database file, which stays the same if the file is renamed. */
  readonly #identity: string | null;
  #dataVersion: number;

  /**
   * Opens or creates the store in `directory`.
   * @param commitsKept number of indexed commits that garbage collection keeps; null for the default of `removeGarbage`.
   * @param readOnly the snapshot to read, if the store is opened for reading only; see `openIndexReadOnly`.
   * @throws LocusError `bad-store`, see `openDatabase`.
   */
  constructor(
    directory: string,
    commitsKept: number | null = null,
    readOnly?: { revision: string | null },
  ) {
    this.directory = directory;
    this.#commitsKept = commitsKept;
    this.path = getIndexPath(directory);
    this.readOnly = readOnly !== undefined;
    const { database, contents, notes } = readOnly
      ? openForReading(this.path, readOnly.revision)
      : openDatabase(this.path, (opened) => ({
          ...readContents(opened),
          identity: getFileIdentity(this.path),
        }));
    this.#database = database;
    this.notes = notes;
    this.#dataVersion = contents.dataVersion;
    this.terms = contents.terms;
    this.versions = contents.versions;
    this.#identity = contents.identity;
    this.snapshots = new Snapshots(database);
    this.edges = new Edges(database);
    this.graphNotes = new GraphNotes(database);
    this.embeddings = new Embeddings(database, directory, this.readOnly, (note) => {
      if (!this.notes.includes(note)) this.notes.push(note);
    });
    this.history = new StoredHistory(database);
  }

  /** Lock to hold while writing. @throws LocusError `bad-store` if its file cannot be created. */
  get lock(): WriterLock {
    const path = join(this.directory, LOCK_FILE);
    try {
      this.#lock ??= new WriterLock(path, (note) => this.notes.push(note));
    } catch (error) {
      throw explainFileError(error, path);
    }
    return this.#lock;
  }

  /** Runs `work` in one transaction, which is stored completely or not at all. */
  transaction<T>(work: () => T): T {
    const mark = this.terms.mark();
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      // Undone in memory instead of read again: a disk that failed the transaction may also fail to read.
      this.terms.rollBack(mark);
      throw error;
    }
  }

  /**
   * Returns the error to report for a failure of this store. If the database is damaged, quarantines it and returns a
   * `DamagedIndex`. The store must not be used after that.
   */
  explainFailure(error: unknown): unknown {
    if (!isDamage(error) && !(mayBeDamage(error) && !this.#isIntact())) return error;
    const what = (error as Error).message;
    if (this.readOnly) return createUnreadableError(this.path, what, error);
    try {
      const aside = runWhileOpening(getOpeningLockPath(this.path), () => this.#quarantine());
      const note = aside ? describeDamage(this.path, what, aside) : this.#replacedMessage;
      return new DamagedIndex(this.path, note, { cause: error });
    } catch (failure) {
      return new LocusError(
        'bad-store',
        `The index at ${this.path} is damaged (${what}) and cannot be moved away: ${(failure as Error).message}.`,
        'Close other Locus processes that use it and try again.',
        { cause: error },
      );
    }
  }

  /** @throws DamagedIndex if another process has moved this file away. Anything written to it would be lost. */
  throwIfReplaced(): void {
    if (this.#isReplaced()) throw new DamagedIndex(this.path, this.#replacedMessage);
  }

  /** Quarantines the database and returns its new path. Returns null if another process has already done so. */
  #quarantine(): string | null {
    if (this.#isReplaced()) return null;
    const aside = quarantine(this.path);
    removeOlderQuarantined(this.path, aside);
    return aside;
  }

  #isReplaced(): boolean {
    return !existsSync(this.path) || getFileIdentity(this.path) !== this.#identity;
  }

  get #replacedMessage(): string {
    return `Another process found the index at ${this.path} damaged or removed. It is being rebuilt.`;
  }

  #isIntact(): boolean {
    try {
      verifyAll(this.#database);
      return true;
    } catch (error) {
      return !isDamage(error);
    }
  }

  /** Returns true if another process has written since the last `read`. Copies in memory are outdated then. */
  hasChangedElsewhere(): boolean {
    return this.#readDataVersion() !== this.#dataVersion;
  }

  /** Runs `work`, which loads data into memory, on one consistent state of the store, even while other processes write. */
  read<T>(work: () => T): T {
    return this.#database
      .transaction(() => {
        const version = this.#readDataVersion();
        if (version !== this.#dataVersion) this.terms.readNew();
        const result = work();
        this.#dataVersion = version;
        return result;
      })
      .deferred();
  }

  /**
   * Removes what no snapshot needs, except for a reserve that makes switching branches cheap; see `removeGarbage`. Call while
   * holding the writer lock.
   */
  collectGarbage(): void {
    this.transaction(() => {
      removeGarbage(this.#database, this.#commitsKept);
      this.history.collectGarbage();
    });
    this.embeddings.collectGarbage();
  }

  /** Frees the memory of texts and database pages that were read recently. */
  releaseMemory(): void {
    this.versions.forgetTexts();
    this.#database.pragma('shrink_memory');
  }

  /** Returns free pages to the file system if there are many. Call outside of transactions, while holding the writer lock. */
  returnFreeSpace(): void {
    const free = this.#database.pragma('freelist_count', { simple: true }) as number;
    if (free <= MAX_FREE_PAGES) return;
    this.#database.pragma(`incremental_vacuum(${free})`);
    // The file shrinks only at a checkpoint of the log. While another process reads, that happens later.
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Size on disk in bytes, including the write-ahead log, the files of embeddings and their base indexes. */
  get bytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.path + suffix, { throwIfNoEntry: false })?.size ?? 0,
    );
    const rowBytes =
      sumRowBytes(this.directory) + sumRowBytes(join(this.directory, RERANKER_FOLDER));
    return sizes.reduce((sum, size) => sum + size, rowBytes + sumBaseBytes(this.directory));
  }

  /** Runs SQLite's check of the whole file. Returns `ok` or a description of the damage. */
  checkIntegrity(): string {
    return this.#database.pragma('integrity_check', { simple: true }) as string;
  }

  close(): void {
    this.embeddings.close();
    this.#database.close();
    this.#lock?.close();
  }

  #readDataVersion(): number {
    return readDataVersion(this.#database);
  }
}

function readDataVersion(database: Database): number {
  return database.pragma('data_version', { simple: true }) as number;
}

/** Reads what every store needs when it opens. */
function readContents(database: Database) {
  // Read first, so that anything another process writes from now on is noticed.
  const dataVersion = readDataVersion(database);
  const terms = new TermDictionary(database);
  return { dataVersion, terms, versions: new FileVersions(database, terms) };
}

/** @throws LocusError `bad-store` also if the index is damaged, since a read-only index cannot be quarantined. */
function openForReading(path: string, revision: string | null) {
  let database: Database | undefined;
  try {
    database = openIndexReadOnly(path, revision);
    return { database, contents: { ...readContents(database), identity: null }, notes: [] };
  } catch (error) {
    database?.close();
    const failure = toDamage(error, path);
    throw isDamage(failure)
      ? createUnreadableError(path, (failure as Error).message, error)
      : error;
  }
}

function createUnreadableError(path: string, what: string, cause: unknown): LocusError {
  return new LocusError(
    'bad-store',
    `The index at ${path} is damaged (${what}).`,
    'Run locus index to rebuild it.',
    { cause },
  );
}
