/**
 * Measures disk use: `node lab/bench/disk.ts [--data <folder>] <clone> [<clone> ...]`.
 *
 * Updates the index of each clone, with its history, in a temporary data directory, or in the one that `--data` names. Prints
 * the size of each table and index, and its ratio to the size of the source.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { isIndexedPath, openTree } from '../../src/engine/lab.ts';
import { formatMarkdownTable } from '../../src/services/evaluation/markdown-table.ts';
import { openRepository } from '../../src/services/open-repository.ts';

/** Tables with a row for each chunk and model. They are listed apart, since their size depends on the model's dimensions. */
const EMBEDDINGS = new Set(['embeddings', 'chunk_embeddings']);
const SMALLEST_ROW = 0.005;

interface Part {
  name: string;
  /** Table that the index belongs to. */
  table: string;
  bytes: number;
  unused: number;
}

const { values, positionals } = parseArgs({
  options: { data: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('usage: npx node lab/bench/disk.ts [--data <folder>] <clone> [<clone> ...]');
  process.exit(2);
}
const dataDir = values.data ?? mkdtempSync(join(tmpdir(), 'locus-disk-'));
try {
  for (const clone of positionals) await measure(resolve(clone));
} finally {
  if (!values.data) rmSync(dataDir, { recursive: true, force: true });
}

async function measure(root: string): Promise<void> {
  const repository = await openRepository(root, { dataDir });
  await repository.index();
  const { databasePath } = await repository.status();
  await repository.close();
  const source = await sourceBytes(root);
  const parts = listTables(databasePath);
  const total = statSync(databasePath).size;
  const row = (name: string, bytes: number, of: Partial<Part> = {}) => [
    name,
    megabytes(bytes),
    of.unused === undefined ? '' : megabytes(of.unused),
    `${(bytes / source).toFixed(2)} ×`,
  ];
  const shown = parts.filter(({ bytes }) => bytes >= source * SMALLEST_ROW);
  const embeddings = sum(parts.filter(({ table }) => EMBEDDINGS.has(table)));
  console.log(`${basename(root)}: ${megabytes(source)} MB of source\n`);
  const table = formatMarkdownTable(
    ['table or index', 'MB', 'of it unused', 'of the source'],
    [
      ...shown.map((part) => row(part.name, part.bytes, part)),
      row('the rest', total - sum(shown)),
      row('all but embeddings', total - embeddings),
      row('embeddings', embeddings),
      row('all', total),
    ],
  );
  console.log(table.join('\n'));
}

/** Returns the size of the indexed files in bytes. */
async function sourceBytes(root: string): Promise<number> {
  const tree = await openTree(root, {});
  const { entries } = await tree.list(isIndexedPath);
  let bytes = 0;
  for await (const content of tree.read(entries))
    if ('text' in content) bytes += Buffer.byteLength(content.text);
  await tree.close();
  return bytes;
}

/** Returns the tables and indexes of a database, largest first. */
function listTables(path: string): Part[] {
  const database = new Sqlite(path, { readonly: true });
  try {
    return database
      .prepare<[], Part>(
        `SELECT s.name, coalesce(m.tbl_name, s.name) AS "table", SUM(pgsize) AS bytes, SUM(unused) AS unused
         FROM dbstat s LEFT JOIN sqlite_schema m ON m.name = s.name GROUP BY s.name ORDER BY bytes DESC`,
      )
      .all();
  } finally {
    database.close();
  }
}

function sum(parts: readonly { bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
