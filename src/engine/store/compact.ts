import { zstdDecompressSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { checksum } from './checksum.ts';
import { Damage } from './damage.ts';
import { packText, packTexts, packWords } from './packed.ts';

const VERSION_DATA = `
  CREATE TABLE version_data (
    version_id INTEGER PRIMARY KEY REFERENCES file_versions ON DELETE CASCADE,
    texts BLOB NOT NULL,                        -- the decoded file, then the texts of its chunks: packTexts
    facts BLOB NOT NULL,                        -- JSON, for the call graph: packText
    terms BLOB NOT NULL                         -- offsets and entries of all chunks: packWords
  );
`;

/** Nothing but `TermDictionary` reads terms, and that reads all of them. */
const PLAIN_TERMS = `
  CREATE TABLE plain_terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL);
  INSERT INTO plain_terms SELECT id, term FROM terms ORDER BY id;
  DROP TABLE terms;
  ALTER TABLE plain_terms RENAME TO terms;
`;

interface OldVersion {
  content: Buffer;
  facts: string;
  entries: Buffer;
  offsets: Buffer;
  contentSum: number;
  factsSum: number;
  termsSum: number;
}

/**
 * Packs what was stored as it came: the texts of chunks, which hold their files once more, facts and term counts.
 * @throws Damage when what is read is not what was stored.
 */
export function compact(database: Database): void {
  database.exec(VERSION_DATA);
  const version = database.prepare<[number], OldVersion>(
    `SELECT v.content, v.facts, v.bags AS entries, v.bag_offsets AS offsets,
       s.content AS contentSum, s.facts AS factsSum, s.bags AS termsSum
     FROM file_versions v JOIN version_sums s ON s.version_id = v.id WHERE v.id = ?`,
  );
  const texts = database
    .prepare<[number], string>('SELECT text FROM chunks WHERE version_id = ? ORDER BY position')
    .pluck();
  const put = database.prepare('INSERT INTO version_data VALUES (?, ?, ?, ?)');
  const putSums = database.prepare(
    'UPDATE version_sums SET content = ?, facts = ?, bags = ? WHERE version_id = ?',
  );
  for (const id of database.prepare<[], number>('SELECT id FROM file_versions').pluck().all()) {
    const old = version.get(id);
    if (!old || !isSound(old)) throw new Damage(`file version ${id}`);
    const content = contentOf(id, old.content);
    const packed = [
      packTexts([content, ...texts.all(id)]),
      packText(old.facts),
      packWords(wordsOf(old.offsets), wordsOf(old.entries)),
    ];
    put.run(id, ...packed);
    putSums.run(...packed.map((one) => checksum([one])), id);
  }
  // Emptied first, so that each column that goes moves little.
  database.exec(`
    UPDATE file_versions SET content = x'', facts = '', bags = x'', bag_offsets = x'';
    ALTER TABLE file_versions DROP COLUMN content;
    ALTER TABLE file_versions DROP COLUMN facts;
    ALTER TABLE file_versions DROP COLUMN bags;
    ALTER TABLE file_versions DROP COLUMN bag_offsets;
    ALTER TABLE chunks DROP COLUMN text;
    ALTER TABLE version_sums RENAME COLUMN content TO texts;
    ALTER TABLE version_sums RENAME COLUMN bags TO terms;
    ${PLAIN_TERMS}`);
}

/** What was stored before there were checksums has one that says nothing of it. */
function contentOf(id: number, compressed: Buffer): string {
  try {
    return zstdDecompressSync(compressed).toString('utf8');
  } catch (error) {
    throw new Damage(`file version ${id}`, { cause: error });
  }
}

function isSound(old: OldVersion): boolean {
  return (
    checksum([old.content]) === old.contentSum &&
    checksum([old.facts]) === old.factsSum &&
    checksum([old.entries, old.offsets]) === old.termsSum
  );
}

/** Copies, because a blob from SQLite need not be aligned. */
function wordsOf(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
