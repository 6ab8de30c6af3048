/** Storing takes a few statements for each file and block, however many functions and calls they have. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { packFile } from '../../src/engine/parse/packed-file.ts';
import { parseFile } from '../../src/engine/parse/parse-file.ts';
import { BLOCK_CHUNKS } from '../../src/engine/store/blocks.ts';
import { Edges } from '../../src/engine/store/edges.ts';
import { EmbeddingLinks } from '../../src/engine/store/embedding-links.ts';
import { type AddedVersion, FileVersions } from '../../src/engine/store/file-versions.ts';
import { SCHEMA } from '../../src/engine/store/schema.ts';
import { Snapshots } from '../../src/engine/store/snapshots.ts';
import { TermDictionary } from '../../src/engine/store/terms.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, SmallProcess } from '../support/small-index.ts';

let database: Sqlite.Database;
let statements: string[];
let versions: FileVersions;
let snapshot: number;
beforeEach(() => {
  statements = [];
  // Lines of triggers begin with a comment.
  const count = (sql: unknown) => String(sql).startsWith('--') || statements.push(String(sql));
  database = new Sqlite(':memory:', { verbose: count });
  database.exec(SCHEMA);
  versions = new FileVersions(database, new TermDictionary(database));
  snapshot = new Snapshots(database).open(null);
  statements = [];
});
afterEach(() => database.close());

async function addFile(path: string, functions: number): Promise<AddedVersion> {
  const text = Array.from({ length: functions }, (_, i) => `def f${i}(): pass\n`).join('');
  const packed = packFile({ ...(await parseFile(path, text)), content: text });
  const added = versions.add({ ...packed, path, hash: path, parser: 'python@1' });
  const files = [{ path, versionId: added.id }];
  new Snapshots(database).changeFiles(snapshot, files, []);
  return added;
}

test('a file is stored with as many statements, whether it has one function or a thousand', async () => {
  const counts: number[] = [];
  await addFile('first.py', 1);
  for (const functions of [2, 1_000]) {
    statements = [];
    await addFile(`${functions}.py`, functions);
    counts.push(statements.length);
  }
  assert.equal(counts[0], counts[1], statements.join('\n'));
  assert.ok(counts[1]! <= 10, `${counts[1]} statements`);
});

test('edges and embedding links are stored with a few statements for each block', async () => {
  const { chunks } = await addFile('a.py', 1_000);
  const ids = chunks.map(({ id }) => id);
  const blocks = ids.length / BLOCK_CHUNKS + 1;
  statements = [];
  const sites = [{ line: 1, column: 2 }];
  const calls = ids.map((caller) => ({
    ...{ caller, callee: ids[0]!, kind: 'call' as const, guess: false, sites },
  }));
  assert.deepEqual(new Edges(database).replace(snapshot, ids, calls), ids);
  assert.ok(statements.length <= 3 * blocks, `${statements.length} statements for edges`);
  statements = [];
  const links = ids.map((chunkId) => ({ chunkId, key: Buffer.alloc(20, chunkId) }));
  new EmbeddingLinks(database).put(snapshot, 'm@1', links);
  assert.ok(statements.length <= 3 * blocks, `${statements.length} statements for links`);
  assert.deepEqual([...new Edges(database).readAll(snapshot)], calls);
  assert.deepEqual([...new EmbeddingLinks(database).readAll(snapshot, 'm@1')], links);
  statements = [];
  assert.deepEqual(new Edges(database).replace(snapshot, ids, calls), []);
  assert.ok(!statements.some((sql) => /INSERT|DELETE/.test(sql)), 'the same edges are not written');
});

test('the facts and the references of a file are read once for a whole graph', async () => {
  const folder = temporaryFolder();
  const tree = new MemoryTree();
  for (let i = 0; i < 5; i++)
    tree.files.set(
      `m${i}.py`,
      `import m0\nclass A: pass\nclass B(A):\n  def f(self): m0.B().f()\n`,
    );
  const small = new SmallProcess(folder, tree, () => 0);
  const read: string[] = [];
  const { versions } = small.store;
  for (const method of ['getFacts', 'getReferences'] as const) {
    const original = versions[method].bind(versions) as (id: number) => never;
    versions[method] = (id: number) => {
      read.push(`${method} ${id}`);
      return original(id);
    };
  }
  try {
    await small.run();
    assert.equal(read.length, 10);
    assert.equal(new Set(read).size, 10);
    assert.ok(small.snapshot.index.edgeCount >= 10);
  } finally {
    await small.close();
    removeFolder(folder);
  }
});

test('links to embeddings leave little of their pages empty', () => {
  const links = Array.from({ length: 3_000 }, (_, n) => ({
    chunkId: n + 1,
    key: Buffer.alloc(20, n),
  }));
  new EmbeddingLinks(database).put(snapshot, 'bag-1@2.0.0', links);
  const select = `SELECT SUM(unused) * 1.0 / SUM(pgsize) FROM dbstat WHERE name = 'chunk_embeddings'`;
  const empty = database.prepare(select).pluck().get() as number;
  assert.ok(empty < 0.2, `${empty} of the pages is empty`);
});

test('texts that were read recently are read again only once their memory is released', async () => {
  const { chunks } = await addFile('a.py', 3);
  const read = () => {
    statements = [];
    for (const { id } of chunks) versions.getChunkText(id);
    return statements.filter((sql) => sql.includes('SELECT texts')).length;
  };
  assert.deepEqual([read(), read()], [1, 0]);
  versions.forgetTexts();
  assert.deepEqual([read(), read()], [1, 0]);
});
