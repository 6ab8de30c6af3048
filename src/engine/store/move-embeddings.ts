import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { quantize } from '../vectors/quantized.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import type { NewRow } from './row-file.ts';
import { KEY_BYTES } from './row-format.ts';
import { linkSum, vectorLinkSum, vectorSum } from './sums.ts';

const MOVED_AT_ONCE = 1_000;

/**
 * Takes embeddings out of the database into files of rows beside it, as part of the step that brings these. Where there
 * is no room for a file, or for a database in memory, they go, and are made again when the index is next brought up to date.
 */
export function moveEmbeddings(database: Database): void {
  database.exec(`
    ALTER TABLE chunk_embeddings RENAME TO links_before;
    CREATE TABLE chunk_embeddings (
      snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
      model TEXT NOT NULL,                        -- id and version
      chunk_id INTEGER NOT NULL,
      key BLOB NOT NULL,                          -- hash of model id, version and exact inputs; names a row of a file
      sum INTEGER NOT NULL,
      PRIMARY KEY (snapshot_id, model, chunk_id)
    ) WITHOUT ROWID;
  `);
  if (!database.memory) {
    const models = database.prepare<[], string>('SELECT DISTINCT model FROM links_before').pluck();
    for (const model of models.all()) moveModel(database, model);
  }
  database.exec('DROP TABLE links_before; DROP TABLE embeddings');
}

function moveModel(database: Database, model: string): void {
  const dimensions = dimensionsOf(database, model);
  if (dimensions === null) return;
  const rows = new EmbeddingRows(dirname(database.name), { key: model, dimensions }, false);
  try {
    moveRows(database, model, dimensions, rows);
    database.function('has_row', (key) => (rows.has(key as Buffer) ? 1 : 0));
    database.function('link_sum', (chunk, key) => linkSum(chunk as number, key as Buffer));
    database.function('vector_link_sum', (chunk, embedding, vector) =>
      vectorLinkSum(chunk as number, embedding as number, vector as number),
    );
    database
      .prepare(
        `INSERT INTO chunk_embeddings (snapshot_id, model, chunk_id, key, sum)
         SELECT c.snapshot_id, c.model, c.chunk_id, e.key, link_sum(c.chunk_id, e.key)
         FROM links_before c JOIN embeddings e ON e.id = c.embedding_id
         WHERE c.model = ? AND c.sum = vector_link_sum(c.chunk_id, e.id, e.sum) AND has_row(e.key)`,
      )
      .run(model);
  } catch (error) {
    // No room, or no permission: what was moved so far is found by its keys.
    if (!(error instanceof LocusError)) throw error;
  } finally {
    rows.close();
  }
}

function dimensionsOf(database: Database, model: string): number | null {
  const bytes = database
    .prepare<[string], number>(
      `SELECT length(e.vector) FROM links_before c JOIN embeddings e ON e.id = c.embedding_id
       WHERE c.model = ? LIMIT 1`,
    )
    .pluck()
    .get(model);
  return bytes === undefined ? null : bytes / Float32Array.BYTES_PER_ELEMENT;
}

interface OldRow {
  key: Buffer;
  vector: Buffer;
  sum: number;
}

function moveRows(
  database: Database,
  model: string,
  dimensions: number,
  rows: EmbeddingRows,
): void {
  const stored = database
    .prepare<[string], OldRow>(
      `SELECT key, vector, sum FROM embeddings
       WHERE id IN (SELECT embedding_id FROM links_before WHERE model = ?) ORDER BY id`,
    )
    .iterate(model);
  rows.refresh();
  let batch: NewRow[] = [];
  const flush = () => {
    rows.append(batch);
    batch = [];
  };
  for (const { key, vector, sum } of stored) {
    const isSound =
      key.length === KEY_BYTES && vector.length === 4 * dimensions && vectorSum(vector) === sum;
    if (!isSound || rows.has(key)) continue;
    batch.push({ key, vector: quantize(new Float32Array(new Uint8Array(vector).buffer)) });
    if (batch.length === MOVED_AT_ONCE) flush();
  }
  flush();
}
