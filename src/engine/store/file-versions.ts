import { hash as digest } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Damage } from '../../base/damage.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { PackedTexts, packLists, unpackLists, unpackText } from '../columns/packed.ts';
import type { FileFacts, ReferenceFact } from '../languages/facts.ts';
import { packEntries } from '../lexical/packed-counts.ts';
import type { TermCounts } from '../lexical/tokenize.ts';
import { type ChunkRow, PackedChunks } from '../parse/packed-chunks.ts';
import type { PackedFile } from '../parse/packed-file.ts';
import { computeChecksum } from './checksum.ts';
import type { Database } from './database.ts';
import { getRow, getTuples, getValue, iterate, run } from './statements.ts';
import { computeVersionSum, type SummedVersion } from './sums.ts';
import type { TermDictionary } from './terms.ts';

/** Size of the cache of unpacked texts. With it, encoding Django (41,500 texts of 2,789 versions) unpacks 3,400 times. */
const RECENT_BYTES = 4 << 20;

/** Parsed file, with the path, hash and parser that identify this version. */
export interface NewFileVersion extends PackedFile {
  path: string;
  hash: string;
  parser: string;
}

/** Chunk of a file version, without its text. Its id is unique in the store, also among chunks that were removed. */
export interface ChunkRecord extends ChunkRow {
  id: number;
  versionId: number;
  position: number;
}

/** Text of a chunk, and the positions in it that the encoder and `show` need. */
export interface StoredChunkText {
  text: string;
  signatureEnd: number;
  doc: [number, number] | null;
}

/** Lexical entries of each chunk of a file version, with the term ids of the repository: `packEntries`. */
export type StoredTermCounts = readonly Uint8Array[];

/** Stored file version, with the values that `getChunks` and `getTermCounts` would read, so that they needn't be read again. */
export interface AddedVersion {
  id: number;
  chunks: ChunkRecord[];
  termCounts: StoredTermCounts;
}

/** Row of a version. The ids of its chunks are the `count` numbers up to its own id. */
interface StoredVersion extends SummedVersion {
  id: number;
  sum: number;
  textsSum: number;
}

/** Texts and chunks of a version, unpacked. */
interface OpenedVersion {
  id: number;
  textsSum: number;
  texts: PackedTexts;
  chunks: PackedChunks;
}

const selectData = (column: 'chunks' | 'texts' | 'facts' | 'refs' | 'terms') =>
  `(SELECT ${column} FROM version_data WHERE version_id = v.id)`;

const VERSIONS = `SELECT v.id, v.path, v.hash, v.parser, v.lines, v.errors, v.generated, v.count, v.sum, v.texts_sum AS textsSum
  FROM file_versions v`;
const VERSION = `${VERSIONS} WHERE v.id = ?`;
const VERSION_OF_CHUNK = `${VERSIONS} WHERE v.id >= ? ORDER BY v.id LIMIT 1`;
const CHUNKS = `SELECT ${selectData('chunks')} FROM file_versions v WHERE v.id = ?`;
const TEXTS = `SELECT ${selectData('texts')} FROM file_versions v WHERE v.id = ?`;
const FACTS = `SELECT ${selectData('facts')}, v.facts_sum FROM file_versions v WHERE v.id = ?`;
const REFERENCES = `SELECT ${selectData('refs')}, v.refs_sum FROM file_versions v WHERE v.id = ?`;
const TERMS = `SELECT v.id, ${selectData('terms')}, v.terms_sum FROM file_versions v`;
const IN_SNAPSHOT = 'WHERE v.id IN (SELECT version_id FROM snapshot_files WHERE snapshot_id = ?)';

/** File versions and their chunks. Reading checks the stored checksums, and throws `Damage` if one differs. */
export class FileVersions {
  readonly #database: Database;
  readonly #terms: TermDictionary;
  /** Recently read versions, since chunks of a file are usually read together. One version always fits. */
  readonly #recent = new LRUCache<number, OpenedVersion>({
    maxSize: RECENT_BYTES,
    sizeCalculation: ({ texts }) => Math.min(texts.bytes, RECENT_BYTES),
  });

  /** Version whose chunk was read last, which most likely has the next one too. */
  #latest: OpenedVersion | null = null;

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
    const database = this.#database;
    // The ids of a transaction that failed are used again.
    this.#latest = null;
    const termCounts = this.#internTerms(file.termCounts);
    const terms = packLists(termCounts);
    const { path, hash, parser, lines, errors, count, chunks, texts, facts, references } = file;
    const generated = Number(file.generated);
    const last = getValue<number>(database, LAST_ID) ?? 0;
    const id = last + Math.max(1, count);
    const version = { path, hash, parser, lines, errors, generated, count };
    const sums = [texts, facts, references, terms].map((bytes) => computeChecksum([bytes]));
    run(
      database,
      `INSERT INTO file_versions (id, path, hash, parser, lines, errors, generated, count, sum, texts_sum, facts_sum,
         refs_sum, terms_sum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [id, ...Object.values(version), computeVersionSum(id, version, chunks), ...sums],
    );
    run(
      database,
      'INSERT INTO version_data (version_id, chunks, texts, facts, refs, terms) VALUES (?, ?, ?, ?, ?, ?)',
      [id, chunks, texts, facts, references, terms],
    );
    return { id, chunks: toRecords(id, new PackedChunks(chunks)), termCounts };
  }

  /** Returns the row of a version. @throws Error if it is not stored. */
  getInfo(versionId: number): SummedVersion {
    return this.#requireVersion(versionId);
  }

  #getVersion(id: number): StoredVersion | undefined {
    return getRow(this.#database, VERSION, [id]);
  }

  #requireVersion(id: number): StoredVersion {
    const version = this.#getVersion(id);
    if (!version) throw createMissingError('file version', id);
    return version;
  }

  /** Returns the chunks of a version, in order of position. */
  getChunks(versionId: number): ChunkRecord[] {
    const version = this.#getVersion(versionId);
    return version ? toRecords(versionId, this.#readChunks(version)) : [];
  }

  /** Yields all chunks of a snapshot, file by file. Call inside `Store.read`, or while no other process writes. */
  *readChunks(snapshotId: number): IterableIterator<ChunkRecord> {
    const versions = this.#database
      .prepare<[number], StoredVersion & { packed: Buffer | null }>(
        `${VERSIONS.replace('SELECT', `SELECT ${selectData('chunks')} AS packed,`)} ${IN_SNAPSHOT}`,
      )
      .iterate(snapshotId);
    for (const { packed, ...version } of versions)
      yield* toRecords(version.id, unpackChunks(version, packed));
  }

  #readChunks(version: StoredVersion): PackedChunks {
    return unpackChunks(version, getValue<Buffer>(this.#database, CHUNKS, [version.id]));
  }

  /** @throws Error if the chunk is not stored. This can't happen for the id of a live chunk. */
  getChunkText(chunkId: number): StoredChunkText {
    const { id, texts, chunks } = this.#openVersionOf(chunkId);
    const position = getPosition(id, chunks.count, chunkId);
    // Text 0 is the whole file.
    const text = texts.at(position + 1);
    if (text === undefined) throw new Damage(`the text of chunk ${chunkId}`);
    return {
      text,
      signatureEnd: chunks.getSignatureEnd(position),
      doc: chunks.getDoc(position),
    };
  }

  #openVersionOf(chunkId: number): OpenedVersion {
    const latest = this.#latest;
    const isLatest =
      latest && chunkId <= latest.id && getPosition(latest.id, latest.chunks.count, chunkId) >= 0;
    if (isLatest) return latest;
    this.#latest = this.#openVersion(this.#requireVersionOf(chunkId));
    return this.#latest;
  }

  #requireVersionOf(chunkId: number): StoredVersion {
    const version = getRow<StoredVersion>(this.#database, VERSION_OF_CHUNK, [chunkId]);
    if (!version || getPosition(version.id, version.count, chunkId) < 0)
      throw createMissingError('chunk', chunkId);
    return version;
  }

  #openVersion(version: StoredVersion): OpenedVersion {
    const { id, textsSum } = version;
    const known = this.#recent.get(id);
    if (known?.textsSum === textsSum) return known;
    const packed = getValue<Buffer | null>(this.#database, TEXTS, [id]);
    if (!packed || computeChecksum([packed]) !== textsSum) throw createVersionDamage(id);
    const chunks = this.#readChunks(version);
    const opened = { id, textsSum, texts: new PackedTexts(packed), chunks };
    this.#recent.set(id, opened);
    return opened;
  }

  /** Returns the SHA-1 of a chunk's text. @throws Error if the chunk is not stored. */
  getContentHash(chunkId: number): string {
    return hashContent(this.getChunkText(chunkId).text);
  }

  /** Frees the memory of recently read texts. */
  forgetTexts(): void {
    this.#latest = null;
    this.#recent.clear();
  }

  getTermCounts(versionId: number): StoredTermCounts {
    const [row] = getTuples<TermsRow>(this.#database, `${TERMS} WHERE v.id = ?`, [versionId]);
    if (!row) throw createMissingError('file version', versionId);
    return unpackTermCounts(row);
  }

  *readTermCounts(snapshotId: number): IterableIterator<[versionId: number, StoredTermCounts]> {
    for (const row of iterate<TermsRow>(this.#database, `${TERMS} ${IN_SNAPSHOT}`, [snapshotId]))
      yield [row[0], unpackTermCounts(row)];
  }

  getContent(versionId: number): string {
    const { texts } = this.#openVersion(this.#requireVersion(versionId));
    return assertPresent(texts.at(0), 'a file');
  }

  /** Returns the text of a version in UTF-8. Caches nothing, for callers that read many versions once. */
  getContentBytes(versionId: number): Uint8Array {
    const { textsSum } = this.#requireVersion(versionId);
    const packed = getValue<Buffer | null>(this.#database, TEXTS, [versionId]);
    if (!packed || computeChecksum([packed]) !== textsSum) throw createVersionDamage(versionId);
    return assertPresent(new PackedTexts(packed).getBytes(0), 'a file');
  }

  /** Returns the facts of a version for the call graph. Their only references are those to bases and decorators. */
  getFacts(versionId: number): FileFacts {
    return JSON.parse(this.#readText(FACTS, versionId));
  }

  /** Returns all references of a version, in order. */
  getReferences(versionId: number): ReferenceFact[] {
    return JSON.parse(this.#readText(REFERENCES, versionId));
  }

  #readText(select: string, versionId: number): string {
    const [row] = getTuples<[Buffer | null, number]>(this.#database, select, [versionId]);
    if (!row) throw createMissingError('file version', versionId);
    const [packed, sum] = row;
    if (!packed || computeChecksum([packed]) !== sum) throw createVersionDamage(versionId);
    return unpackText(packed);
  }

  /** Returns the chunks of a snapshot that have one of these content hashes. */
  findByContent(snapshotId: number, hashes: readonly string[]): { id: number; hash: string }[] {
    const wanted = new Set(hashes);
    const found: { id: number; hash: string }[] = [];
    if (wanted.size === 0) return found;
    for (const { id } of this.readChunks(snapshotId)) {
      const hash = this.getContentHash(id);
      if (wanted.has(hash)) found.push({ id, hash });
    }
    return found;
  }

  #internTerms(counts: TermCounts): StoredTermCounts {
    const ids = this.#terms.intern(counts.terms);
    const own = counts.entries.map((entry) => {
      const id = assertPresent(ids[entry >>> 11], 'the id of a term');
      return id < 0 ? NO_TERM : (id << 11) | (entry & 0x7ff);
    });
    const chunks = Array.from(counts.offsets.subarray(1), (end, chunk) =>
      own.subarray(counts.offsets[chunk], end),
    );
    return chunks.map((entries) => packEntries(entries.filter((entry) => entry !== NO_TERM)));
  }
}

/** Entry of a term past the limit of the dictionary. */
const NO_TERM = 0xffffffff;

function hashContent(text: string): string {
  return digest('sha1', text);
}

/** Last id of a version or chunk that was ever used. */
const LAST_ID = "SELECT seq FROM sqlite_sequence WHERE name = 'file_versions'";

function toRecords(versionId: number, chunks: PackedChunks): ChunkRecord[] {
  const first = versionId - chunks.count + 1;
  return chunks
    .getRows()
    .map((row, position) => ({ id: first + position, versionId, position, ...row }));
}

/** Returns the position of a chunk in its version. Negative if it belongs to an earlier version. */
function getPosition(versionId: number, count: number, chunkId: number): number {
  return chunkId - (versionId - count + 1);
}

function unpackChunks(version: StoredVersion, packed: Buffer | null | undefined): PackedChunks {
  const { id, sum, count } = version;
  if (!packed || computeVersionSum(id, version, packed) !== sum) throw createVersionDamage(id);
  const chunks = new PackedChunks(packed);
  if (chunks.count !== count) throw createVersionDamage(id);
  return chunks;
}

/** Returns the error for a missing row. This is not damage: another process may have removed it as garbage. */
function createMissingError(what: string, id: number): Error {
  return new Error(`${what} ${id} is not in the store`);
}

function createVersionDamage(id: number): Damage {
  return new Damage(`file version ${id}`);
}

type TermsRow = [id: number, packed: Buffer | null, sum: number];

function unpackTermCounts([id, packed, sum]: TermsRow): StoredTermCounts {
  if (!packed || computeChecksum([packed]) !== sum) throw createVersionDamage(id);
  return unpackLists(packed);
}
