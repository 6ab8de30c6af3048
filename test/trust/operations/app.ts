/** Operations on `app.db`: storing marks, migrating an older schema, rebuilding a damaged file. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openAppDatabase } from '../../../src/backend/app-database.ts';
import { APP_MIGRATIONS, migrateAppSchema } from '../../../src/backend/app-schema.ts';
import { IssueStore } from '../../../src/backend/issues.ts';
import { MarkStore } from '../../../src/backend/marks.ts';
import type { AnchorMatches } from '../../../src/shared/lists.ts';
import type { QueryRequest } from '../../../src/shared/queries.ts';
import type { QueryTarget } from '../../../src/shared/repository.ts';
import type { Digest, Operation } from '../../support/operation.ts';
import { removeFolder } from '../../support/repository.ts';

const ISSUE = '3a6f1a52-76a5-4e2c-9f0e-2f7a1b0c9d11';
const ROOT = '/src/shop';
const NOTE = 'the total forgets the tax, '.repeat(20);
const databaseIn = (folder: string) => join(folder, 'app.db');

/** Reads all rows of all tables, without times. */
function readRows(path: string): Digest {
  const database = new Sqlite(path, { readonly: true });
  try {
    assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
    const rows = (sql: string) =>
      (database.prepare(sql).raw().all() as unknown[][]).map((row) => row.join(' | '));
    return {
      schema: [String(database.pragma('user_version', { simple: true }))],
      settings: rows('SELECT key, value FROM settings ORDER BY 1'),
      repositories: rows('SELECT root, name, state, last_issue, git FROM repositories ORDER BY 1'),
      issues: rows('SELECT id, root, name, text, pinned, source FROM issues ORDER BY 1'),
      marks: rows(
        'SELECT issue_id, path, qualified_name, kind, mark, note FROM marks ORDER BY 1, 2, 3',
      ),
    };
  } finally {
    database.close();
  }
}

/** Reads the rows of a copy, since reading the log of a killed process changes it. */
function rowsNow(folder: string): Digest {
  const copy = mkdtempSync(join(tmpdir(), 'locus-test-'));
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(databaseIn(folder) + suffix))
        copyFileSync(databaseIn(folder) + suffix, join(copy, `app.db${suffix}`));
    return readRows(join(copy, 'app.db'));
  } finally {
    removeFolder(copy);
  }
}

/** Writes a database with issues and marks in an earlier schema. Later changes are in its write-ahead log. */
function fill(path: string, version: number): void {
  const work = join(mkdtempSync(join(tmpdir(), 'locus-test-')), 'work');
  const database = new Sqlite(work);
  database.pragma('journal_mode = WAL');
  if (version === APP_MIGRATIONS.length) migrateAppSchema(database);
  else for (const step of APP_MIGRATIONS.slice(0, version)) database.exec(step);
  database.pragma(`user_version = ${version}`);
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values);
  for (let n = 0; n < 20; n++) {
    const id = `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    run(
      `INSERT INTO issues (id, root, text, created_at, updated_at) VALUES (?, ?, ?, '2026', '2026')`,
      ...[id, ROOT, `Issue ${n}\n${'The cookie is lost. '.repeat(30)}`],
    );
    for (let m = 0; m < 4; m++)
      run(
        `INSERT INTO marks VALUES (?, ?, ?, 0, 'function', '', 'edit', ?, '2026')`,
        ...[id, `pkg/module_${m}.py`, `f${m}`, `a note on ${n} and ${m}`],
      );
  }
  run(
    `INSERT INTO repositories (root, name, opened_at, chunks) VALUES (?, 'shop', '2026', 1)`,
    ROOT,
  );
  run(`INSERT INTO settings VALUES ('theme', '"dark"')`);
  database.pragma('wal_checkpoint(TRUNCATE)');
  // The same length as before, so that the log does not contain the first page.
  run(`UPDATE marks SET note = replace(note, 'a note', 'A NOTE') WHERE issue_id LIKE '00000000-%'`);
  for (const suffix of ['', '-wal']) copyFileSync(work + suffix, path + suffix);
  database.close();
  removeFolder(join(work, '..'));
}

/** Repository in which every address is a function. */
const EVERYTHING = {
  resolveAnchors: async ({ anchors }: QueryRequest<'resolveAnchors'>) =>
    anchors.map(({ path, qualifiedName, ordinal }): AnchorMatches => {
      const chunk = {
        address: `${path}::${qualifiedName}`,
        ...{ path, qualifiedName, ordinal, name: qualifiedName, kind: 'function', contentHash: '' },
      };
      return { sameAddress: chunk, sameContent: [], sameName: [] } as unknown as AnchorMatches;
    }),
} as unknown as QueryTarget;

/**
 * Returns an operation that opens, and thereby rebuilds, a database with overwritten bytes.
 * @param isOpenElsewhere keeps the log until the file is quarantined; otherwise SQLite removes it on closing
 */
function damaged({
  from,
  to,
  isOpenElsewhere = false,
}: {
  from: number;
  to: number;
  isOpenElsewhere?: boolean;
}): Operation {
  return {
    prepare(folder) {
      const path = databaseIn(folder);
      fill(path, APP_MIGRATIONS.length);
      const bytes = readFileSync(path);
      bytes.fill(0x5a, Math.floor(from * bytes.length), Math.floor(to * bytes.length));
      writeFileSync(path, bytes);
    },
    run(folder) {
      const other =
        isOpenElsewhere && existsSync(databaseIn(folder)) ? new Sqlite(databaseIn(folder)) : null;
      other?.prepare('SELECT count(*) FROM sqlite_schema').get();
      opening(folder);
      other?.close();
    },
    digest: (folder) => readRows(databaseIn(folder)),
  };
}

/** Opens the database, which migrates or rebuilds it. */
function opening(folder: string): void {
  openAppDatabase(folder)[Symbol.dispose]();
}

export default {
  'marks that are acknowledged': {
    prepare: (folder) => fill(databaseIn(folder), APP_MIGRATIONS.length),
    async run(folder, acknowledge) {
      const database = openAppDatabase(folder);
      new IssueStore(database).save(ROOT, ISSUE, 'The total is wrong');
      const marks = new MarkStore(database);
      for (let n = 0; n < 6; n++) {
        await marks.set(ISSUE, EVERYTHING, [
          { chunk: `pkg/module_${n}.py::f${n}`, mark: 'edit', note: `${n} ${NOTE}` },
        ]);
        acknowledge(`pkg/module_${n}.py | f${n} | function | edit | ${n} ${NOTE}`);
      }
      database[Symbol.dispose]();
    },
    digest: (folder) => readRows(databaseIn(folder)),
    checkKilled(folder, acknowledged) {
      const { marks = [] } = rowsNow(folder);
      for (const mark of acknowledged) assert.ok(marks.includes(`${ISSUE} | ${mark}`), mark);
    },
  },
  'an earlier app.db': {
    prepare: (folder) => fill(databaseIn(folder), 2),
    run: opening,
    digest: (folder) => readRows(databaseIn(folder)),
  },
  'a damaged app.db': damaged({ from: 0.8, to: 1 }),
  'an app.db with a damaged header': damaged({ from: 0, to: 0.1 }),
  'a damaged app.db that another process has open': damaged({
    from: 0.8,
    to: 1,
    isOpenElsewhere: true,
  }),
} satisfies Record<string, Operation>;
