import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { checksum } from '../../src/engine/store/checksum.ts';
import { MIGRATIONS } from '../../src/engine/store/migrations.ts';
import { moveEmbeddings } from '../../src/engine/store/move-embeddings.ts';
import { narrowEmbeddings } from '../../src/engine/store/narrow-embeddings.ts';
import { PackedTexts, unpackText, unpackWords } from '../../src/engine/store/packed.ts';
import { HEADER_BYTES, modelOfHeader } from '../../src/engine/store/row-format.ts';
import { generationsIn } from '../../src/engine/store/row-generations.ts';
import { vectorLinkSum, vectorSum } from '../../src/engine/store/sums.ts';
import { dequantize } from '../../src/engine/vectors/quantized.ts';
import { removeFolder } from './repository.ts';
import { storedVectors } from './stored-vectors.ts';

/** The first that has embeddings in files of their own. */
const WITH_ROWS = MIGRATIONS.indexOf(moveEmbeddings) + 1;
/** The first that has eight bits a number there. */
const WITH_NARROW_ROWS = MIGRATIONS.indexOf(narrowEmbeddings) + 1;

/** What was stored in columns of its own before it was packed, from `version_data` as `d`. */
const UNPACKED: Readonly<Record<string, Record<string, string>>> = {
  file_versions: {
    content: 'zstd(text_at(d.texts, 0))',
    facts: 'facts_of(d.facts)',
    bags: 'words_at(d.terms, 1)',
    bag_offsets: 'words_at(d.terms, 0)',
  },
  chunks: { text: 'text_at(d.texts, t.position + 1)' },
};
const VERSION_OF: Readonly<Record<string, string>> = { file_versions: 'id', chunks: 'version_id' };

/** Makes a stored index one of a schema of before there were checksums, with all that it could hold; versions count the steps taken. */
export function makeOlder(path: string, version: number): void {
  const now = `${path}-now`;
  renameSync(path, now);
  const before = new Sqlite(path);
  for (const step of MIGRATIONS.slice(0, version)) {
    if (typeof step === 'string') before.exec(step);
    else step(before);
  }
  before.pragma(`user_version = ${version}`);
  before.pragma('foreign_keys = OFF');
  before.prepare('ATTACH ? AS now').run(now);
  before.function('text_at', (texts: Buffer, place: number) => new PackedTexts(texts).at(place));
  before.function('zstd', (text: string) => zstdCompressSync(text));
  before.function('facts_of', unpackText);
  before.function('words_at', (words: Buffer, place: number) => {
    const { buffer, byteOffset, byteLength } = unpackWords(words)[place];
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  const tables = before.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck();
  for (const table of tables.all() as string[]) {
    if (version < WITH_ROWS && /embeddings$/.test(table)) continue;
    const columns = before.pragma(`table_info(${table})`) as { name: string }[];
    const names = columns.map(({ name }) => name);
    const from = names.map((name) => UNPACKED[table]?.[name] ?? `t.${name}`).join(', ');
    const owner = VERSION_OF[table];
    const data = owner ? `JOIN now.version_data d ON d.version_id = t.${owner}` : '';
    before.exec(
      `DELETE FROM ${table}; INSERT INTO ${table} (${names}) SELECT ${from} FROM now.${table} t ${data}`,
    );
  }
  // The sum of all terms came with the checksums.
  before.exec("DELETE FROM meta WHERE key = 'terms'");
  if (version < WITH_ROWS) putEmbeddingsBack(before, dirname(path));
  else if (version < WITH_NARROW_ROWS) widenRows(dirname(path));
  before.close();
}

/** From files into the database, as it was before there were files of them. */
function putEmbeddingsBack(before: Sqlite.Database, folder: string): void {
  const vectors = storedVectors(folder);
  const hasSums = (before.pragma('table_info(embeddings)') as unknown[]).length > 3;
  const insert = (table: string, values: unknown[], sum: number) => {
    const all = hasSums ? [...values, sum] : values;
    before.prepare(`INSERT OR IGNORE INTO ${table} VALUES (${all.map(() => '?')})`).run(all);
  };
  const links = before
    .prepare('SELECT snapshot_id, model, chunk_id, key FROM now.chunk_embeddings')
    .raw()
    .all() as [number, string, number, Buffer][];
  const ids = new Map([...vectors.keys()].map((key, i) => [key, i + 1]));
  for (const [snapshot, model, chunk, key] of links) {
    const id = ids.get(key.toString('hex'))!;
    const vector = dequantize(vectors.get(key.toString('hex'))!);
    const bytes = Buffer.from(vector.buffer);
    insert('embeddings', [id, key, bytes], vectorSum(bytes));
    const sum = vectorLinkSum(chunk, id, vectorSum(bytes));
    insert('chunk_embeddings', [snapshot, model, chunk, id], sum);
  }
  for (const { path } of generationsIn(folder)) removeFolder(path);
}

/** From files of eight bits a number to files of sixteen, as they were. */
function widenRows(folder: string): void {
  const vectors = storedVectors(folder);
  for (const { path } of generationsIn(folder)) {
    const header = readFileSync(path).subarray(0, HEADER_BYTES);
    const { key: model, dimensions } = modelOfHeader(header)!;
    const seed = checksum([model, dimensions]);
    const rows = [...vectors].map(([key, vector]) => {
      const numbers = Int16Array.from(dequantize(vector), (x) => Math.round(x * 32767));
      const row = Buffer.concat([Buffer.from(key, 'hex'), Buffer.from(numbers.buffer)]);
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(checksum([row], seed));
      return Buffer.concat([row, sum]);
    });
    writeFileSync(path.replace(/\.rows8$/, '.rows'), Buffer.concat([header, ...rows]));
    removeFolder(path);
  }
}
