/** Recovers the readable rows of a damaged `app.db`. */

import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { defer } from '../base/defer.ts';
import { ensurePrivateFile } from '../base/private.ts';
import { MARKS } from '../shared/marks.ts';
import { settings } from '../shared/settings.ts';
import { migrateAppSchema } from './app-schema.ts';

/** Numbers of rows that were recovered, and of those known to be lost. */
export interface RecoveredRows {
  recovered: Record<Table, number>;
  lost: Record<Table, number>;
  /** Tables that could not be read completely, so that more rows may be lost. */
  incomplete: Table[];
}

type Row = Record<string, string | number | null>;

/** Key columns of each table. The tables are in the order of writing, because marks refer to issues. */
const KEYS = {
  settings: ['key'],
  repositories: ['root'],
  issues: ['id'],
  marks: ['issue_id', 'path', 'qualified_name', 'ordinal'],
} as const;
type Table = keyof typeof KEYS;
const TABLES = Object.keys(KEYS) as Table[];

const TITLES: Record<Table, string> = {
  issues: 'issues',
  marks: 'marks and notes',
  settings: 'settings',
  repositories: 'recent repositories',
};
const PAGE_SIZE = 4096;
/** Suffix, before a random part, of a folder with copies of a damaged database. */
const COPIES_SUFFIX = '.salvage-';

/**
 * Writes the readable rows of the damaged database at `path` to a new file `target`. The damaged file is not changed.
 * @throws the system's error, for example if the disk is full
 */
export function recoverDatabase(path: string, target: string): RecoveredRows {
  const folder = mkdtempSync(path + COPIES_SUFFIX);
  using _end = defer(() => rmSync(folder, { recursive: true, force: true }));
  const found = readDamaged(path, folder);
  rmSync(target, { force: true });
  return writeRows(found, target);
}

/** Removes copies that killed processes left behind. Call it inside `runWhileOpening`. */
export function removeCopies(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(basename(path) + COPIES_SUFFIX))
      rmSync(join(dirname(path), name), { recursive: true, force: true });
}

/** Describes the result of a recovery for people. @param aside path of the quarantined file */
export function describeRecovery(
  { recovered, lost, incomplete }: RecoveredRows,
  what: string,
  aside: string,
): string {
  const list = (counts: Record<Table, number>) =>
    (['issues', 'marks', 'settings', 'repositories'] as const)
      .filter((table) => counts === recovered || counts[table] > 0)
      .map((table) => `${counts[table]} ${TITLES[table]}`)
      .join(', ');
  const more = incomplete.map((table) => TITLES[table]).join(', ');
  const losses = [
    ...(list(lost) ? [`Lost: ${list(lost)}.`] : []),
    ...(more ? [`More may be lost of: ${more}.`] : []),
  ];
  return `app.db was damaged (${what}). Recovered: ${list(recovered)}. ${losses.join(' ') || 'Nothing was lost.'} The damaged file was moved to ${aside}.`;
}

class RecoveredData {
  readonly rows: Record<Table, Map<string, Row>> = {
    settings: new Map(),
    repositories: new Map(),
    issues: new Map(),
    marks: new Map(),
  };
  readonly torn = new Set<Table>();
  /** Ids of issues that any row refers to, with the root of their repository if it is known. */
  readonly issues = new Map<string, string | null>();
}

/**
 * Reads a copy, because reading a database changes its log. The schema is in the first page. If it is unreadable, the first
 * page of a new database replaces it, since the same migrations put the same tables at the same pages.
 */
function readDamaged(path: string, folder: string): RecoveredData {
  const found = new RecoveredData();
  const copy = (name: string, suffixes: readonly string[]) => {
    const to = join(folder, name);
    for (const suffix of suffixes)
      if (existsSync(path + suffix)) copyFileSync(path + suffix, to + suffix);
    return to;
  };
  if (readCopy(copy('as-it-is', ['', '-wal']), found)) return found;
  const page = createFirstPage(join(folder, 'new'));
  const repaired = copy('repaired', ['', '-wal']);
  replaceFirstPage(repaired, page);
  if (readCopy(repaired, found)) return found;
  const withoutLog = copy('without-log', ['']);
  replaceFirstPage(withoutLog, page);
  readCopy(withoutLog, found);
  return found;
}

/** Reads all tables of a copy. Returns true if its schema could be read. */
function readCopy(path: string, found: RecoveredData): boolean {
  const connection = new Sqlite(path);
  using _end = defer(() => connection.close());
  try {
    connection.pragma('writable_schema = ON'); // Damage to one table must not hide the others.
    const existing = new Set(
      connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
    );
    for (const table of TABLES) if (existing.has(table)) readTable(connection, table, found);
    return TABLES.every((table) => existing.has(table));
  } catch {
    // The tables cannot be listed. The caller tries other copies.
    return false;
  }
}

/** Reads a table forwards, backwards, and from keys in between, to get past damaged pages. */
function readTable(connection: Sqlite.Database, table: Table, found: RecoveredData): void {
  const key = KEYS[table];
  const columns = listColumns(connection, table);
  const select = `SELECT ${columns.join(', ')} FROM ${table}`;
  const order = (direction: string) => key.map((column) => `${column} ${direction}`).join(', ');
  const rows = found.rows[table];
  const read = (sql: string) => readRows(connection, sql, null, key, rows);
  const readFrom = (sql: string, start: string) => readRows(connection, sql, start, key, rows);
  const isComplete = read(`${select} ORDER BY ${order('ASC')}`);
  if (!isComplete) read(`${select} ORDER BY ${order('DESC')}`);
  collectIssueIds(connection, table, found);
  if (isComplete) return;
  found.torn.add(table);
  for (const start of listStartKeys(table, found)) {
    readFrom(`${select} WHERE ${key[0]} >= ? ORDER BY ${order('ASC')}`, start);
    readFrom(`${select} WHERE ${key[0]} < ? ORDER BY ${order('DESC')}`, start);
  }
}

/**
 * Adds the rows of a query that were not read before. Returns true if the query ended without an error.
 * @param start key at which the query begins; null for the whole table. With a key, reading stops at the first row that
 * is already there, because the rows after it are, too.
 */
function readRows(
  connection: Sqlite.Database,
  sql: string,
  start: string | null,
  key: readonly string[],
  rows: Map<string, Row>,
): boolean {
  try {
    const values = start === null ? [] : [start];
    for (const row of connection.prepare<string[], Row>(sql).iterate(...values)) {
      const id = JSON.stringify(key.map((column) => row[column]));
      if (!rows.has(id)) rows.set(id, row);
      else if (start !== null) return true;
    }
    return true;
  } catch {
    // Damage ends this pass. The next one starts at another key.
    return false;
  }
}

/** Returns the columns that the damaged table has. Earlier versions had fewer. */
function listColumns(connection: Sqlite.Database, table: Table): string[] {
  const intact = new Sqlite(':memory:');
  migrateAppSchema(intact);
  const [expected, existing] = [intact, connection].map((one) =>
    (one.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name),
  );
  intact.close();
  return expected?.filter((column) => existing?.includes(column)) ?? [];
}

/** Returns keys at which to start reading: known ones, and prefixes of random ids. */
function listStartKeys(table: Table, found: RecoveredData): Iterable<string> {
  if (table === 'settings') return Object.keys(settings.shape);
  if (table === 'repositories') return [...found.issues.values()].filter((root) => root !== null);
  const prefixes = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
  return [...prefixes, ...found.issues.keys()];
}

/** Collects the ids of all issues that a table or an index refers to. */
function collectIssueIds(connection: Sqlite.Database, table: Table, found: RecoveredData): void {
  const add = (id: unknown, root: unknown) => {
    if (typeof id === 'string' && !found.issues.get(id))
      found.issues.set(id, typeof root === 'string' ? root : null);
  };
  const rows = found.rows[table].values();
  if (table === 'repositories') for (const row of rows) add(row.last_issue, row.root);
  if (table === 'marks') for (const row of rows) add(row.issue_id, null);
  if (table !== 'issues') return;
  for (const row of rows) add(row.id, row.root);
  const index = new Map<string, Row>();
  const select = 'SELECT id, root, updated_at FROM issues INDEXED BY issues_by_root ORDER BY root';
  for (const direction of ['ASC', 'DESC'])
    readRows(connection, `${select} ${direction}, updated_at ${direction}`, null, ['id'], index);
  for (const row of index.values()) add(row.id, row.root);
}

function writeRows(found: RecoveredData, target: string): RecoveredRows {
  ensurePrivateFile(target);
  const connection = new Sqlite(target);
  using _end = defer(() => connection.close());
  const counts = () => ({ settings: 0, repositories: 0, issues: 0, marks: 0 });
  const result: RecoveredRows = {
    recovered: counts(),
    lost: counts(),
    incomplete: [...found.torn],
  };
  connection.pragma('foreign_keys = ON');
  connection.transaction(() => {
    migrateAppSchema(connection);
    for (const table of TABLES) {
      for (const row of found.rows[table].values()) {
        if (insertRow(connection, table, row, found)) result.recovered[table]++;
        else result.lost[table]++;
      }
    }
    for (const id of found.issues.keys()) {
      const text = connection.prepare('SELECT text FROM issues WHERE id = ?').pluck().get(id);
      if (text === undefined || text === LOST_TEXT) result.lost.issues++;
    }
  })();
  return result;
}

const LOST_TEXT = 'The text of this issue was lost.';

/** Inserts a row. Returns false if it is invalid. */
function insertRow(
  connection: Sqlite.Database,
  table: Table,
  row: Row,
  found: RecoveredData,
): boolean {
  const valid = table === 'marks' ? repairMark(row) : row;
  if (!valid) return false;
  try {
    if (table === 'marks') ensureIssue(connection, String(valid.issue_id), found);
    const columns = Object.keys(valid);
    connection
      .prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(valid));
    return true;
  } catch {
    // The row violates a constraint.
    return false;
  }
}

/** Returns a mark with a valid verdict; null if neither verdict nor note is usable. */
function repairMark(row: Row): Row | null {
  // Name of the verdict before version 3 of the schema.
  if (row.mark === 'relevant') return { ...row, mark: 'read' };
  const isValid = row.mark === null || MARKS.some((mark) => mark === row.mark);
  if (isValid) return row;
  return row.note ? { ...row, mark: null } : null;
}

/** Inserts a placeholder for a lost issue, so that its marks survive. If its repository is unknown, the root is empty. */
function ensureIssue(connection: Sqlite.Database, id: string, found: RecoveredData): void {
  const roots = [...found.rows.repositories.values()].map(({ root }) => root);
  const root = found.issues.get(id) ?? (roots.length === 1 ? roots[0] : '');
  const now = new Date().toISOString();
  connection
    .prepare(
      `INSERT OR IGNORE INTO issues (id, root, text, created_at, updated_at) SELECT ?, ?, ?, ?, ?
       WHERE NOT EXISTS (SELECT 1 FROM issues WHERE id = ?)`,
    )
    .run(id, root, LOST_TEXT, now, now, id);
}

function createFirstPage(path: string): Buffer {
  const connection = new Sqlite(path);
  connection.pragma(`page_size = ${PAGE_SIZE}`);
  connection.transaction(() => migrateAppSchema(connection))();
  connection.close();
  return readFileSync(path).subarray(0, PAGE_SIZE);
}

function replaceFirstPage(path: string, page: Buffer): void {
  const file = openSync(path, 'r+');
  using _end = defer(() => closeSync(file));
  const header = Buffer.from(page);
  const { size } = fstatSync(file);
  header.writeUInt32BE(Math.max(1, Math.ceil(size / PAGE_SIZE)), 28);
  // Version 2 marks a database in WAL mode. Without it, SQLite ignores the log.
  header[18] = header[19] = 2;
  writeSync(file, header, 0, PAGE_SIZE, 0);
}
