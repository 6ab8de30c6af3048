/** `app.db` holds data that cannot be rebuilt. Whatever damages the file, all readable rows are recovered. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { openAppDatabase } from '../../src/backend/app-database.ts';
import { migrateAppSchema } from '../../src/backend/app-schema.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { corrupt } from '../support/corrupt.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const KEYS = {
  settings: ['key'],
  repositories: ['root'],
  issues: ['id'],
  marks: ['issue_id', 'path', 'qualified_name', 'ordinal'],
} as const;
type Table = keyof typeof KEYS;
const TABLES = Object.keys(KEYS) as Table[];

let folder: string;
/** Paths of the databases to damage. */
let sources: string[];
let foreign: Buffer;

before(() => {
  folder = temporaryFolder();
  sources = [join(folder, 'checkpointed'), join(folder, 'logged')];
  fill(sources[0], false);
  fill(sources[1], true);
  fill(join(folder, 'other'), false, 'other ');
  foreign = readFileSync(join(folder, 'other'));
});
after(() => removeFolder(folder));

/** Stores 60 issues with four marks each. @param logged leaves the later half in the write-ahead log */
function fill(path: string, logged: boolean, prefix = ''): void {
  const work = `${path}.work`;
  const database = new Sqlite(work);
  database.pragma('journal_mode = WAL');
  migrateAppSchema(database);
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values);
  const uuid = (n: number) =>
    `${((n * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  for (let n = 0; n < 60; n++) {
    if (n === 30) database.pragma('wal_checkpoint(TRUNCATE)');
    const root = `/src/${prefix}${n % 5}`;
    run(
      `INSERT OR IGNORE INTO repositories VALUES (?, ?, '2026', 1, 'complete', ?, 1)`,
      root,
      'x',
      uuid(n),
    );
    const text = `${prefix}Issue ${n}\n${'The cookie is lost. '.repeat(n * 3)}`;
    const insert = `INSERT INTO issues VALUES (?, ?, NULL, ?, 0, '2026', '2026', NULL, ?)`;
    const source = n % 2 ? JSON.stringify({ label: `o/r#${n}`, url: 'https://x' }) : null;
    run(insert, uuid(n), root, text, source);
    for (let m = 0; m < 4; m++)
      run(
        `INSERT INTO marks VALUES (?, ?, ?, 0, 'function', '', 'edit', ?, '2026')`,
        uuid(n),
        `pkg/module_${m}.py`,
        `f${m}`,
        `${prefix}a note on ${n} and ${m}, `.repeat(3),
      );
  }
  run(`INSERT INTO settings VALUES ('theme', '"dark"'), ('limit', '50')`);
  if (!logged) database.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(work, path);
  if (logged) copyFileSync(`${work}-wal`, `${path}-wal`);
  database.close();
}

const makeKey = (table: Table, row: Record<string, unknown>) =>
  JSON.stringify(KEYS[table].map((column) => row[column]));

/** Returns the readable rows: each table up to the first unreadable row. */
function readRows(path: string): Record<Table, Set<string>> {
  const found = {
    settings: new Set(),
    repositories: new Set(),
    issues: new Set(),
    marks: new Set(),
  };
  const copy = join(temporaryFolder(), 'copy');
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  for (const table of TABLES) {
    try {
      const database = new Sqlite(copy);
      try {
        const select = `SELECT * FROM ${table} ORDER BY ${KEYS[table].join(', ')}`;
        for (const row of database.prepare(select).iterate())
          found[table].add(makeKey(table, row as Record<string, unknown>));
      } finally {
        database.close();
      }
    } catch {}
  }
  removeFolder(join(copy, '..'));
  return found as Record<Table, Set<string>>;
}

const counted = (rows: Record<Table, Set<string>>) =>
  Object.fromEntries(TABLES.map((table) => [table, rows[table].size]));

test('all readable rows of a damaged app.db are recovered, and the damaged file is kept', () => {
  const draw = uniform(SEED);
  const totals: Record<string, number> = {};
  const add = (name: string, n = 1) => {
    totals[name] = (totals[name] ?? 0) + n;
  };
  for (let round = 0; round < scaleRounds(20); round++) {
    const dataDir = temporaryFolder();
    const path = join(dataDir, 'app.db');
    const source = sources[draw() < 0.5 ? 0 : 1];
    for (const suffix of ['', '-wal'])
      if (existsSync(source + suffix)) copyFileSync(source + suffix, path + suffix);
    const before = readRows(path);
    const target = existsSync(`${path}-wal`) && draw() < 0.4 ? `${path}-wal` : path;
    const how = corrupt(target, draw, foreign);
    const plain = readRows(path);
    const where = `round ${round} of seed ${SEED}, ${how} in ${target}`;
    try {
      const database = openAppDatabase(dataDir);
      database[Symbol.dispose]();
      const after = readRows(path);
      for (const table of TABLES) {
        const lost = [...plain[table]].filter(
          (key) => before[table].has(key) && !after[table].has(key),
        );
        assert.deepEqual(lost, [], `${where}: readable ${table} were lost`);
        add(`${table} before`, before[table].size);
        add(`${table} read plainly`, plain[table].size);
        add(`${table} after`, after[table].size);
      }
      const aside = readdirSync(dataDir).filter((name) => /^app\.db\.damaged-\d+$/.test(name));
      assert.equal(aside.length, database.notes.length, where);
      if (aside.length > 0)
        assert.match(
          database.notes[0],
          /app\.db was damaged .*Recovered: \d+ issues, \d+ marks/,
          where,
        );
      add(aside.length > 0 ? 'mended' : 'sound');
      const again = openAppDatabase(dataDir);
      again[Symbol.dispose]();
      assert.deepEqual(again.notes, [], `${where}: still damaged`);
      assert.deepEqual(counted(readRows(path)), counted(after), where);
    } catch (error) {
      if (!(error instanceof LocusError) || !/newer version of Locus/.test(error.message))
        throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
      add('newer');
    } finally {
      removeFolder(dataDir);
    }
  }
  assert.ok(totals['issues after'] >= 0.8 * totals['issues before'], JSON.stringify(totals));
  if (process.env.LOCUS_TORTURE) console.log(totals);
});
