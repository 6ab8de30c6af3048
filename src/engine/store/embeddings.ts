import { getOrAdd } from '../../shared/get-or-add.ts';
import { present } from '../../shared/present.ts';
import { Chains } from '../columns/chains.ts';
import { type QuantizedVector, quantize } from '../vectors/quantized.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { removeStrayBases } from './base-file.ts';
import type { Database } from './database.ts';
import { EmbeddingLinks } from './embedding-links.ts';
import { type EmbeddingPlaces, placesIn, type RowsAhead, readPlaces } from './embedding-places.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import type { EmbeddingModel } from './row-format.ts';
import {
  digestOf,
  type Generation,
  generationsIn,
  modelsIn,
  newest,
  removeOld,
} from './row-generations.ts';

/** Fewer rows that no chunk has are not worth a new file. */
const DEAD_ROWS_KEPT = 10_000;

/**
 * Embeddings by the hash of what was encoded, in a file of rows for each model beside the database, and which chunk
 * of a snapshot has which, in the database. Rows are written before what refers to them; a row that is not there, or
 * not whole, is as one never made, and its chunk is encoded again.
 */
export class Embeddings {
  readonly #links: EmbeddingLinks;
  readonly #folder: string;
  readonly #readOnly: boolean;
  readonly #onLoss: (note: string) => void;
  readonly #rowsOf = new Map<string, EmbeddingRows>();

  constructor(
    database: Database,
    folder: string,
    readOnly: boolean,
    onLoss: (note: string) => void,
  ) {
    this.#links = new EmbeddingLinks(database);
    this.#folder = folder;
    this.#readOnly = readOnly;
    this.#onLoss = onLoss;
  }

  /** Which of these keys (hex) have a row. */
  has(model: EmbeddingModel, keys: readonly string[]): boolean[] {
    const rows = this.#current(model);
    return keys.map((key) => rows.has(Buffer.from(key, 'hex')));
  }

  /**
   * Stores new vectors and says which chunk has which; call inside a transaction, while holding the writer lock.
   * Returns the vectors of all of them as they are stored; null for one whose row was lost since it was looked for.
   */
  put(
    snapshotId: number,
    model: EmbeddingModel,
    chunks: readonly { id: number; key: string }[],
    vectors: ReadonlyMap<string, Float32Array>,
  ): (QuantizedVector | null)[] {
    const rows = this.#current(model);
    const fresh = new Map(
      vectors.entries().map(([key, vector]) => [key, quantize(vector)] as const),
    );
    rows.append(
      fresh
        .entries()
        .map(([key, vector]) => ({ key: Buffer.from(key, 'hex'), vector }))
        .filter(({ key }) => !rows.has(key))
        .toArray(),
    );
    return chunks.map(({ id, key }) => {
      const keyBytes = Buffer.from(key, 'hex');
      const vector = fresh.get(key) ?? rows.vector(keyBytes);
      if (vector) this.#links.put(snapshotId, model.key, id, keyBytes);
      return vector;
    });
  }

  /** Stores embeddings that were made elsewhere; call inside a transaction, while holding the writer lock. */
  adopt(
    snapshotId: number,
    model: EmbeddingModel,
    made: readonly { chunkId: number; key: Buffer; vector: QuantizedVector }[],
  ): void {
    const rows = this.#current(model);
    const fresh = new Map(
      made.filter(({ key }) => !rows.has(key)).map((one) => [one.key.toString('hex'), one]),
    );
    rows.append([...fresh.values()]);
    for (const { chunkId, key } of made) this.#links.put(snapshotId, model.key, chunkId, key);
  }

  /** The models of which a snapshot of so many chunks has all embeddings. */
  complete(snapshotId: number, chunks: number): EmbeddingModel[] {
    return modelsIn(this.#folder).filter(
      (model) => this.#links.count(snapshotId, model.key) === chunks,
    );
  }

  /** Forgets which embedding these chunks have, because what the encoder is told about them changed. */
  unlink(snapshotId: number, chunkIds: Iterable<number>): void {
    this.#links.remove(snapshotId, chunkIds);
  }

  /**
   * The embeddings of a snapshot, in the order of their rows; a vector is good until the next is asked for.
   * @throws Damage
   */
  *ofSnapshot(
    snapshotId: number,
    model: EmbeddingModel,
  ): Generator<{ chunkId: number; vector: QuantizedVector }, void> {
    const rows = this.#current(model);
    const chunkIds: number[] = [];
    const inRow = new Chains(rows.length);
    let missing = 0;
    for (const { chunkId, key } of this.#links.ofSnapshot(snapshotId, model.key)) {
      const row = rows.find(key);
      if (row >= 0) inRow.append(row, chunkIds.push(chunkId) - 1);
      missing++;
    }
    for (const { row, vector } of rows.rows()) {
      for (let at = inRow.first(row); at >= 0; at = inRow.next(at)) {
        missing--;
        yield { chunkId: present(chunkIds[at], 'a chunk of a row'), vector };
      }
    }
    if (missing > 0) this.#onLoss(lossNote(missing, rows.path));
  }

  /** The file of a model's rows as it is now, and how many it has; null before there is one. */
  generation(model: EmbeddingModel): (Generation & { rows: number }) | null {
    const rows = this.#current(model).length;
    const file = newest(generationsIn(this.#folder), digestOf(model));
    return file ? { ...file, rows } : null;
  }

  /**
   * The next chunks of a snapshot that have a row, in order of chunk, with the row and what it holds.
   * @param after the last chunk that was looked at; -1 at first.
   * @returns those found, and the last that was looked at; null when there were no more.
   */
  placesAfter(
    snapshotId: number,
    model: EmbeddingModel,
    after: number,
    count: number,
  ): {
    places: { chunkId: number; row: number; key: Buffer; vector: QuantizedVector }[];
    last: number | null;
  } {
    const rows = this.#current(model);
    const links = this.#links.page(snapshotId, model.key, after, count);
    const places = links.flatMap(({ chunkId, key }) => {
      const vector = rows.vector(key);
      return vector ? { chunkId, row: rows.find(key), key, vector } : [];
    });
    return { places, last: links.at(-1)?.chunkId ?? null };
  }

  /**
   * Where the embeddings of a snapshot are; null where one is missing.
   * @param slotOf a chunk's
   * @throws Damage
   */
  places(
    snapshotId: number,
    model: EmbeddingModel,
    slotOf: (chunkId: number) => number | undefined,
  ): EmbeddingPlaces | null {
    const rows = this.#current(model);
    const found: { row: number; slot: number }[] = [];
    for (const { chunkId, key } of this.#links.ofSnapshot(snapshotId, model.key)) {
      const [row, slot] = [rows.find(key), slotOf(chunkId)];
      if (row < 0) return null;
      if (slot !== undefined) found.push({ row, slot });
    }
    return placesIn(rows, model, found);
  }

  /** Gives an empty table what `places` told of; false where that cannot be, and `ofSnapshot` is to be asked. */
  readPlaces(
    model: EmbeddingModel,
    places: EmbeddingPlaces,
    table: VectorTable,
    ahead: RowsAhead | null = null,
  ): boolean {
    return readPlaces(this.#rows(model), model, places, table, ahead);
  }

  /**
   * Writes a file anew of which more than half is embeddings that no chunk has; half as many of these as of the others
   * stay, the newest, so that going back to another branch costs little. Call while holding the writer lock.
   * @param deadKept fewer of them are not worth it.
   */
  collectGarbage(deadKept = DEAD_ROWS_KEPT): void {
    for (const model of modelsIn(this.#folder)) {
      const rows = this.#current(model);
      removeOld(this.#folder, digestOf(model));
      if (rows.length <= deadKept) continue;
      const used = this.#links.keys(model.key);
      const isUsed = (key: Buffer) => used.has(key.toString('hex').toUpperCase());
      const kept = Math.max(deadKept, used.size);
      if (rows.length - used.size <= kept) continue;
      const spare = newestUnused(rows, isUsed, kept / 2);
      rows.rewrite(({ row, key }) => row >= spare || isUsed(key));
    }
    removeStrayBases(this.#folder, generationsIn(this.#folder));
  }

  close(): void {
    for (const rows of this.#rowsOf.values()) rows.close();
    this.#rowsOf.clear();
  }

  #current(model: EmbeddingModel): EmbeddingRows {
    const rows = this.#rows(model);
    rows.refresh();
    return rows;
  }

  #rows(model: EmbeddingModel): EmbeddingRows {
    return getOrAdd(
      this.#rowsOf,
      digestOf(model),
      () => new EmbeddingRows(this.#folder, model, this.#readOnly),
    );
  }
}

/** The row from which on there are this many that nothing refers to. */
function newestUnused(
  rows: EmbeddingRows,
  isUsed: (key: Buffer) => boolean,
  count: number,
): number {
  const unused: number[] = [];
  for (const { row, key } of rows.rows()) if (!isUsed(key)) unused.push(row);
  return unused.at(-Math.floor(count)) ?? 0;
}

function lossNote(missing: number, path: string): string {
  const embeddings = missing === 1 ? '1 embedding is' : `${missing} embeddings are`;
  return `${embeddings} missing from ${path}, or damaged there; what is missing is made anew`;
}
