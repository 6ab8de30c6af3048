import { Damage } from '../../base/damage.ts';
import { type StringColumns, StringTable } from '../columns/string-table.ts';
import { MAX_TERMS } from '../lexical/tokenize.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { getValue, iterate, run } from './statements.ts';
import { computeTermSum } from './sums.ts';

/** Copy of a dictionary's terms. It stays a valid beginning of the dictionary, since terms are only ever added. */
export interface CachedTerms extends StringColumns {
  /** Checksum of all terms at that time. */
  sum: number;
}

/** Dictionary of a repository's terms: maps terms to small integers and back. It is loaded on first use and written through. */
export class TermDictionary {
  #terms = new StringTable();
  readonly #database: Database;
  readonly #readFrom: (first: number) => void;
  #sum = 0;
  #isRead = false;

  constructor(database: Database) {
    this.#database = database;
    this.#readFrom = database.transaction((first) => this.#readRows(first));
  }

  /** @throws Damage on first use, as do the other methods. */
  get size(): number {
    return this.#read().size;
  }

  idOf(term: string): number | undefined {
    const id = this.#read().find(term);
    return id < 0 ? undefined : id;
  }

  termOf(id: number): string | undefined {
    const terms = this.#read();
    return id < terms.size ? terms.getText(id) : undefined;
  }

  /** Returns all terms, to be cached elsewhere. The result is valid until a term is added. */
  getAll(): CachedTerms {
    return { ...this.#read().getSearchableColumns(), sum: this.#sum };
  }

  /**
   * Returns the ids of these terms, and adds new terms. Call inside a transaction, and call `rollBack` if it fails.
   * Terms past the limit get -1 and cannot be searched for.
   */
  intern(terms: readonly string[]): Int32Array {
    const table = this.#read();
    const ids = new Int32Array(terms.length);
    const before = table.size;
    const added: string[] = [];
    for (const [i, term] of terms.entries()) {
      const known = table.size;
      const id = known < MAX_TERMS ? table.intern(term) : table.find(term);
      if (id === known) {
        added.push(term);
        this.#sum = addChecksums(this.#sum, computeTermSum(id, term));
      }
      ids[i] = id;
    }
    if (added.length === 0) return ids;
    const insert = 'INSERT INTO terms (first, terms) VALUES (?, ?)';
    run(this.#database, insert, [before, added.join('\n')]);
    const keepSum = "INSERT OR REPLACE INTO meta (key, value) VALUES ('terms', ?)";
    run(this.#database, keepSum, [this.#sum]);
    return ids;
  }

  /** Returns the current number of terms, for `rollBack`; null if they are not loaded yet. */
  mark(): number | null {
    return this.#isRead ? this.#terms.size : null;
  }

  /** Removes the terms added since `mark`, after their transaction was rolled back. */
  rollBack(mark: number | null): void {
    if (mark === null) {
      this.#isRead = false;
      return;
    }
    for (let id = mark; id < this.#terms.size; id++)
      this.#sum = addChecksums(this.#sum, -computeTermSum(id, this.#terms.getText(id)));
    this.#terms.truncate(mark);
  }

  /**
   * Reads the dictionary from the database again.
   * @throws Damage
   */
  reload(): void {
    this.#isRead = false;
    this.#terms = new StringTable();
    this.#sum = 0;
    this.#readFrom(0);
    this.#isRead = true;
  }

  /**
   * Loads the dictionary from a cached copy, and reads the terms added since. Reads all terms if the checksum differs.
   * @throws Damage
   */
  restore({ sum, ...columns }: CachedTerms): void {
    this.#terms = new StringTable(columns);
    this.#sum = sum;
    this.#isRead = true;
    this.readNew();
  }

  /**
   * Reads the terms that other processes have added.
   * @throws Damage
   */
  readNew(): void {
    if (!this.#isRead) return;
    try {
      this.#readFrom(this.#terms.size);
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      this.reload();
    }
  }

  #read(): StringTable {
    if (!this.#isRead) this.reload();
    return this.#terms;
  }

  #readRows(first: number): void {
    const select = 'SELECT first, terms FROM terms WHERE first >= ? ORDER BY first';
    for (const [start, terms] of iterate<[number, string]>(this.#database, select, [first])) {
      let id = start;
      for (const term of terms.split('\n')) {
        if (id !== this.#terms.size || this.#terms.intern(term) !== id)
          throw new Damage(`term ${id}`);
        this.#sum = addChecksums(this.#sum, computeTermSum(id, term));
        id++;
      }
    }
    const known = getValue(this.#database, "SELECT value FROM meta WHERE key = 'terms'");
    if (this.#sum !== (known ?? 0)) throw new Damage('the dictionary of terms');
  }
}
