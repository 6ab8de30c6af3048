import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asDamage, DamagedIndex, isDamage, mayBeDamage } from '../../base/damage.ts';
import { identityOf, removeOlderAside, setAside, whileOpening } from '../../base/set-aside.ts';
import { fileFailure } from '../../base/sqlite.ts';
import { LocusError } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import { bytesOfBases } from './base-file.ts';
import { type Database, damageNote, openDatabase, openingLock } from './database.ts';
import { Edges } from './edges.ts';
import { Embeddings } from './embeddings.ts';
import { FileVersions } from './file-versions.ts';
import { removeGarbage } from './garbage.ts';
import { History } from './history.ts';
import { openIndexReadOnly } from './read-only.ts';
import { bytesOfRows, READ_FOLDER } from './row-generations.ts';
import { Snapshots } from './snapshots.ts';
import { getTuples, run } from './statements.ts';
import { TermDictionary } from './terms.ts';
import { verifyAll } from './verify-all.ts';
import { LOCK_FILE, WriterLock } from './writer-lock.ts';

/** Number of files that a note names: a repository made to keep the resolver busy may have thousands. */
const NAMED = 5;

/** Reasons why files of each snapshot are not linked in full. A file's note is deleted with the file or its content. */
class GraphNotes {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the notes of these files; null deletes one. */
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

/** Free pages that stay in the file, to be used again. */
const FREE_PAGES_KEPT = 256;

/** Where the database is in a repository's folder. */
export const indexPath = (directory: string) => join(directory, 'index.db');

/** The database of one repository, and its files of embeddings: everything Locus knows about it, on disk. */
export class Store {
  readonly directory: string;
  readonly path: string;
  /** What a person should know about how it opened. */
  readonly notes: string[];
  readonly terms: TermDictionary;
  readonly versions: FileVersions;
  readonly snapshots: Snapshots;
  readonly edges: Edges;
  readonly graphNotes: GraphNotes;
  readonly embeddings: Embeddings;
  readonly history: History;
  /** Whether it was opened to be read only. */
  readonly readOnly: boolean;
  readonly #database: Database;
  #lock: WriterLock | null = null;
  readonly #commitsKept: number | null;
  /** Which file it is, whatever it is called by now. */
  readonly #identity: string | null;
  #dataVersion: number;

  /**
   * Opens or creates the store in `directory`.
   * @param commitsKept how many indexed commits are not garbage; null for as many as `removeGarbage` has room for.
   * @param readOnly the snapshot to read, when nothing is to be written; see `openIndexReadOnly`.
   * @throws LocusError `bad-store`, see `openDatabase`.
   */
  constructor(
    directory: string,
    commitsKept: number | null = null,
    readOnly?: { revision: string | null },
  ) {
    this.directory = directory;
    this.#commitsKept = commitsKept;
    this.path = indexPath(directory);
    this.readOnly = readOnly !== undefined;
    const { database, contents, notes } = readOnly
      ? openToRead(this.path, readOnly.revision)
      : openDatabase(this.path, (opened) => ({
          ...contentsOf(opened),
          identity: identityOf(this.path),
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
    this.history = new History(database);
  }

  /** Held while writing. @throws LocusError `bad-store` where its file cannot be made */
  get lock(): WriterLock {
    const path = join(this.directory, LOCK_FILE);
    try {
      this.#lock ??= new WriterLock(path, (note) => this.notes.push(note));
    } catch (error) {
      throw fileFailure(error, path);
    }
    return this.#lock;
  }

  /** Runs `work` in one transaction: all of it is stored, or nothing is. */
  transaction<T>(work: () => T): T {
    const mark = this.terms.mark();
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      // Not read again: a disk that failed at the transaction may fail at that.
      this.terms.takeBack(mark);
      throw error;
    }
  }

  /**
   * What a failure means while this store is in use. Damage, and a failure that damage explains, is told as a
   * `DamagedIndex` after the file was moved aside; this store must not be used any more then.
   */
  examine(error: unknown): unknown {
    if (!isDamage(error) && !(mayBeDamage(error) && !this.#isSound())) return error;
    const what = (error as Error).message;
    if (this.readOnly) return unreadable(this.path, what, error);
    try {
      const aside = whileOpening(openingLock(this.path), () => this.#setAside());
      const note = aside ? damageNote(this.path, what, aside) : this.#replaced;
      return new DamagedIndex(this.path, note, { cause: error });
    } catch (failure) {
      return new LocusError(
        'bad-store',
        `the index at ${this.path} is damaged (${what}), and cannot be moved aside: ${(failure as Error).message}`,
        'end other Locus processes that use it and try again',
        { cause: error },
      );
    }
  }

  /** @throws DamagedIndex when another process moved this file aside: what is written to it would be lost. */
  throwIfReplaced(): void {
    if (this.#isReplaced()) throw new DamagedIndex(this.path, this.#replaced);
  }

  /** Returns where it went; null when another process did it before. */
  #setAside(): string | null {
    if (this.#isReplaced()) return null;
    const aside = setAside(this.path);
    removeOlderAside(this.path, aside);
    return aside;
  }

  #isReplaced(): boolean {
    return !existsSync(this.path) || identityOf(this.path) !== this.#identity;
  }

  get #replaced(): string {
    return `the index at ${this.path} was damaged or removed, as another process found, and is being made anew`;
  }

  #isSound(): boolean {
    try {
      verifyAll(this.#database);
      return true;
    } catch (error) {
      return !isDamage(error);
    }
  }

  /** Whether another process wrote since the last `read`; what is in memory must then be read again. */
  changedElsewhere(): boolean {
    return this.#readDataVersion() !== this.#dataVersion;
  }

  /** Runs `work`, which reads what is kept in memory: all of one state of the store, whatever other processes write. */
  read<T>(work: () => T): T {
    return this.#database
      .transaction(() => {
        const version = this.#readDataVersion();
        if (version !== this.#dataVersion) this.terms.catchUp();
        const result = work();
        this.#dataVersion = version;
        return result;
      })
      .deferred();
  }

  /**
   * Drops what no snapshot needs, beyond a reserve that makes going back cheap; see `removeGarbage`. Call while holding
   * the writer lock.
   */
  collectGarbage(): void {
    this.transaction(() => {
      removeGarbage(this.#database, this.#commitsKept);
      this.history.collectGarbage();
    });
    this.embeddings.collectGarbage();
  }

  /** Returns free pages, once they are more than a few, to the file system. Call outside of transactions, holding the writer lock. */
  returnFreeSpace(): void {
    const free = this.#database.pragma('freelist_count', { simple: true }) as number;
    if (free <= FREE_PAGES_KEPT) return;
    this.#database.pragma(`incremental_vacuum(${free})`);
    // The file shrinks only when the log is in it. While somebody reads, that happens later.
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Bytes on disk, the write-ahead log and the files of embeddings and of indexes over them included. */
  get bytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.path + suffix, { throwIfNoEntry: false })?.size ?? 0,
    );
    const ofRows = bytesOfRows(this.directory) + bytesOfRows(join(this.directory, READ_FOLDER));
    const beside = ofRows + bytesOfBases(this.directory);
    return sizes.reduce((sum, size) => sum + size, beside);
  }

  /** SQLite's own check of the whole file: `ok`, or what is wrong. */
  integrity(): string {
    return this.#database.pragma('integrity_check', { simple: true }) as string;
  }

  close(): void {
    this.embeddings.close();
    this.#database.close();
    this.#lock?.close();
  }

  #readDataVersion(): number {
    return dataVersionOf(this.#database);
  }
}

function dataVersionOf(database: Database): number {
  return database.pragma('data_version', { simple: true }) as number;
}

/** What is read from the beginning. */
function contentsOf(database: Database) {
  // Before all else: what another process writes from here on is news.
  const dataVersion = dataVersionOf(database);
  const terms = new TermDictionary(database);
  return { dataVersion, terms, versions: new FileVersions(database, terms) };
}

/** @throws LocusError `bad-store` when it is damaged as well: what may not be written cannot be set aside. */
function openToRead(path: string, revision: string | null) {
  let database: Database | undefined;
  try {
    database = openIndexReadOnly(path, revision);
    return { database, contents: { ...contentsOf(database), identity: null }, notes: [] };
  } catch (error) {
    database?.close();
    const failure = asDamage(error, path);
    throw isDamage(failure) ? unreadable(path, (failure as Error).message, error) : error;
  }
}

function unreadable(path: string, what: string, cause: unknown): LocusError {
  return new LocusError(
    'bad-store',
    `the index at ${path} is damaged (${what})`,
    'bring it up to date with locus index: what is damaged is set aside and made anew',
    { cause },
  );
}
