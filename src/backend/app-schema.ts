import Sqlite from 'better-sqlite3';

/** Migrations: step n changes the schema from version n to n + 1. Released steps must not be edited. Times are ISO 8601. */
export const APP_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;   -- value: JSON

  CREATE TABLE repositories (
    root TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'empty',
    last_issue TEXT
  ) WITHOUT ROWID;

  CREATE TABLE issues (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,                -- of the repository it is about
    name TEXT,                         -- given by the user; else its title is its first line
    text TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT
  ) WITHOUT ROWID;
  CREATE INDEX issues_by_root ON issues (root, updated_at);

  -- A chunk is known by its address and its content, so that it is found again after it moved.
  CREATE TABLE marks (
    issue_id TEXT NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    mark TEXT,                         -- edit, relevant, irrelevant; NULL when there is only a note
    note TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (issue_id, path, qualified_name, ordinal)
  ) WITHOUT ROWID;
  `,
  // Whether it was in a git repository when it was opened last.
  'ALTER TABLE repositories ADD COLUMN git INTEGER NOT NULL DEFAULT 0',
  // Marks are edit, read and irrelevant since.
  "UPDATE marks SET mark = 'read' WHERE mark = 'relevant'",
  // Where it was fetched from, as JSON; NULL for an issue that was written or pasted.
  'ALTER TABLE issues ADD COLUMN source TEXT',
];

/** Runs the migrations from a version on. Call it inside a transaction. */
export function migrateAppSchema(connection: Sqlite.Database, version = 0): void {
  for (const step of APP_MIGRATIONS.slice(version)) connection.exec(step);
  connection.pragma(`user_version = ${APP_MIGRATIONS.length}`);
}

export interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

export function listSchemaObjects(connection: Sqlite.Database): SchemaObject[] {
  return connection
    .prepare<[], SchemaObject>(
      'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
    )
    .all();
}

let expectedObjects: SchemaObject[] | undefined;
export function getExpectedObjects(): SchemaObject[] {
  if (expectedObjects) return expectedObjects;
  const connection = new Sqlite(':memory:');
  migrateAppSchema(connection);
  expectedObjects = listSchemaObjects(connection);
  connection.close();
  return expectedObjects;
}
