import { MAX_TERMS } from '../lexical/tokenize.ts';
import { addChecksums } from './checksum.ts';
import { Damage } from './damage.ts';
import type { Database } from './database.ts';
import { termSum } from './sums.ts';

/** The dictionary of all terms of a repository: term <-> small integer, kept in memory, written through. */
export class TermDictionary {
  #ids = new Map<string, number>();
  /** The terms by id, as far as they were asked for. */
  #terms: string[] = [];
  readonly #database: Database;
  readonly #insert;
  readonly #keepSum;
  readonly #readAll: () => void;
  #sum = 0;

  /** @throws Damage */
  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare<[number, string]>('INSERT INTO terms (id, term) VALUES (?, ?)');
    this.#keepSum = database.prepare<[number]>(
      "INSERT OR REPLACE INTO meta (key, value) VALUES ('terms', ?)",
    );
    this.#readAll = database.transaction(() => this.#read());
    this.reload();
  }

  get size(): number {
    return this.#ids.size;
  }

  idOf(term: string): number | undefined {
    return this.#ids.get(term);
  }

  termOf(id: number): string | undefined {
    // Ids count from 0 in the order in which terms came, which is the order of the map.
    if (id >= this.#terms.length) this.#terms = [...this.#ids.keys()];
    return this.#terms[id];
  }

  /**
   * The ids of these terms, new ones given to those that have none. Call inside a transaction, and
   * `takeBack` if it fails. A term past the limit gets -1: it cannot be searched for.
   */
  intern(terms: readonly string[]): Int32Array {
    const ids = new Int32Array(terms.length);
    const before = this.#ids.size;
    for (const [i, term] of terms.entries()) {
      let id = this.#ids.get(term);
      if (id === undefined) {
        if (this.#ids.size >= MAX_TERMS) {
          id = -1;
        } else {
          id = this.#ids.size;
          this.#insert.run(id, term);
          this.#ids.set(term, id);
          this.#sum = addChecksums(this.#sum, termSum(id, term));
        }
      }
      ids[i] = id;
    }
    if (this.#ids.size > before) this.#keepSum.run(this.#sum);
    return ids;
  }

  /** Forgets the terms from the one with this id on, which a transaction added that was rolled back. */
  takeBack(size: number): void {
    for (const [term, id] of this.#ids) {
      if (id < size) continue;
      this.#ids.delete(term);
      this.#sum = addChecksums(this.#sum, -termSum(id, term));
    }
    this.#terms = [];
  }

  /**
   * Reads the dictionary from the database again, after another process changed it.
   * @throws Damage
   */
  reload(): void {
    this.#readAll();
  }

  #read(): void {
    this.#ids.clear();
    this.#terms = [];
    this.#sum = 0;
    const rows = this.#database.prepare('SELECT term, id FROM terms ORDER BY id').raw().iterate();
    for (const [term, id] of rows as IterableIterator<[string, number]>) {
      if (id !== this.#ids.size) throw new Damage(`term ${this.#ids.size}`);
      this.#ids.set(term, id);
      this.#sum = addChecksums(this.#sum, termSum(id, term));
    }
    const known = this.#database.prepare("SELECT value FROM meta WHERE key = 'terms'").pluck();
    if (this.#sum !== (known.get() ?? 0)) throw new Damage('the dictionary of terms');
  }
}
