/** Repositories that grow hugely when they are read: the excess is skipped, and reported. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readCommits } from '../../src/engine/history/read-commits.ts';
import { describeCommits, listCommits } from '../../src/engine/history/read-history.ts';
import { BlobReader } from '../../src/engine/source/blob-reader.ts';
import { MAX_FILE_BYTES, MAX_FILES, MAX_PATH_BYTES } from '../../src/engine/source/limits.ts';
import { openTree } from '../../src/engine/source/open.ts';
import type { SourceListing } from '../../src/engine/source/types.ts';
import { git, removeFolder, temporaryFolder } from '../support/repository.ts';

let root: string;
before(() => {
  root = temporaryFolder('locus-bomb-');
  git(root, 'init', '-q', '--bare');
});
after(() => removeFolder(root));

const isPython = (path: string) => path.endsWith('.py');

/** Stores an object as it is, even an invalid one. */
function store(type: 'blob' | 'tree' | 'commit', content: Buffer | string): string {
  const args = ['hash-object', '-t', type, '-w', '--stdin', '--literally'];
  return execFileSync('git', args, { cwd: root, input: content, encoding: 'utf8' }).trim();
}

function tree(...entries: [mode: string, name: string, id: string][]): string {
  const rows = entries.map(([mode, name, id]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
  return store('tree', Buffer.concat(rows));
}

function commit(treeId: string, parent?: string): string {
  const who = 'Test <test@example.com> 1700000000 +0000';
  const from = parent ? `parent ${parent}\n` : '';
  return store(
    'commit',
    `tree ${treeId}\n${from}author ${who}\ncommitter ${who}\n\nA change of it\n`,
  );
}

/** Makes a tree with ten equal entries on each of ten levels: ten billion files from two objects and ten trees. */
function bomb(fileName: (i: number) => string): string {
  const leaf = store('blob', 'def boom():\n    pass\n');
  let id = tree(
    ...Array.from({ length: 10 }, (_, i) => ['100644', fileName(i), leaf] as const).map(
      ([mode, name, blob]) => [mode, name, blob] as [string, string, string],
    ),
  );
  for (let level = 1; level < 10; level++) {
    id = tree(
      ...Array.from({ length: 10 }, (_, i) => ['40000', `d${i}`, id] as [string, string, string]),
    );
  }
  return id;
}

async function list(revision: string): Promise<SourceListing> {
  const opened = await openTree(root, { revision });
  try {
    return await opened.list(isPython);
  } finally {
    await opened.close();
  }
}

test('a bomb of sources is cut, with a note', async () => {
  const { entries, skipped } = await list(commit(bomb((i) => `f${i}.py`)));
  assert.equal(entries.length, MAX_FILES);
  assert.deepEqual(
    skipped.map(({ path, reason, detail }) => `${path} ${reason}: ${detail}`),
    ['./ too many: only 250,000 files are indexed; open a subfolder instead'],
  );
});

test('a bomb in the history does not displace other commits', async () => {
  const source = (text: string) => tree(['100644', 'a.py', store('blob', text)]);
  const first = commit(source('a = 1\n'));
  const second = commit(source('a = 2\n'), first);
  const exploded = commit(
    bomb((i) => `f${i}.py`),
    second,
  );
  const quiet = commit(source('a = 3\n'), exploded);
  const last = commit(source('a = 4\n'), quiet);
  const hashes = await listCommits(root, last, 100);
  assert.deepEqual(hashes, [last, quiet, exploded, second]);
  const read: string[] = [];
  for await (const commits of readCommits(root, hashes)) {
    read.push(...commits.map(({ hash }) => hash));
  }
  // The commit after the bomb deletes ten billion files.
  assert.deepEqual(read.sort(), [last, second].sort());

  const mined: string[] = [];
  for await (const listed of describeCommits(root, last)) mined.push(listed.commit);
  assert.deepEqual(mined, [last, quiet, exploded, second, first]);
});

test('blobs over the limit are not read, but others in the same request are', async () => {
  const huge = store('blob', Buffer.alloc(200 << 20));
  const small = store('blob', 'a = 1\n');
  const limit = store('blob', '#'.repeat(MAX_FILE_BYTES));
  const reader = new BlobReader(root);
  const before = process.memoryUsage().rss;
  const ids = [small, huge, limit, huge, small, 'f'.repeat(40), huge];
  const blobs = await Promise.all(ids.map((id) => reader.read(id)));
  assert.deepEqual(
    blobs.map((blob) => blob && [blob.size, blob.bytes?.length ?? null]),
    [
      [6, 6],
      [200 << 20, null],
      [MAX_FILE_BYTES, MAX_FILE_BYTES],
      [200 << 20, null],
      [6, 6],
      null,
      [200 << 20, null],
    ],
  );
  assert.ok(process.memoryUsage().rss - before < 100 << 20, 'and not kept in memory');
  reader.close();

  const link = store('blob', Buffer.alloc(50 << 20, 'x'));
  const { skipped } = await list(commit(tree(['100644', 'a.py', huge], ['120000', 'b.py', link])));
  assert.deepEqual(
    skipped.map(({ path, reason, detail }) => `${path} ${reason}: ${detail}`),
    [
      'a.py too large: 200.0 MiB; files over 8 MiB are not indexed',
      `b.py unreadable: a symbolic link to a path of ${50 << 20} bytes`,
    ],
  );
});

test('long paths, deep folders and 100,000 files in one folder are read', async () => {
  const blob = store('blob', '');
  let deep = tree(['100644', 'deep.py', blob]);
  for (let level = 0; level < 100; level++) deep = tree(['40000', 'd'.repeat(100), deep]);
  const many = Array.from({ length: 100_000 }, (_, i) => ['100644', `f${i}.py`, blob] as const);
  const sorted = many.sort(([, a], [, b]) => (a < b ? -1 : 1)) as [string, string, string][];
  const id = commit(
    tree(
      ['100644', `${'l'.repeat(MAX_PATH_BYTES)}.py`, blob],
      ['40000', 'deep', deep],
      ['40000', 'many', tree(...sorted)],
    ),
  );
  const { entries, skipped } = await list(id);
  assert.equal(entries.length, 100_000);
  assert.deepEqual(
    skipped.map(({ path, reason, detail }) => `${path.length} ${reason}: ${detail}`),
    [
      `101 unreadable: its path has ${4 + 1 + 100 * 101 + 7} bytes, over the limit of 4096`,
      `101 unreadable: its path has ${MAX_PATH_BYTES + 3} bytes, over the limit of 4096`,
    ],
  );
});

test('names that lead out of their folder are ignored', async (t) => {
  const blob = store('blob', 'stolen\n');
  const up = tree(['100644', 'stolen.py', blob]);
  const id = commit(
    tree(['100644', '../up.py', blob], ['40000', '..', up], ['100644', 'a.py', blob]),
  );
  const { entries, skipped } = await list(id);
  assert.deepEqual(
    [entries.map(({ path }) => path), skipped.map(({ path, reason }) => `${path} ${reason}`)],
    [['a.py'], ['../stolen.py outside the root', '../up.py outside the root']],
  );

  // Anybody can write the index file: version 2, one entry.
  const work = temporaryFolder();
  t.after(() => removeFolder(work));
  git(work, 'init', '-q', 'inside');
  const inside = join(work, 'inside');
  execFileSync('sh', ['-c', 'echo stolen > secret.py'], { cwd: work });
  rmSync(join(inside, '.git/index'), { force: true });
  writeIndex(inside, '../secret.py', blob);
  const opened = await openTree(inside);
  t.after(() => opened.close());
  const listing = await opened.list(isPython);
  assert.deepEqual(
    [listing.entries, listing.skipped.map(({ path, reason }) => `${path} ${reason}`)],
    [[], ['../secret.py outside the root']],
  );
});

/** Writes an index with one file whose name git itself would refuse. */
function writeIndex(repository: string, name: string, blob: string): void {
  const entry = Buffer.alloc(62 + Math.ceil((name.length + 1 + 6) / 8) * 8 - 6);
  entry.writeUInt32BE(0o100644, 24);
  entry.write(blob, 40, 'hex');
  entry.writeUInt16BE(name.length, 60);
  entry.write(name, 62);
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\x01', 'latin1');
  const body = Buffer.concat([header, entry]);
  const sum = createHash('sha1').update(body).digest();
  writeFileSync(join(repository, '.git/index'), Buffer.concat([body, sum]));
}
