import type { Database } from './database.ts';
import { EmbeddingLinks } from './embedding-links.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import { modelsIn } from './row-generations.ts';
import { Snapshots } from './snapshots.ts';

/**
 * How many embeddings that chunks have by a database of the current schema are not in the files beside it, or not
 * whole; writes nothing.
 * @throws Damage of the database.
 */
export function missingEmbeddings(database: Database, folder: string): number {
  const links = new EmbeddingLinks(database);
  const files = modelsIn(folder);
  const snapshots = new Snapshots(database).ids();
  const models = new Set(snapshots.flatMap((snapshot) => links.models(snapshot)));
  let missing = 0;
  for (const model of models) {
    const known = files.filter(({ key }) => key === model);
    const rows = known.map((file) => new EmbeddingRows(folder, file, true));
    for (const one of rows) one.refresh();
    for (const snapshot of snapshots)
      for (const { key } of links.ofSnapshot(snapshot, model))
        if (!rows.some((one) => one.has(key))) missing++;
    for (const one of rows) one.close();
  }
  return missing;
}
