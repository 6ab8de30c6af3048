import type { Database } from 'better-sqlite3';
import { present } from '../../shared/present.ts';
import { addChecksums, checksum } from './checksum.ts';
import {
  commitSum,
  edgeSum,
  fileSum,
  historySum,
  type SummedChunk,
  type SummedVersion,
  termCountsSum,
  termSum,
  vectorLinkSum,
  vectorSum,
  versionSum,
  withChunk,
} from './sums.ts';

/** Gives rows of before there were checksums theirs, as part of the step that brings them; they are taken as they are. */
export function fillChecksums(database: Database): void {
  fillVersions(database);
  fillEmbeddings(database);
  fillHistory(database);
  fillSnapshots(database);
  const terms = database.prepare('SELECT id, term FROM terms').raw().all() as [number, string][];
  const sum = terms.reduce((total, [id, term]) => addChecksums(total, termSum(id, term)), 0);
  database.prepare("INSERT INTO meta (key, value) VALUES ('terms', ?)").run(sum);
}

interface VersionRow extends SummedVersion {
  id: number;
  content: Buffer;
  facts: string;
  entries: Buffer;
  offsets: Buffer;
}

function fillVersions(database: Database): void {
  const chunks = database.prepare<[number], SummedChunk>(
    `SELECT id, position, parent, qualified_name AS qualifiedName, ordinal, name, kind, start_line AS startLine,
       end_line AS endLine, signature_end AS signatureEnd, doc_start AS docStart, doc_end AS docEnd, hash, length
     FROM chunks WHERE version_id = ?`,
  );
  const put = database.prepare('INSERT INTO version_sums VALUES (?, ?, ?, ?, ?)');
  const version = database.prepare<[number], VersionRow>(
    `SELECT id, path, hash, parser, lines, errors, 0 AS generated, content, facts, bags AS entries, bag_offsets AS offsets
     FROM file_versions WHERE id = ?`,
  );
  for (const id of idsOf(database, 'file_versions')) {
    const row = present(version.get(id), `file version ${id}`);
    const rows = chunks.all(id).reduce(withChunk, versionSum(id, row));
    const counts = termCountsSum(row.entries, row.offsets);
    put.run(id, rows, counts, checksum([row.facts]), checksum([row.content]));
  }
}

function fillEmbeddings(database: Database): void {
  const vector = database
    .prepare<[number], Buffer>('SELECT vector FROM embeddings WHERE id = ?')
    .pluck();
  const put = database.prepare('UPDATE embeddings SET sum = ? WHERE id = ?');
  const sums = new Map<number, number>();
  for (const id of idsOf(database, 'embeddings')) {
    const sum = vectorSum(present(vector.get(id), `embedding ${id}`));
    sums.set(id, sum);
    put.run(sum, id);
  }
  const links = database
    .prepare('SELECT snapshot_id, model, chunk_id, embedding_id FROM chunk_embeddings')
    .raw()
    .all() as [number, string, number, number][];
  const link = database.prepare(
    'UPDATE chunk_embeddings SET sum = ? WHERE snapshot_id = ? AND model = ? AND chunk_id = ?',
  );
  for (const [snapshot, model, chunk, embedding] of links)
    link.run(vectorLinkSum(chunk, embedding, sums.get(embedding) ?? 0), snapshot, model, chunk);
}

function fillHistory(database: Database): void {
  const commits = database
    .prepare('SELECT id, hash, reader, time, message, edits FROM commits')
    .raw()
    .all() as [number, string, string, number, string, string][];
  const put = database.prepare('UPDATE commits SET sum = ? WHERE id = ?');
  const sums = new Map<number, number>();
  for (const [id, ...row] of commits) {
    sums.set(id, commitSum(...row));
    put.run(sums.get(id), id);
  }
  const linked = database
    .prepare<[number], number>(
      'SELECT commit_id FROM snapshot_commits WHERE snapshot_id = ? ORDER BY position',
    )
    .pluck();
  const link = database.prepare('UPDATE snapshots SET history_sum = ? WHERE id = ?');
  for (const id of idsOf(database, 'snapshots'))
    link.run(
      linked.all(id).reduce((sum, commit) => historySum(sum, sums.get(commit) ?? 0), 0),
      id,
    );
}

function fillSnapshots(database: Database): void {
  const files = database.prepare('SELECT snapshot_id, path, version_id FROM snapshot_files').raw();
  const file = database.prepare(
    'UPDATE snapshot_files SET sum = ? WHERE snapshot_id = ? AND path = ?',
  );
  for (const [snapshot, path, version] of files.all() as [number, string, number][])
    file.run(fileSum(snapshot, path, version), snapshot, path);
  const edges = database
    .prepare('SELECT snapshot_id, caller, position, callee, kind, guess, sites FROM edges')
    .raw()
    .all() as [number, number, number, number, string, number, string][];
  const edge = database.prepare(
    'UPDATE edges SET sum = ? WHERE snapshot_id = ? AND caller = ? AND callee = ? AND kind = ?',
  );
  for (const row of edges) edge.run(edgeSum(...row), row[0], row[1], row[3], row[4]);
  database.exec(
    `UPDATE snapshots SET
       files_sum = (SELECT coalesce(sum(sum), 0) & 0xffffffff FROM snapshot_files WHERE snapshot_id = snapshots.id),
       edges_sum = (SELECT coalesce(sum(sum), 0) & 0xffffffff FROM edges WHERE snapshot_id = snapshots.id)`,
  );
}

function idsOf(database: Database, table: string): number[] {
  return database.prepare<[], number>(`SELECT id FROM ${table}`).pluck().all();
}
