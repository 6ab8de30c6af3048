/**
 * Indexes the repositories of a fleet and exits, for tests that kill it while it works:
 * `node fleet-worker.ts <folder of objects> <rows> <local folder>`. Its engine is a database of rows.
 */
import Sqlite from 'better-sqlite3';
import { FleetCatalog } from '../../src/services/fleet/catalog.ts';
import { runWorker } from '../../src/services/fleet/worker.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import type { FleetRow } from '../../src/shared/fleet-row.ts';
import { fleetOf } from '../fleet/support.ts';

/** Opens an engine that several processes can share: a SQLite database of rows. */
export function openRowsEngine(path: string) {
  const database = new Sqlite(path, { timeout: 60_000 });
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, repository TEXT NOT NULL)');
  const put = database.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM rows WHERE id = ?');
  const select = database.prepare('SELECT id FROM rows WHERE repository = ? ORDER BY id').pluck();
  return {
    listIds: async (key: string) => new Set(select.all(key) as string[]),
    // Row by row: if a worker is killed, a server may have stored only some of its rows.
    put: async (rows: readonly FleetRow[]) => {
      for (const { id, repository } of rows) put.run(id, repository);
    },
    remove: async (_key: string, ids: readonly string[]) => {
      for (const id of ids) remove.run(id);
    },
    close: () => database.close(),
  };
}

if (import.meta.main) {
  const [objects = '', rows = '', local = ''] = process.argv.slice(2);
  const catalog = new FleetCatalog(await openObjects(objects));
  const done = await runWorker(fleetOf(catalog, openRowsEngine(rows), local), { leaseSeconds: 1 });
  for (const { failure } of done) if (failure && failure.code !== 'busy') throw failure;
  process.exit(0);
}
