import { assertPresent } from '../../shared/assert-present.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import { Chains } from '../columns/chains.ts';
import { type QuantizedVector, quantize } from '../vectors/quantized.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { removeStrayBases } from './base-file.ts';
import type { Database } from './database.ts';
import { type EmbeddingLink, EmbeddingLinks } from './embedding-links.ts';
import {
  createRowMap,
  type EmbeddingRowMap,
  loadMappedRows,
  type PrefetchedRows,
} from './embedding-row-map.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import type { EmbeddingModel } from './row-format.ts';
import {
  findNewest,
  hashModel,
  listGenerations,
  listModels,
  type RowFileGeneration,
  removeOldGenerations,
} from './row-generations.ts';

/** Number of unused rows up to which a file is not rewritten. */
const MAX_UNUSED_ROWS = 10_000;

/**
 * Embeddings of all snapshots. Vectors are in a file of rows for each model beside the database, by the hash of the encoder's
 * input. Links from chunks of a snapshot to keys are in the database. Rows are written before the links that refer to them.
 * The chunk of a missing or damaged row is encoded again.
 */
export class Embeddings {
  readonly #links: EmbeddingLinks;
  readonly #folder: string;
  readonly #readOnly: boolean;
  readonly #onLoss: (note: string) => void;
  readonly #rowsByModel = new Map<string, EmbeddingRows>();

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

  /** Returns, for each of these keys (hex), true if it has a row. */
  has(model: EmbeddingModel, keys: readonly string[]): boolean[] {
    const rows = this.#refreshRows(model);
    return keys.map((key) => rows.has(Buffer.from(key, 'hex')));
  }

  /**
   * Stores new vectors, and links chunks to their keys. Call inside a transaction, while holding the writer lock.
   * Returns the stored vector of each chunk, or null if its row has been lost since `has` was called.
   */
  put(
    snapshotId: number,
    model: EmbeddingModel,
    chunks: readonly { id: number; key: string }[],
    vectors: ReadonlyMap<string, Float32Array>,
  ): (QuantizedVector | null)[] {
    const rows = this.#refreshRows(model);
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
    const links: EmbeddingLink[] = [];
    const stored = chunks.map(({ id, key: hex }) => {
      const key = Buffer.from(hex, 'hex');
      const vector = fresh.get(hex) ?? rows.readVector(key);
      if (vector) links.push({ chunkId: id, key });
      return vector;
    });
    this.#links.put(snapshotId, model.key, links);
    return stored;
  }

  /** Stores embeddings from another index. Call inside a transaction, while holding the writer lock. */
  adopt(
    snapshotId: number,
    model: EmbeddingModel,
    made: readonly { chunkId: number; key: Buffer; vector: QuantizedVector }[],
  ): void {
    const rows = this.#refreshRows(model);
    const fresh = new Map(
      made.filter(({ key }) => !rows.has(key)).map((one) => [one.key.toString('hex'), one]),
    );
    rows.append([...fresh.values()]);
    this.#links.put(snapshotId, model.key, made);
  }

  /** Returns the models for which every chunk of a snapshot has an embedding. */
  getCompleteModels(snapshotId: number, chunks: number): EmbeddingModel[] {
    return listModels(this.#folder).filter(
      (model) => this.#links.count(snapshotId, model.key) === chunks,
    );
  }

  /** Links chunks as another snapshot does, see `EmbeddingLinks.copy`. */
  copyLinks(...given: Parameters<EmbeddingLinks['copy']>): void {
    this.#links.copy(...given);
  }

  /** Removes the links of these chunks to embeddings, because their encoder inputs changed. */
  unlink(snapshotId: number, chunkIds: Iterable<number>): void {
    this.#links.remove(snapshotId, chunkIds);
  }

  /**
   * Yields the embeddings of a snapshot, in the order of their rows. A vector is valid until the next one is read.
   * @throws Damage
   */
  *readAll(
    snapshotId: number,
    model: EmbeddingModel,
  ): Generator<{ chunkId: number; vector: QuantizedVector }, void> {
    const rows = this.#refreshRows(model);
    const chunkIds: number[] = [];
    const inRow = new Chains(rows.length);
    let missing = 0;
    for (const { chunkId, key } of this.#links.readAll(snapshotId, model.key)) {
      const row = rows.find(key);
      if (row >= 0) inRow.append(row, chunkIds.push(chunkId) - 1);
      missing++;
    }
    for (const { row, vector } of rows.readRows()) {
      for (let at = inRow.first(row); at >= 0; at = inRow.next(at)) {
        missing--;
        yield { chunkId: assertPresent(chunkIds[at], 'a chunk of a row'), vector };
      }
    }
    if (missing > 0) this.#onLoss(describeLoss(missing, rows.path));
  }

  /** Returns the newest file of a model and its number of rows, or null if none exists. */
  getGeneration(model: EmbeddingModel): (RowFileGeneration & { rows: number }) | null {
    const rows = this.#refreshRows(model).length;
    const file = findNewest(listGenerations(this.#folder), hashModel(model));
    return file ? { ...file, rows } : null;
  }

  /**
   * Returns the next chunks of a snapshot that have an embedding, in order of chunk id, with their rows.
   * @param after `last` of the previous page; -1 for the first page.
   * @returns the chunks of this page, and its last chunk id; null at the end.
   */
  getPage(
    snapshotId: number,
    model: EmbeddingModel,
    after: number,
    count: number,
  ): {
    places: { chunkId: number; row: number; key: Buffer; vector: QuantizedVector }[];
    last: number | null;
  } {
    const rows = this.#refreshRows(model);
    const links = this.#links.getPage(snapshotId, model.key, after, count);
    const places = links.flatMap(({ chunkId, key }) => {
      const vector = rows.readVector(key);
      return vector ? { chunkId, row: rows.find(key), key, vector } : [];
    });
    return { places, last: links.at(-1)?.chunkId ?? null };
  }

  /**
   * Creates the row map of a snapshot. Returns null if an embedding is missing.
   * @param slotOf returns the slot of a chunk.
   * @throws Damage
   */
  createRowMap(
    snapshotId: number,
    model: EmbeddingModel,
    slotOf: (chunkId: number) => number | undefined,
  ): EmbeddingRowMap | null {
    const rows = this.#refreshRows(model);
    const found: { row: number; slot: number }[] = [];
    for (const { chunkId, key } of this.#links.readAll(snapshotId, model.key)) {
      const [row, slot] = [rows.find(key), slotOf(chunkId)];
      if (row < 0) return null;
      if (slot !== undefined) found.push({ row, slot });
    }
    return createRowMap(rows, model, found);
  }

  /** Fills an empty table from a row map. If it returns false, use `readAll` instead. */
  loadRowMap(
    model: EmbeddingModel,
    rowMap: EmbeddingRowMap,
    table: VectorTable,
    prefetched: PrefetchedRows | null = null,
  ): boolean {
    return loadMappedRows(this.#getRows(model), model, rowMap, table, prefetched);
  }

  /**
   * Rewrites files that are more than half unused. The newest unused rows stay, half as many as the used ones, so that
   * switching back to another branch costs little. Call while holding the writer lock.
   * @param maxUnused number of unused rows up to which a file is not rewritten.
   */
  collectGarbage(maxUnused = MAX_UNUSED_ROWS): void {
    for (const model of listModels(this.#folder)) {
      const rows = this.#refreshRows(model);
      removeOldGenerations(this.#folder, hashModel(model));
      if (rows.length <= maxUnused) continue;
      const used = this.#links.getKeys(model.key);
      const isUsed = (key: Buffer) => used.has(key.toString('hex').toUpperCase());
      const kept = Math.max(maxUnused, used.size);
      if (rows.length - used.size <= kept) continue;
      const spare = findNewestUnused(rows, isUsed, kept / 2);
      rows.rewrite(({ row, key }) => row >= spare || isUsed(key));
    }
    removeStrayBases(this.#folder, listGenerations(this.#folder));
  }

  close(): void {
    for (const rows of this.#rowsByModel.values()) rows.close();
    this.#rowsByModel.clear();
  }

  #refreshRows(model: EmbeddingModel): EmbeddingRows {
    const rows = this.#getRows(model);
    rows.refresh();
    return rows;
  }

  #getRows(model: EmbeddingModel): EmbeddingRows {
    return getOrAdd(
      this.#rowsByModel,
      hashModel(model),
      () => new EmbeddingRows(this.#folder, model, this.#readOnly),
    );
  }
}

/** Returns the first of the last `count` unused rows. */
function findNewestUnused(
  rows: EmbeddingRows,
  isUsed: (key: Buffer) => boolean,
  count: number,
): number {
  const unused: number[] = [];
  for (const { row, key } of rows.readRows()) if (!isUsed(key)) unused.push(row);
  return unused.at(-Math.floor(count)) ?? 0;
}

function describeLoss(missing: number, path: string): string {
  const embeddings = missing === 1 ? '1 embedding is' : `${missing} embeddings are`;
  return `${embeddings} missing or damaged in ${path}. Locus encodes them again.`;
}
