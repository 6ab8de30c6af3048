import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { DamagedIndex, isDamage, mayBeDamage } from './damage.ts';
import { type Database, damageNote, openDatabase, openingLock } from './database.ts';
import { Edges } from './edges.ts';
import { Embeddings } from './embeddings.ts';
import { FileVersions } from './file-versions.ts';
import { History } from './history.ts';
import { identityOf, removeOlderAside, setAside, whileOpening } from './set-aside.ts';
import { Snapshots } from './snapshots.ts';
import { TermDictionary } from './terms.ts';
import { verifyAll } from './verify-all.ts';
import { LOCK_FILE, WriterLock } from './writer-lock.ts';

/** Commits (as opposed to the working tree) whose edges and embeddings stay linked, unless told otherwise. */
const COMMITS_KEPT = 8;
/** Chunks of file versions that no snapshot uses any more, kept so that switching branches costs no parsing. */
const UNUSED_CHUNKS_KEPT = 50_000;

/** The database of one repository: everything Locus knows about it, on disk. */
export class Store {
  readonly directory: string;
  readonly path: string;
  /** What a person should know about how it opened. */
  readonly notes: string[];
  readonly terms: TermDictionary;
  readonly versions: FileVersions;
  readonly snapshots: Snapshots;
  readonly edges: Edges;
  readonly embeddings: Embeddings;
  readonly history: History;
  readonly lock: WriterLock;
  readonly #database: Database;
  readonly #commitsKept: number;
  /** Which file it is, whatever it is called by now. */
  readonly #identity: string;
  #dataVersion: number;

  /**
   * Opens or creates the store in `directory`.
   * @param commitsKept how many indexed commits are not garbage.
   * @throws LocusError `bad-store`, see `openDatabase`.
   */
  constructor(directory: string, commitsKept = COMMITS_KEPT) {
    this.directory = directory;
    this.#commitsKept = commitsKept;
    this.path = join(directory, 'index.db');
    const { database, contents, notes } = openDatabase(this.path, (opened) => {
      const terms = new TermDictionary(opened);
      const versions = new FileVersions(opened, terms);
      const snapshots = new Snapshots(opened);
      const [edges, embeddings] = [new Edges(opened), new Embeddings(opened)];
      const history = new History(opened);
      return {
        terms,
        versions,
        snapshots,
        edges,
        embeddings,
        history,
        file: identityOf(this.path),
      };
    });
    this.#database = database;
    this.notes = notes;
    this.terms = contents.terms;
    this.versions = contents.versions;
    this.snapshots = contents.snapshots;
    this.edges = contents.edges;
    this.embeddings = contents.embeddings;
    this.history = contents.history;
    this.#identity = contents.file;
    this.lock = new WriterLock(join(directory, LOCK_FILE), (note) => this.notes.push(note));
    this.#dataVersion = this.#readDataVersion();
  }

  /** Runs `work` in one transaction: all of it is stored, or nothing is. */
  transaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(work).immediate();
    } catch (error) {
      // The dictionary in memory may know terms that the database has just rolled back.
      this.terms.reload();
      throw error;
    }
  }

  /** Runs `work`, all of whose reads see the same moment, whatever other processes write. */
  read<T>(work: () => T): T {
    return this.#database.transaction(work)();
  }

  /**
   * What a failure means while this store is in use. Damage, and a failure that damage explains, is told as a
   * `DamagedIndex` after the file was moved aside; this store must not be used any more then.
   */
  examine(error: unknown): unknown {
    if (!isDamage(error) && !(mayBeDamage(error) && !this.#isSound())) return error;
    const what = (error as Error).message;
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

  /** A look at all of it. */
  #isSound(): boolean {
    try {
      verifyAll(this.#database);
      return true;
    } catch (error) {
      return !isDamage(error);
    }
  }

  /** Whether another process wrote since the last call; what is in memory must then be read again. */
  changedElsewhere(): boolean {
    const now = this.#readDataVersion();
    const changed = now !== this.#dataVersion;
    this.#dataVersion = now;
    if (changed) this.terms.reload();
    return changed;
  }

  /**
   * Drops what no snapshot needs, beyond a reserve that makes going back cheap. Snapshots that are not complete stay:
   * another process may be about to index one. Call while holding the writer lock.
   */
  collectGarbage(): void {
    this.transaction(() => {
      this.#database
        .prepare(
          `DELETE FROM snapshots WHERE id IN (
             SELECT id FROM snapshots WHERE revision <> '' AND complete = 1
             ORDER BY indexed_at DESC LIMIT -1 OFFSET ?)`,
        )
        .run(this.#commitsKept);
      this.#database
        .prepare(
          `DELETE FROM file_versions WHERE id IN (
             SELECT id FROM (
               SELECT v.id, SUM((SELECT COUNT(*) FROM chunks c WHERE c.version_id = v.id)) OVER (ORDER BY v.id DESC) AS newer
               FROM file_versions v WHERE NOT EXISTS (SELECT 1 FROM snapshot_files s WHERE s.version_id = v.id))
             WHERE newer > ?)`,
        )
        .run(UNUSED_CHUNKS_KEPT);
      this.#database
        .prepare(
          `DELETE FROM embeddings WHERE id NOT IN (SELECT embedding_id FROM chunk_embeddings)
             AND id <= (SELECT MAX(id) FROM embeddings) - ?`,
        )
        .run(UNUSED_CHUNKS_KEPT * 2);
      this.history.collectGarbage();
    });
  }

  /** Bytes on disk, the write-ahead log included. */
  get bytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.path + suffix, { throwIfNoEntry: false })?.size ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** SQLite's own check of the whole file: `ok`, or what is wrong. */
  integrity(): string {
    return this.#database.pragma('integrity_check', { simple: true }) as string;
  }

  close(): void {
    this.#database.close();
    this.lock.close();
  }

  #readDataVersion(): number {
    return this.#database.pragma('data_version', { simple: true }) as number;
  }
}
