import type { Database } from './database.ts';

/** Entries of the lexical index keep a term's id in 21 bits. */
const MAX_TERMS = 1 << 21;

/** The dictionary of all terms of a repository: term <-> small integer, kept in memory, written through. */
export class TermDictionary {
  #ids = new Map<string, number>();
  /** The terms by id, as far as they were asked for. */
  #terms: string[] = [];
  readonly #database: Database;
  readonly #insert;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare<[number, string]>('INSERT INTO terms (id, term) VALUES (?, ?)');
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
    for (let i = 0; i < terms.length; i++) {
      let id = this.#ids.get(terms[i]);
      if (id === undefined) {
        if (this.#ids.size >= MAX_TERMS) {
          id = -1;
        } else {
          id = this.#ids.size;
          this.#insert.run(id, terms[i]);
          this.#ids.set(terms[i], id);
        }
      }
      ids[i] = id;
    }
    return ids;
  }

  /** Forgets the terms from the one with this id on, which a transaction added that was rolled back. */
  takeBack(size: number): void {
    for (const [term, id] of this.#ids) if (id >= size) this.#ids.delete(term);
    this.#terms = [];
  }

  /** Reads the dictionary from the database again, after another process changed it. */
  reload(): void {
    const rows = this.#database.prepare('SELECT term, id FROM terms ORDER BY id').raw().iterate();
    this.#ids = new Map(rows as IterableIterator<[string, number]>);
    this.#terms = [];
  }
}
