import { renameSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { MIGRATIONS } from '../../src/engine/store/migrations.ts';

/** Makes a stored index one of an older schema, with all that it could hold; versions count the steps taken. */
export function makeOlder(path: string, version: number): void {
  const now = `${path}-now`;
  renameSync(path, now);
  const before = new Sqlite(path);
  for (const step of MIGRATIONS.slice(0, version)) {
    if (typeof step === 'string') before.exec(step);
    else step(before);
  }
  before.pragma(`user_version = ${version}`);
  before.pragma('foreign_keys = OFF');
  before.prepare('ATTACH ? AS now').run(now);
  const tables = before.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
  for (const table of tables.all() as string[]) {
    const columns = before.pragma(`table_info(${table})`) as { name: string }[];
    const names = columns.map(({ name }) => name).join(', ');
    before.exec(
      `DELETE FROM ${table}; INSERT INTO ${table} (${names}) SELECT ${names} FROM now.${table}`,
    );
  }
  // The sum of all terms came with the checksums.
  before.exec("DELETE FROM meta WHERE key = 'terms'");
  before.close();
}
