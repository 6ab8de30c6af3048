import type { Database } from 'better-sqlite3';
import { compact } from './compact.ts';
import { fillChecksums } from './fill-checksums.ts';
import { moveEmbeddings } from './move-embeddings.ts';
import { narrowEmbeddings } from './narrow-embeddings.ts';

/** SQL, or what SQL cannot do. */
export type Step = string | ((database: Database) => void);

const CHECKSUMS = `
  CREATE TABLE version_sums (
    version_id INTEGER PRIMARY KEY REFERENCES file_versions ON DELETE CASCADE,
    rows INTEGER NOT NULL,                      -- of the version and its chunks but for their texts, which have hashes
    bags INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    content INTEGER NOT NULL                    -- of the blob
  );
  ALTER TABLE snapshot_files ADD COLUMN sum INTEGER;
  ALTER TABLE edges ADD COLUMN sum INTEGER;
  ALTER TABLE commits ADD COLUMN sum INTEGER;
  ALTER TABLE embeddings ADD COLUMN sum INTEGER;        -- of the vector
  ALTER TABLE chunk_embeddings ADD COLUMN sum INTEGER;  -- of who has which vector
  -- Of all rows of a snapshot, so that none can be missing.
  ALTER TABLE snapshots ADD COLUMN files_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN edges_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN history_sum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE snapshots ADD COLUMN seal TEXT;           -- the row once more
`;

/** A snapshot's sums follow its rows, and its seal what it says, whoever changes them. */
const KEEP_SUMS = `
  ${keepsSum('file', 'snapshot_files')}
  ${keepsSum('edge', 'edges')}
  CREATE TRIGGER snapshot_made AFTER INSERT ON snapshots BEGIN
    UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history) WHERE id = new.id;
  END;
  CREATE TRIGGER snapshot_changed AFTER UPDATE OF revision, graph_dirty, complete, indexed_at, history ON snapshots BEGIN
    UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history) WHERE id = new.id;
  END;
  UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history);
`;

/**
 * The schema, as a list of steps: step n brings a database from version n to n + 1. A step that has
 * been released is never edited; a change of schema is a new step at the end.
 *
 * A *file version* is one content of one path; chunks belong to file versions. A *snapshot* (the working
 * tree, or one commit) is a set of file versions with the edges and embeddings that hold among them, so
 * that snapshots share parsing and, through the embedding key, encoding.
 */
export const MIGRATIONS: readonly Step[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

  CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    revision TEXT NOT NULL UNIQUE,              -- commit id; '' is the working tree
    graph_dirty INTEGER NOT NULL DEFAULT 1,     -- files changed since edges were resolved
    complete INTEGER NOT NULL DEFAULT 0,        -- an indexing run has finished
    indexed_at TEXT
  );

  CREATE TABLE file_versions (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,                         -- git blob id of the content
    parser TEXT NOT NULL,                       -- what made the chunks: language and chunker version
    lines INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    content BLOB NOT NULL,                      -- the decoded text, zstd
    facts TEXT NOT NULL,                        -- JSON, for the call graph
    bags BLOB NOT NULL,                         -- lexical entries of all chunks, Uint32
    bag_offsets BLOB NOT NULL,                  -- Uint32 [chunks + 1]
    UNIQUE (path, hash, parser)
  );

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,       -- never reused: edges and embeddings refer to it
    version_id INTEGER NOT NULL REFERENCES file_versions ON DELETE CASCADE,
    position INTEGER NOT NULL,                  -- in the file; the module chunk is 0
    parent INTEGER NOT NULL,                    -- position of the enclosing class, or -1
    qualified_name TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    signature_end INTEGER NOT NULL,
    doc_start INTEGER,
    doc_end INTEGER,
    hash TEXT NOT NULL,                         -- sha1 of text
    length INTEGER NOT NULL,                    -- of text, UTF-16 units
    text TEXT NOT NULL
  );
  CREATE UNIQUE INDEX chunks_of_version ON chunks (version_id, position);

  CREATE TABLE snapshot_files (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    path TEXT NOT NULL,
    version_id INTEGER NOT NULL REFERENCES file_versions,
    PRIMARY KEY (snapshot_id, path)
  ) WITHOUT ROWID;
  CREATE INDEX snapshots_of_version ON snapshot_files (version_id);

  CREATE TABLE skipped_files (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (snapshot_id, path)
  ) WITHOUT ROWID;

  CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);

  CREATE TABLE edges (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    caller INTEGER NOT NULL,
    callee INTEGER NOT NULL,
    kind TEXT NOT NULL,
    guess INTEGER NOT NULL,
    sites TEXT NOT NULL,                        -- JSON [[line, column], ...]
    PRIMARY KEY (snapshot_id, caller, callee, kind)
  ) WITHOUT ROWID;

  CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,                   -- hash of model id, version and exact inputs
    vector BLOB NOT NULL                        -- float32, unit length
  );

  CREATE TABLE chunk_embeddings (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    model TEXT NOT NULL,                        -- id and version
    chunk_id INTEGER NOT NULL,
    embedding_id INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, model, chunk_id)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    reader TEXT NOT NULL,                       -- what read it: languages and version of the reader
    time INTEGER NOT NULL,                      -- of its author, seconds since 1970
    message TEXT NOT NULL,
    edits TEXT NOT NULL,                        -- JSON [[path, path before or null, [qualified name, ...]], ...]
    UNIQUE (hash, reader)
  );

  CREATE TABLE snapshot_commits (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    position INTEGER NOT NULL,                  -- 0 is the newest
    commit_id INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, position)
  ) WITHOUT ROWID;

  ALTER TABLE snapshots ADD COLUMN history TEXT;  -- commit and reader whose commits are linked; null: none yet
  `,
  `
  ALTER TABLE edges ADD COLUMN position INTEGER NOT NULL DEFAULT 0; -- among its caller's edges, as resolved
  -- Edges were lost by updates that did not know what other files had read: every graph is resolved anew.
  UPDATE snapshots SET graph_dirty = 1;
  `,
  `
  CREATE TABLE graph_notes (
    snapshot_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    note TEXT NOT NULL,                         -- why edges out of this file may be missing, for people
    PRIMARY KEY (snapshot_id, path),
    FOREIGN KEY (snapshot_id, path) REFERENCES snapshot_files ON DELETE CASCADE
  ) WITHOUT ROWID;
  `,
  // Checksums, which SQLite has none of: a bit that changed in a file must not change a result.
  (database) => {
    database.exec(CHECKSUMS);
    fillChecksums(database);
    database.exec(KEEP_SUMS);
  },
  `
  CREATE TABLE unread_files (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    kind TEXT NOT NULL,                         -- what people call their language
    files INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, kind)
  ) WITHOUT ROWID;
  `,
  `
  ALTER TABLE file_versions ADD COLUMN generated INTEGER NOT NULL DEFAULT 0; -- by its text
  ALTER TABLE snapshots ADD COLUMN attributes TEXT; -- JSON, what its .gitattributes say of roles; null: nothing
  DROP TRIGGER snapshot_made;
  DROP TRIGGER snapshot_changed;
  CREATE TRIGGER snapshot_made AFTER INSERT ON snapshots BEGIN
    UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history, attributes)
      WHERE id = new.id;
  END;
  CREATE TRIGGER snapshot_changed
    AFTER UPDATE OF revision, graph_dirty, complete, indexed_at, history, attributes ON snapshots BEGIN
    UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history, attributes)
      WHERE id = new.id;
  END;
  UPDATE snapshots SET seal = json_array(id, revision, graph_dirty, complete, indexed_at, history, attributes);
  `,
  // Embeddings are rows of files of their own: they are read at once, and need no place in pages, logs and indexes.
  moveEmbeddings,
  compact,
  narrowEmbeddings,
  // Which chunk has which embedding, as one number: adding all up takes 15 ms of 100,000, at every opening.
  `
  ALTER TABLE snapshots ADD COLUMN links_sum INTEGER NOT NULL DEFAULT 0;
  ${keepsSum('link', 'chunk_embeddings')}
  UPDATE snapshots SET links_sum =
    (SELECT coalesce(sum(sum), 0) & 0xffffffff FROM chunk_embeddings WHERE snapshot_id = snapshots.id);
  `,
];

/** Triggers by which a snapshot's sum follows the rows of a table; `<what>s_sum` is the column. */
function keepsSum(what: string, table: string): string {
  const sum = `${what}s_sum`;
  return `CREATE TRIGGER ${what}_put AFTER INSERT ON ${table} BEGIN
    UPDATE snapshots SET ${sum} = (${sum} + new.sum) & 0xffffffff WHERE id = new.snapshot_id;
  END;
  CREATE TRIGGER ${what}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE snapshots SET ${sum} = (${sum} - old.sum) & 0xffffffff WHERE id = old.snapshot_id;
  END;`;
}
