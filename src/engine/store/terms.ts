import { Damage } from '../../base/damage.ts';
import { type StringColumns, StringTable } from '../columns/string-table.ts';
import { MAX_TERMS } from '../lexical/tokenize.ts';
import { addChecksums } from './checksum.ts';
import type { Database } from './database.ts';
import { getValue, iterate, run } from './statements.ts';
import { termSum } from './sums.ts';

/** The first terms of a dictionary, as they were at some time: terms are only ever added. */
export interface KnownTerms extends StringColumns {
  /** What the store said of all terms then. */
  sum: number;
}

/** The dictionary of all terms of a repository: term <-> small integer, kept in memory, written through. Read when it is first needed. */
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

  /** @throws Damage, as all that asks for terms, when it is the first to ask. */
  get size(): number {
    return this.#read().size;
  }

  idOf(term: string): number | undefined {
    const id = this.#read().find(term);
    return id < 0 ? undefined : id;
  }

  termOf(id: number): string | undefined {
    const terms = this.#read();
    return id < terms.size ? terms.text(id) : undefined;
  }

  /** All terms, to be written elsewhere; valid until one is added. */
  known(): KnownTerms {
    return { ...this.#read().searchable(), sum: this.#sum };
  }

  /**
   * The ids of these terms, new ones given to those that have none. Call inside a transaction, and
   * `takeBack` if it fails. A term past the limit gets -1: it cannot be searched for.
   */
  intern(terms: readonly string[]): Int32Array {
    const table = this.#read();
    const ids = new Int32Array(terms.length);
    const before = table.size;
    for (const [i, term] of terms.entries()) {
      const known = table.size;
      const id = known < MAX_TERMS ? table.intern(term) : table.find(term);
      if (id === known) {
        run(this.#database, 'INSERT INTO terms (id, term) VALUES (?, ?)', [id, term]);
        this.#sum = addChecksums(this.#sum, termSum(id, term));
      }
      ids[i] = id;
    }
    const keepSum = "INSERT OR REPLACE INTO meta (key, value) VALUES ('terms', ?)";
    if (table.size > before) run(this.#database, keepSum, [this.#sum]);
    return ids;
  }

  /** How many terms there are now, for `takeBack`; null where they were not read yet. */
  mark(): number | null {
    return this.#isRead ? this.#terms.size : null;
  }

  /** Forgets the terms since `mark`, which a transaction added that was rolled back. */
  takeBack(mark: number | null): void {
    if (mark === null) {
      this.#isRead = false;
      return;
    }
    for (let id = mark; id < this.#terms.size; id++)
      this.#sum = addChecksums(this.#sum, -termSum(id, this.#terms.text(id)));
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
   * Takes these for the first terms, and reads those that were added since; where that does not add up, all are read.
   * @throws Damage
   */
  adopt({ sum, ...columns }: KnownTerms): void {
    this.#terms = new StringTable(columns);
    this.#sum = sum;
    this.#isRead = true;
    this.catchUp();
  }

  /**
   * Reads what another process added.
   * @throws Damage
   */
  catchUp(): void {
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
    const select = 'SELECT term, id FROM terms WHERE id >= ? ORDER BY id';
    for (const [term, id] of iterate<[string, number]>(this.#database, select, [first])) {
      if (id !== this.#terms.size || this.#terms.intern(term) !== id)
        throw new Damage(`term ${id}`);
      this.#sum = addChecksums(this.#sum, termSum(id, term));
    }
    const known = getValue(this.#database, "SELECT value FROM meta WHERE key = 'terms'");
    if (this.#sum !== (known ?? 0)) throw new Damage('the dictionary of terms');
  }
}
