import { checkIntegrity } from '../../base/damage.ts';
import { checkSchema, type Database } from './database.ts';
import { Edges } from './edges.ts';
import { EmbeddingLinks } from './embedding-links.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import { FileVersions } from './file-versions.ts';
import { StoredHistory } from './history.ts';
import { listModels } from './row-generations.ts';
import { Snapshots } from './snapshots.ts';
import { getValues } from './statements.ts';
import { TermDictionary } from './terms.ts';

/**
 * Counts the embeddings that a database of the current schema refers to and that are missing or damaged. Writes nothing.
 * @throws Damage if the database is damaged
 */
export function countMissingEmbeddings(database: Database, folder: string): number {
  const links = new EmbeddingLinks(database);
  const files = listModels(folder);
  const snapshots = new Snapshots(database).getIds();
  const models = new Set(snapshots.flatMap((snapshot) => links.getModels(snapshot)));
  let missing = 0;
  for (const model of models) {
    const known = files.filter(({ key }) => key === model);
    const rows = known.map((file) => new EmbeddingRows(folder, file, true));
    for (const one of rows) one.refresh();
    for (const snapshot of snapshots)
      for (const { key } of links.readAll(snapshot, model))
        if (!rows.some((one) => one.has(key))) missing++;
    for (const one of rows) one.close();
  }
  return missing;
}

/**
 * Reads all rows of a database of the current schema and checks their checksums. Writes nothing. Takes seconds for a large
 * database.
 * @throws Damage, or SQLite's error, for the first row that is damaged.
 */
export function verifyAll(database: Database): void {
  checkIntegrity(database);
  checkSchema(database);
  database.transaction(() => {
    const terms = new TermDictionary(database);
    terms.reload();
    const versions = new FileVersions(database, terms);
    for (const id of getValues<number>(database, 'SELECT id FROM file_versions')) {
      versions.getTermCounts(id);
      versions.getFacts(id);
      versions.getReferences(id);
      versions.getContent(id);
      for (const chunk of versions.getChunks(id)) versions.getChunkText(chunk.id);
    }
    for (const id of new Snapshots(database).getIds()) verifySnapshot(database, id);
  })();
}

function verifySnapshot(database: Database, id: number): void {
  const snapshots = new Snapshots(database);
  snapshots.getState(id);
  snapshots.getFiles(id);
  readToEnd(new Edges(database).readAll(id));
  const history = new StoredHistory(database);
  if (history.getLinkedState(id)) readToEnd(history.readAll(id));
  const links = new EmbeddingLinks(database);
  for (const model of links.getModels(id)) readToEnd(links.readAll(id, model));
}

function readToEnd(rows: Iterable<unknown>): void {
  for (const _row of rows);
}
