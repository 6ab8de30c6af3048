/** Takes over from a damaged `app.db` what can be read of it. */

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
import { makeAppSchema } from './app-schema.ts';

/** How many rows were taken over, and how many are known to be lost. */
export interface Salvaged {
  saved: Record<Table, number>;
  lost: Record<Table, number>;
  /** Tables that could not be read to their ends, so that there may have been more rows. */
  torn: Table[];
}

type Row = Record<string, string | number | null>;

/** The columns of each table's key, in the order in which they are written: marks refer to issues. */
const KEYS = {
  settings: ['key'],
  repositories: ['root'],
  issues: ['id'],
  marks: ['issue_id', 'path', 'qualified_name', 'ordinal'],
} as const;
type Table = keyof typeof KEYS;
const NAMES = Object.keys(KEYS) as Table[];

const TITLES: Record<Table, string> = {
  issues: 'issues',
  marks: 'marks and notes',
  settings: 'settings',
  repositories: 'recent repositories',
};
const PAGE = 4096;
/** Begins the ending of a folder with copies of a damaged database. */
const COPIES = '.salvage-';

/**
 * Writes to `target`, a new file, what can be read of the damaged database at `path`; that one stays as it is.
 * @throws the system's error, as when the disk is full.
 */
export function salvage(path: string, target: string): Salvaged {
  const folder = mkdtempSync(path + COPIES);
  using _end = defer(() => rmSync(folder, { recursive: true, force: true }));
  const found = readDamaged(path, folder);
  rmSync(target, { force: true });
  return write(found, target);
}

/** Removes the copies of processes that were killed while they read a damaged database; call in `whileOpening`. */
export function removeCopies(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(basename(path) + COPIES))
      rmSync(join(dirname(path), name), { recursive: true, force: true });
}

export function noteOf({ saved, lost, torn }: Salvaged, what: string, aside: string): string {
  const list = (counts: Record<Table, number>) =>
    (['issues', 'marks', 'settings', 'repositories'] as const)
      .filter((table) => counts === saved || counts[table] > 0)
      .map((table) => `${counts[table]} ${TITLES[table]}`)
      .join(', ');
  const more = torn.map((table) => TITLES[table]).join(', ');
  const losses = [
    ...(list(lost) ? [`lost: ${list(lost)}`] : []),
    ...(more ? [`there may have been more ${more}`] : []),
  ];
  return `app.db was damaged (${what}). Saved: ${list(saved)}; ${losses.join('; ') || 'nothing else was in it'}. The damaged file is kept as ${aside}`;
}

class Found {
  readonly rows: Record<Table, Map<string, Row>> = {
    settings: new Map(),
    repositories: new Map(),
    issues: new Map(),
    marks: new Map(),
  };
  readonly torn = new Set<Table>();
  /** Issues that something refers to, with the root of their repository if it is known. */
  readonly issues = new Map<string, string | null>();
}

/**
 * Reads a copy, because reading a database changes its log. When the schema cannot be read, which lies in the first
 * page, the first page of a new database takes its place: the same steps put the same tables at the same pages.
 */
function readDamaged(path: string, folder: string): Found {
  const found = new Found();
  const copy = (name: string, suffixes: readonly string[]) => {
    const to = join(folder, name);
    for (const suffix of suffixes)
      if (existsSync(path + suffix)) copyFileSync(path + suffix, to + suffix);
    return to;
  };
  if (readCopy(copy('as-it-is', ['', '-wal']), found)) return found;
  const first = firstPage(join(folder, 'new'));
  const mended = copy('mended', ['', '-wal']);
  replaceFirstPage(mended, first);
  if (readCopy(mended, found)) return found;
  const withoutLog = copy('without-log', ['']);
  replaceFirstPage(withoutLog, first);
  readCopy(withoutLog, found);
  return found;
}

/** Whether its schema could be read. */
function readCopy(path: string, found: Found): boolean {
  const connection = new Sqlite(path);
  using _end = defer(() => connection.close());
  try {
    connection.pragma('writable_schema = ON'); // What is wrong with one table must not hide the others.
    const there = new Set(
      connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all(),
    );
    for (const table of NAMES) if (there.has(table)) readTable(connection, table, found);
    return NAMES.every((table) => there.has(table));
  } catch {
    // The tables cannot be listed. Other ways of reading them follow.
    return false;
  }
}

/** Forwards, backwards, and from places in between, past what cannot be read. */
function readTable(connection: Sqlite.Database, table: Table, found: Found): void {
  const key = KEYS[table];
  const columns = columnsOf(connection, table);
  const select = `SELECT ${columns.join(', ')} FROM ${table}`;
  const order = (direction: string) => key.map((column) => `${column} ${direction}`).join(', ');
  const rows = found.rows[table];
  const read = (sql: string) => readRows(connection, sql, null, key, rows);
  const readNear = (sql: string, place: string) => readRows(connection, sql, place, key, rows);
  const whole = read(`${select} ORDER BY ${order('ASC')}`);
  if (!whole) read(`${select} ORDER BY ${order('DESC')}`);
  noteIssues(connection, table, found);
  if (whole) return;
  found.torn.add(table);
  for (const place of placesIn(table, found)) {
    readNear(`${select} WHERE ${key[0]} >= ? ORDER BY ${order('ASC')}`, place);
    readNear(`${select} WHERE ${key[0]} < ? ORDER BY ${order('DESC')}`, place);
  }
}

/**
 * Keeps the rows of a query that are not known yet. Whether it came to an end without a failure.
 * @param place where it begins, if in between: then it ends at a row that is known, as those behind it are.
 */
function readRows(
  connection: Sqlite.Database,
  sql: string,
  place: string | null,
  key: readonly string[],
  rows: Map<string, Row>,
): boolean {
  try {
    const values = place === null ? [] : [place];
    for (const row of connection.prepare<string[], Row>(sql).iterate(...values)) {
      const id = JSON.stringify(key.map((column) => row[column]));
      if (!rows.has(id)) rows.set(id, row);
      else if (place !== null) return true;
    }
    return true;
  } catch {
    // Damage ends this pass. The next one reads from elsewhere.
    return false;
  }
}

/** As far as they are there: earlier versions had fewer. */
function columnsOf(connection: Sqlite.Database, table: Table): string[] {
  const sound = new Sqlite(':memory:');
  makeAppSchema(sound);
  const [wanted, there] = [sound, connection].map((one) =>
    (one.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name),
  );
  sound.close();
  return wanted?.filter((column) => there?.includes(column)) ?? [];
}

/** Keys to begin at: known ones, and beginnings of random ids. */
function placesIn(table: Table, found: Found): Iterable<string> {
  if (table === 'settings') return Object.keys(settings.shape);
  if (table === 'repositories') return [...found.issues.values()].filter((root) => root !== null);
  const beginnings = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
  return [...beginnings, ...found.issues.keys()];
}

/** Remembers which issues there were, from all that tells of them. */
function noteIssues(connection: Sqlite.Database, table: Table, found: Found): void {
  const note = (id: unknown, root: unknown) => {
    if (typeof id === 'string' && !found.issues.get(id))
      found.issues.set(id, typeof root === 'string' ? root : null);
  };
  const rows = found.rows[table].values();
  if (table === 'repositories') for (const row of rows) note(row.last_issue, row.root);
  if (table === 'marks') for (const row of rows) note(row.issue_id, null);
  if (table !== 'issues') return;
  for (const row of rows) note(row.id, row.root);
  const index = new Map<string, Row>();
  const select = 'SELECT id, root, updated_at FROM issues INDEXED BY issues_by_root ORDER BY root';
  for (const direction of ['ASC', 'DESC'])
    readRows(connection, `${select} ${direction}, updated_at ${direction}`, null, ['id'], index);
  for (const row of index.values()) note(row.id, row.root);
}

function write(found: Found, target: string): Salvaged {
  ensurePrivateFile(target);
  const connection = new Sqlite(target);
  using _end = defer(() => connection.close());
  const counts = () => ({ settings: 0, repositories: 0, issues: 0, marks: 0 });
  const result: Salvaged = { saved: counts(), lost: counts(), torn: [...found.torn] };
  connection.pragma('foreign_keys = ON');
  connection.transaction(() => {
    makeAppSchema(connection);
    for (const table of NAMES) {
      for (const row of found.rows[table].values()) {
        if (put(connection, table, row, found)) result.saved[table]++;
        else result.lost[table]++;
      }
    }
    for (const id of found.issues.keys()) {
      const there = connection.prepare('SELECT text FROM issues WHERE id = ?').pluck().get(id);
      if (there === undefined || there === LOST_TEXT) result.lost.issues++;
    }
  })();
  return result;
}

const LOST_TEXT = 'The text of this issue is lost.';

/** Whether the row, or what matters of it, was stored. */
function put(connection: Sqlite.Database, table: Table, row: Row, found: Found): boolean {
  const sound = table === 'marks' ? soundMark(row) : row;
  if (!sound) return false;
  try {
    if (table === 'marks') keepIssueOf(connection, String(sound.issue_id), found);
    const columns = Object.keys(sound);
    connection
      .prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(sound));
    return true;
  } catch {
    // A row that breaks a constraint is not taken over.
    return false;
  }
}

function soundMark(row: Row): Row | null {
  // As it was called before version 3 of the schema.
  if (row.mark === 'relevant') return { ...row, mark: 'read' };
  const known = row.mark === null || MARKS.some((mark) => mark === row.mark);
  if (known) return row;
  return row.note ? { ...row, mark: null } : null;
}

/** Marks and notes outlive the text of their issue; when nothing tells its repository, they stay under none. */
function keepIssueOf(connection: Sqlite.Database, id: string, found: Found): void {
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

function firstPage(path: string): Buffer {
  const connection = new Sqlite(path);
  connection.pragma(`page_size = ${PAGE}`);
  connection.transaction(() => makeAppSchema(connection))();
  connection.close();
  return readFileSync(path).subarray(0, PAGE);
}

function replaceFirstPage(path: string, page: Buffer): void {
  const file = openSync(path, 'r+');
  using _end = defer(() => closeSync(file));
  const header = Buffer.from(page);
  const { size } = fstatSync(file);
  header.writeUInt32BE(Math.max(1, Math.ceil(size / PAGE)), 28);
  // A log is read only by what says that it has one.
  header[18] = header[19] = 2;
  writeSync(file, header, 0, PAGE, 0);
}
