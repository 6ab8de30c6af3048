import { hash as digest } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Damage } from '../../base/damage.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import type { ChunkKind } from '../../shared/chunk.ts';
import type { TermCounts } from '../lexical/tokenize.ts';
import type { ParsedChunk } from '../parse/types.ts';
import { computeChecksum } from './checksum.ts';
import type { Database } from './database.ts';
import { PackedTexts, packText, packTexts, packWords, unpackText, unpackWords } from './packed.ts';
import { getRow, getRows, getValue, run } from './statements.ts';
import { addChunkSum, computeVersionSum, type SummedChunk, type SummedVersion } from './sums.ts';
import type { TermDictionary } from './terms.ts';

/** Size of the cache of unpacked texts. With it, encoding Django (41,500 texts of 2,789 versions) unpacks 3,400 times. */
const RECENT_BYTES = 4 << 20;

/** Parsed file, with the path, hash and parser that identify this version. */
export interface NewFileVersion {
  path: string;
  hash: string;
  parser: string;
  content: string;
  chunks: readonly ParsedChunk[];
  factsJson: string;
  termCounts: TermCounts;
  lines: number;
  errors: number;
  generated: boolean;
}

/** Row of a chunk, without its text. */
export interface ChunkRecord {
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

/** Text of a chunk, and the positions in it that the encoder and `show` need. */
export interface StoredChunkText {
  text: string;
  signatureEnd: number;
  doc: [number, number] | null;
  hash: string;
}

/** Lexical entries of a file version, with the term ids of the repository. See `TermCounts` for the packing. */
export interface StoredTermCounts {
  offsets: Uint32Array;
  entries: Uint32Array;
}

/** Stored file version, with the values that `getChunks` and `getTermCounts` would read, so that they needn't be read again. */
export interface AddedVersion {
  id: number;
  chunks: ChunkRecord[];
  termCounts: StoredTermCounts;
}

const CHUNK_COLUMNS = `id, version_id AS versionId, position, parent, qualified_name AS qualifiedName, ordinal, name, kind,
  start_line AS startLine, end_line AS endLine, signature_end AS signatureEnd, doc_start AS docStart, doc_end AS docEnd,
  hash, length`;
/** Returns a subquery for a checksum. Joining two rows by their ids would take SQLite four times as long. */
const selectSum = (column: 'rows' | 'texts' | 'facts' | 'terms', versionId: string) =>
  `(SELECT ${column} FROM version_sums WHERE version_id = ${versionId})`;

const VERSIONS = `SELECT v.id, v.path, v.hash, v.parser, v.lines, v.errors, v.generated, ${selectSum('rows', 'v.id')} AS sum
  FROM file_versions v`;

const VERSION = `${VERSIONS} WHERE v.id = ?`;
const CHUNKS = `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE version_id = ? ORDER BY position`;
const CHUNK = `SELECT c.version_id AS versionId, c.position, c.signature_end AS signatureEnd, c.doc_start AS docStart,
  c.doc_end AS docEnd, c.hash, ${selectSum('texts', 'c.version_id')} AS sum FROM chunks c WHERE c.id = ?`;
const FACTS = `SELECT (SELECT facts FROM version_data WHERE version_id = v.id) AS value, ${selectSum('facts', 'v.id')} AS sum
  FROM file_versions v WHERE v.id = ?`;
const TEXTS_SUM = `SELECT ${selectSum('texts', 'v.id')} FROM file_versions v WHERE v.id = ?`;

type StoredChunk = ChunkRecord & SummedChunk;
type StoredVersion = SummedVersion & { id: number; sum: number | null };

/** File versions and their chunks. Reading checks the stored checksums, and throws `Damage` if one differs. */
export class FileVersions {
  readonly #database: Database;
  readonly #terms: TermDictionary;
  /** Recently used texts by file version, since chunks of a file are usually read together. One version always fits. */
  readonly #recent = new LRUCache<number, { sum: number; texts: PackedTexts }>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ texts }) => Math.min(texts.bytes, RECENT_BYTES),
  });

  constructor(database: Database, terms: TermDictionary) {
    this.#database = database;
    this.#terms = terms;
  }

  find(path: string, hash: string, parser: string): number | undefined {
    const find = 'SELECT id FROM file_versions WHERE path = ? AND hash = ? AND parser = ?';
    const id = getValue<number>(this.#database, find, [path, hash, parser]);
    if (id === undefined) return undefined;
    // A damaged index may lead to another row.
    const version = this.#getVersion(id);
    if (version?.path !== path || version.hash !== hash || version.parser !== parser)
      throw createVersionDamage(id);
    return id;
  }

  /** Stores a version with its chunks. Call inside a transaction; the result is valid only once that is committed. */
  add(file: NewFileVersion): AddedVersion {
    const termCounts = this.#internTerms(file.termCounts);
    const texts = packTexts([file.content, ...file.chunks.map(({ text }) => text)]);
    const facts = packText(file.factsJson);
    const terms = packWords(termCounts.offsets, termCounts.entries);
    const generated = Number(file.generated);
    const { path, hash, parser, lines, errors } = file;
    const { lastInsertRowid } = run(
      this.#database,
      'INSERT INTO file_versions (path, hash, parser, lines, errors, generated) VALUES (?, ?, ?, ?, ?, ?)',
      [path, hash, parser, lines, errors, generated],
    );
    const versionId = Number(lastInsertRowid);
    const chunks = file.chunks.map((chunk, position) => this.#addChunk(versionId, position, chunk));
    const rows = chunks.reduce(addChunkSum, computeVersionSum(versionId, { ...file, generated }));
    run(
      this.#database,
      'INSERT INTO version_data (version_id, texts, facts, terms) VALUES (?, ?, ?, ?)',
      [versionId, texts, facts, terms],
    );
    run(
      this.#database,
      'INSERT INTO version_sums (version_id, rows, texts, facts, terms) VALUES (?, ?, ?, ?, ?)',
      [
        versionId,
        rows,
        computeChecksum([texts]),
        computeChecksum([facts]),
        computeChecksum([terms]),
      ],
    );
    return { id: versionId, chunks, termCounts };
  }

  /** Returns the row of a version. @throws Error if it is not stored. */
  getInfo(versionId: number): SummedVersion {
    const version = this.#getVersion(versionId);
    if (!version) throw createMissingError('file version', versionId);
    return version;
  }

  #getVersion(id: number): StoredVersion | undefined {
    return getRow(this.#database, VERSION, [id]);
  }

  /** Returns the chunks of a version, in order of position. */
  getChunks(versionId: number): ChunkRecord[] {
    const version = this.#getVersion(versionId);
    const chunks = getRows<StoredChunk>(this.#database, CHUNKS, [versionId]);
    if (!version) return chunks;
    if (chunks.reduce(addChunkSum, computeVersionSum(versionId, version)) !== version.sum)
      throw createVersionDamage(versionId);
    return chunks;
  }

  /** Yields all chunks of a snapshot, file by file. Call inside `Store.read`, or while no other process writes. */
  *readChunks(snapshotId: number): IterableIterator<ChunkRecord> {
    const versions = getRows<StoredVersion>(
      this.#database,
      `${VERSIONS} WHERE v.id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?)`,
      [snapshotId],
    );
    const sums = new Map(
      versions.map((version) => [version.id, computeVersionSum(version.id, version)]),
    );
    const chunks = this.#database
      .prepare<[number], StoredChunk>(
        `SELECT ${CHUNK_COLUMNS} FROM chunks
         WHERE version_id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?) ORDER BY version_id, position`,
      )
      .iterate(snapshotId);
    for (const chunk of chunks) {
      sums.set(chunk.versionId, addChunkSum(sums.get(chunk.versionId) ?? 0, chunk));
      yield chunk;
    }
    const damaged = versions.find(({ id, sum }) => sums.get(id) !== sum);
    if (damaged) throw createVersionDamage(damaged.id);
  }

  /** @throws Error if the chunk is not stored. This can't happen for the id of a live chunk. */
  getChunkText(chunkId: number): StoredChunkText {
    const row = getRow<ChunkTextRow>(this.#database, CHUNK, [chunkId]);
    if (!row) throw createMissingError('chunk', chunkId);
    const { versionId, position, sum, docStart, docEnd, ...rest } = row;
    // Text 0 is the whole file.
    const text = this.#readTexts(versionId, sum).at(position + 1);
    if (text === undefined || hashContent(text) !== row.hash)
      throw new Damage(`the text of chunk ${chunkId}`);
    return { ...rest, text, doc: docStart === null || docEnd === null ? null : [docStart, docEnd] };
  }

  /** Returns the texts of a version: first the whole file, then its chunks. */
  #readTexts(versionId: number, sum: number | null): PackedTexts {
    const known = this.#recent.get(versionId);
    // Ids of removed versions are reused.
    if (known && known.sum === sum) return known.texts;
    const select = 'SELECT texts FROM version_data WHERE version_id = ?';
    const packed = getValue<Buffer>(this.#database, select, [versionId]);
    if (!packed || sum === null || computeChecksum([packed]) !== sum)
      throw createVersionDamage(versionId);
    const texts = new PackedTexts(packed);
    this.#recent.set(versionId, { sum, texts });
    return texts;
  }

  /** @throws Error if the chunk is not stored. */
  getContentHash(chunkId: number): string {
    const select = 'SELECT hash FROM chunks WHERE id = ?';
    const hash = getValue<string>(this.#database, select, [chunkId]);
    if (hash === undefined) throw createMissingError('chunk', chunkId);
    return hash;
  }

  getTermCounts(versionId: number): StoredTermCounts {
    const row = getRow<TermCountsRow>(this.#database, `${TERM_COUNTS} WHERE v.id = ?`, [versionId]);
    if (!row) throw createMissingError('file version', versionId);
    return unpackTermCounts(row);
  }

  *readTermCounts(snapshotId: number): IterableIterator<StoredTermCounts & { versionId: number }> {
    const rows = this.#database
      .prepare<[number], TermCountsRow>(
        `${TERM_COUNTS} WHERE v.id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?)`,
      )
      .iterate(snapshotId);
    for (const row of rows) yield { versionId: row.id, ...unpackTermCounts(row) };
  }

  getContent(versionId: number): string {
    const sum = getValue<number | null>(this.#database, TEXTS_SUM, [versionId]);
    if (sum === undefined) throw createMissingError('file version', versionId);
    return assertPresent(this.#readTexts(versionId, sum).at(0), 'a file');
  }

  getFacts(versionId: number): string {
    const row = getRow<FactsRow>(this.#database, FACTS, [versionId]);
    if (!row) throw createMissingError('file version', versionId);
    if (!row.value || computeChecksum([row.value]) !== row.sum)
      throw createVersionDamage(versionId);
    return unpackText(row.value);
  }

  #addChunk(versionId: number, position: number, chunk: ParsedChunk): StoredChunk {
    const { text, doc, ...rest } = chunk;
    const [docStart, docEnd] = doc ?? [null, null];
    const row = { ...rest, versionId, position, docStart, docEnd };
    const { length } = text;
    const hash = hashContent(text);
    const { lastInsertRowid } = run(
      this.#database,
      `INSERT INTO chunks (version_id, position, parent, qualified_name, ordinal, name, kind, start_line, end_line,
         signature_end, doc_start, doc_end, hash, length)
       VALUES (@versionId, @position, @parent, @qualifiedName, @ordinal, @name, @kind, @startLine, @endLine,
         @signatureEnd, @docStart, @docEnd, @hash, @length)`,
      { ...row, hash, length },
    );
    return { ...row, id: Number(lastInsertRowid), hash, length };
  }

  /** Returns the chunks of a snapshot that have one of these content hashes. */
  findByContent(snapshotId: number, hashes: readonly string[]): { id: number; hash: string }[] {
    return getRows(
      this.#database,
      `SELECT c.id, c.hash FROM chunks c JOIN snapshot_files s ON s.version_id = c.version_id
       WHERE c.hash IN (SELECT value FROM json_each(?)) AND s.snapshot_id = ?`,
      [JSON.stringify(hashes), snapshotId],
    );
  }

  #internTerms(counts: TermCounts): StoredTermCounts {
    const ids = this.#terms.intern(counts.terms);
    const offsets = new Uint32Array(counts.offsets.length);
    const entries = new Uint32Array(counts.entries.length);
    let kept = 0;
    for (let chunk = 0; chunk + 1 < counts.offsets.length; chunk++) {
      for (const entry of counts.entries.subarray(
        counts.offsets[chunk],
        counts.offsets[chunk + 1],
      )) {
        const id = assertPresent(ids[entry >>> 11], 'the id of a term');
        if (id >= 0) entries[kept++] = (id << 11) | (entry & 0x7ff);
      }
      offsets[chunk + 1] = kept;
    }
    return { offsets, entries: entries.subarray(0, kept) };
  }
}

function hashContent(text: string): string {
  return digest('sha1', text);
}

interface ChunkTextRow extends Omit<StoredChunkText, 'text' | 'doc'> {
  versionId: number;
  position: number;
  docStart: number | null;
  docEnd: number | null;
  /** Checksum of its version's texts. */
  sum: number | null;
}

/** Returns the error for a missing row. This is not damage: another process may have removed it as garbage. */
function createMissingError(what: string, id: number): Error {
  return new Error(`${what} ${id} is not in the store`);
}

function createVersionDamage(id: number): Damage {
  return new Damage(`file version ${id}`);
}

const TERM_COUNTS = `SELECT v.id, (SELECT terms FROM version_data WHERE version_id = v.id) AS packed,
  ${selectSum('terms', 'v.id')} AS sum FROM file_versions v`;

interface FactsRow {
  value: Buffer | null;
  sum: number | null;
}

interface TermCountsRow {
  id: number;
  packed: Buffer | null;
  sum: number | null;
}

function unpackTermCounts({ id, packed, sum }: TermCountsRow): StoredTermCounts {
  if (!packed || computeChecksum([packed]) !== sum) throw createVersionDamage(id);
  const [offsets, entries] = unpackWords(packed);
  return { offsets, entries };
}
