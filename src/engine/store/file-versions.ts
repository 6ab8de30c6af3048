import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ChunkKind } from '../../shared/types.ts';
import type { FileBags, ParsedChunk } from '../parse/types.ts';
import type { Database } from './database.ts';
import type { TermDictionary } from './terms.ts';

/** A file as the parser hands it over, with what identifies this version of it. */
export interface NewFileVersion {
  path: string;
  hash: string;
  parser: string;
  content: string;
  chunks: readonly ParsedChunk[];
  factsJson: string;
  bags: FileBags;
  lines: number;
  errors: number;
}

/** A chunk's row, without its text. */
export interface ChunkRow {
  id: number;
  versionId: number;
  position: number;
  parent: number;
  qualifiedName: string;
  ordinal: number;
  name: string;
  kind: ChunkKind;
  startLine: number;
  endLine: number;
  length: number;
}

/** What the encoder and `show` need of a chunk beyond its row. */
export interface ChunkText {
  text: string;
  signatureEnd: number;
  doc: [number, number] | null;
  hash: string;
}

/** A file version's lexical entries, with global term ids; see `FileBags` for their packing. */
export interface StoredBags {
  offsets: Uint32Array;
  entries: Uint32Array;
}

const CHUNK_COLUMNS = `id, version_id AS versionId, position, parent, qualified_name AS qualifiedName, ordinal, name, kind,
  start_line AS startLine, end_line AS endLine, length`;

/** File versions and their chunks. */
export class FileVersions {
  readonly #database: Database;
  readonly #terms: TermDictionary;
  readonly #find;
  readonly #insertVersion;
  readonly #insertChunk;
  readonly #chunks;
  readonly #text;
  readonly #contentHash;
  readonly #head;

  constructor(database: Database, terms: TermDictionary) {
    this.#database = database;
    this.#terms = terms;
    this.#find = database
      .prepare<[string, string, string], number>(
        'SELECT id FROM file_versions WHERE path = ? AND hash = ? AND parser = ?',
      )
      .pluck();
    this.#insertVersion = database.prepare(
      `INSERT INTO file_versions (path, hash, parser, lines, errors, content, facts, bags, bag_offsets)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertChunk = database.prepare(
      `INSERT INTO chunks (version_id, position, parent, qualified_name, ordinal, name, kind, start_line, end_line,
         signature_end, doc_start, doc_end, hash, length, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#chunks = database.prepare<[number], ChunkRow>(
      `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE version_id = ? ORDER BY position`,
    );
    this.#text = database.prepare<[number], TextRow>(
      `SELECT text, signature_end AS signatureEnd, doc_start AS docStart, doc_end AS docEnd, hash
       FROM chunks WHERE id = ?`,
    );
    this.#contentHash = database
      .prepare<[number], string>('SELECT hash FROM chunks WHERE id = ?')
      .pluck();
    this.#head = database
      .prepare<[number, number], string>('SELECT substr(text, 1, ?) FROM chunks WHERE id = ?')
      .pluck();
  }

  /** The id of a version that is already stored. */
  find(path: string, hash: string, parser: string): number | undefined {
    return this.#find.get(path, hash, parser);
  }

  /** Stores a version with its chunks; call inside a transaction. Returns its id. */
  add(file: NewFileVersion): number {
    const entries = this.#withGlobalTerms(file.bags);
    const { lastInsertRowid } = this.#insertVersion.run(
      file.path,
      file.hash,
      file.parser,
      file.lines,
      file.errors,
      zstdCompressSync(file.content),
      file.factsJson,
      bytesOf(entries.entries),
      bytesOf(entries.offsets),
    );
    const versionId = Number(lastInsertRowid);
    file.chunks.forEach((chunk, position) => {
      this.#insertChunk.run(
        versionId,
        position,
        chunk.parent,
        chunk.qualifiedName,
        chunk.ordinal,
        chunk.name,
        chunk.kind,
        chunk.startLine,
        chunk.endLine,
        chunk.signatureEnd,
        chunk.doc?.[0] ?? null,
        chunk.doc?.[1] ?? null,
        contentHash(chunk.text),
        chunk.text.length,
        chunk.text,
      );
    });
    return versionId;
  }

  /** A version's chunks in order of position. */
  chunks(versionId: number): ChunkRow[] {
    return this.#chunks.all(versionId);
  }

  /** All chunks of a snapshot, file by file. */
  chunksOfSnapshot(snapshotId: number): IterableIterator<ChunkRow> {
    return this.#database
      .prepare<[number], ChunkRow>(
        `SELECT ${CHUNK_COLUMNS} FROM chunks
         WHERE version_id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?) ORDER BY version_id, position`,
      )
      .iterate(snapshotId);
  }

  /** @throws Error when the chunk is gone, which a caller that holds a live id never sees. */
  text(chunkId: number): ChunkText {
    const row = this.#text.get(chunkId);
    if (!row) throw new Error(`chunk ${chunkId} is not in the store`);
    const { docStart, docEnd, ...rest } = row;
    return { ...rest, doc: docStart === null || docEnd === null ? null : [docStart, docEnd] };
  }

  /** @throws Error when the chunk is gone. */
  contentHash(chunkId: number): string {
    const hash = this.#contentHash.get(chunkId);
    if (hash === undefined) throw new Error(`chunk ${chunkId} is not in the store`);
    return hash;
  }

  /** The first characters of a chunk's text. */
  head(chunkId: number, characters: number): string {
    return this.#head.get(characters, chunkId) ?? '';
  }

  bags(versionId: number): StoredBags {
    const row = this.#database
      .prepare<[number], { bags: Buffer; offsets: Buffer }>(
        'SELECT bags, bag_offsets AS offsets FROM file_versions WHERE id = ?',
      )
      .get(versionId);
    if (!row) throw new Error(`file version ${versionId} is not in the store`);
    return { entries: wordsOf(row.bags), offsets: wordsOf(row.offsets) };
  }

  /** Lexical entries of all files of a snapshot. */
  *bagsOfSnapshot(snapshotId: number): IterableIterator<StoredBags & { versionId: number }> {
    const rows = this.#database
      .prepare<[number], { id: number; bags: Buffer; offsets: Buffer }>(
        `SELECT id, bags, bag_offsets AS offsets FROM file_versions
         WHERE id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?)`,
      )
      .iterate(snapshotId);
    for (const row of rows) {
      yield { versionId: row.id, entries: wordsOf(row.bags), offsets: wordsOf(row.offsets) };
    }
  }

  /** The whole decoded file, as it was indexed. */
  content(versionId: number): string {
    const blob = this.#database
      .prepare<[number], Buffer>('SELECT content FROM file_versions WHERE id = ?')
      .pluck()
      .get(versionId);
    if (!blob) throw new Error(`file version ${versionId} is not in the store`);
    return zstdDecompressSync(blob).toString('utf8');
  }

  facts(versionId: number): string {
    return this.#database
      .prepare('SELECT facts FROM file_versions WHERE id = ?')
      .pluck()
      .get(versionId) as string;
  }

  /** Ids and content hashes of all chunks of a snapshot that have one of these content hashes. */
  withContent(snapshotId: number, hashes: readonly string[]): { id: number; hash: string }[] {
    return this.#database
      .prepare<[string, number], { id: number; hash: string }>(
        `SELECT c.id, c.hash FROM chunks c JOIN snapshot_files s ON s.version_id = c.version_id
         WHERE c.hash IN (SELECT value FROM json_each(?)) AND s.snapshot_id = ?`,
      )
      .all(JSON.stringify(hashes), snapshotId);
  }

  #withGlobalTerms(bags: FileBags): StoredBags {
    const ids = this.#terms.intern(bags.terms);
    const offsets = new Uint32Array(bags.offsets.length);
    const entries = new Uint32Array(bags.entries.length);
    let kept = 0;
    for (let chunk = 0; chunk + 1 < bags.offsets.length; chunk++) {
      for (let i = bags.offsets[chunk]; i < bags.offsets[chunk + 1]; i++) {
        const id = ids[bags.entries[i] >>> 11];
        if (id >= 0) entries[kept++] = (id << 11) | (bags.entries[i] & 0x7ff);
      }
      offsets[chunk + 1] = kept;
    }
    return { offsets, entries: entries.subarray(0, kept) };
  }
}

/** The content hash of a chunk: sha1 of its normalised text, in hex. */
export function contentHash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

type TextRow = Omit<ChunkText, 'doc'> & { docStart: number | null; docEnd: number | null };

function bytesOf(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/** Copies, because a blob from SQLite need not be aligned. */
function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
