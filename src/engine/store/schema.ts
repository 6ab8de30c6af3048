/** Tables of an index. Any change raises the version, and older indexes are rebuilt. */

/** Versions below 16 were never released. */
export const SCHEMA_VERSION = 19;

/** SQL expression for a snapshot's row as one value. */
export const SEAL =
  'json_array(id, revision, graph_dirty, complete, indexed_at, history, attributes)';

/**
 * SQL that creates the tables.
 *
 * A *file version* is one content of one path; chunks belong to file versions. A *snapshot* (the working tree, or one commit) is a
 * set of file versions with their edges and embeddings. Snapshots share parsed files and, through embedding keys, embeddings.
 *
 * SQLite has no checksums. Rows therefore have their own, so that a corrupted bit in the file cannot change a result.
 */
export const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

  CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    revision TEXT NOT NULL UNIQUE,              -- commit id; '' is the working tree
    graph_dirty INTEGER NOT NULL DEFAULT 1,     -- files changed since edges were resolved
    complete INTEGER NOT NULL DEFAULT 0,        -- an indexing run has finished
    indexed_at TEXT,
    history TEXT,                               -- commit and reader whose commits are linked; null: none yet
    attributes TEXT,                            -- JSON, roles from its .gitattributes; null: none
    files_sum INTEGER NOT NULL DEFAULT 0,       -- of all its rows, so that a missing one is noticed
    edges_sum INTEGER NOT NULL DEFAULT 0,
    links_sum INTEGER NOT NULL DEFAULT 0,
    history_sum INTEGER NOT NULL DEFAULT 0,
    seal TEXT                                   -- the row once more
  );

  -- Its id is also the id of its last chunk, and the chunks before it have the ids before. AUTOINCREMENT: ids are never reused,
  -- since edges and embeddings refer to chunks by them, and copies of a snapshot are recognized by those of versions.
  CREATE TABLE file_versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,                         -- git blob id of the content
    parser TEXT NOT NULL,                       -- what made the chunks: language and chunker version
    lines INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    generated INTEGER NOT NULL,                 -- its text says that a tool wrote it
    count INTEGER NOT NULL,                     -- of its chunks
    sum INTEGER NOT NULL,                       -- of all above and the packed chunks
    texts_sum INTEGER NOT NULL,
    facts_sum INTEGER NOT NULL,
    refs_sum INTEGER NOT NULL,
    terms_sum INTEGER NOT NULL,
    UNIQUE (path, hash, parser)
  );

  CREATE TABLE version_data (
    version_id INTEGER PRIMARY KEY REFERENCES file_versions ON DELETE CASCADE,
    chunks BLOB NOT NULL,                       -- without their texts: packChunks
    terms BLOB NOT NULL,                        -- entries of all chunks, packed: packLists
    facts BLOB NOT NULL,                        -- for the call graph, with references to bases and decorators: packText
    refs BLOB NOT NULL,                         -- all references: packText
    texts BLOB NOT NULL                         -- the decoded file, then the texts of its chunks: packTexts
  );

  CREATE TABLE snapshot_files (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    path TEXT NOT NULL,
    version_id INTEGER NOT NULL REFERENCES file_versions,
    sum INTEGER NOT NULL,
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

  CREATE TABLE unread_files (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    kind TEXT NOT NULL,                         -- what people call their language
    files INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, kind)
  ) WITHOUT ROWID;

  CREATE TABLE terms (
    first INTEGER PRIMARY KEY,                  -- number of the first of them
    terms TEXT NOT NULL                         -- terms that were added together, one a line
  );

  CREATE TABLE edges (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    block INTEGER NOT NULL,                     -- of callers
    edges BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, block)
  );

  CREATE TABLE graph_notes (
    snapshot_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    note TEXT NOT NULL,                         -- why edges out of this file may be missing, for people
    PRIMARY KEY (snapshot_id, path),
    FOREIGN KEY (snapshot_id, path) REFERENCES snapshot_files ON DELETE CASCADE
  ) WITHOUT ROWID;

  -- The vectors are rows of files beside the database.
  CREATE TABLE chunk_embeddings (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    model TEXT NOT NULL,                        -- id and version
    block INTEGER NOT NULL,                     -- of chunks
    keys BLOB NOT NULL,                         -- hashes of model id, version and exact inputs; each names a row of a file
    sum INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, model, block)
  );

  CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    reader TEXT NOT NULL,                       -- what read it: languages and version of the reader
    time INTEGER NOT NULL,                      -- of its author, seconds since 1970
    message TEXT NOT NULL,
    edits NOT NULL,                             -- JSON [[path, path before or null, [qualified name, ...]], ...]; long: packText
    sum INTEGER NOT NULL,
    UNIQUE (hash, reader)
  );

  CREATE TABLE snapshot_commits (
    snapshot_id INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    position INTEGER NOT NULL,                  -- 0 is the newest
    commit_id INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, position)
  ) WITHOUT ROWID;

  ${createSumTriggers('file', 'snapshot_files')}
  ${createSumTriggers('edge', 'edges')}
  ${createSumTriggers('link', 'chunk_embeddings')}
  ${createSealTrigger('snapshot_made AFTER INSERT')}
  ${createSealTrigger('snapshot_changed AFTER UPDATE OF revision, graph_dirty, complete, indexed_at, history, attributes')}
`;

/** Returns the triggers that keep a snapshot's `<what>s_sum` equal to the sum over its rows of a table. */
function createSumTriggers(what: string, table: string): string {
  const sum = `${what}s_sum`;
  return `CREATE TRIGGER ${what}_put AFTER INSERT ON ${table} BEGIN
    UPDATE snapshots SET ${sum} = (${sum} + new.sum) & 0xffffffff WHERE id = new.snapshot_id;
  END;
  CREATE TRIGGER ${what}_removed AFTER DELETE ON ${table} BEGIN
    UPDATE snapshots SET ${sum} = (${sum} - old.sum) & 0xffffffff WHERE id = old.snapshot_id;
  END;`;
}

/** Returns a trigger that writes a snapshot's seal. */
function createSealTrigger(event: string): string {
  return `CREATE TRIGGER ${event} ON snapshots BEGIN
    UPDATE snapshots SET seal = ${SEAL}
      WHERE id = new.id;
  END;`;
}
