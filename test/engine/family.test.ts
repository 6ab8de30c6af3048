/** A worktree or a clone starts from the index of another one, and its index equals one that was made alone. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { copyIndex, deleteIndex } from '../../src/engine/index.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const ISSUE = 'parse_cookie_3 raises ValueError in run and make, see pkg/module_3.py';

let folder: string;
let root: string;
let dataDir: string;

beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder, 'data');
  installSecondModel(dataDir);
  root = gitRepository(syntheticPackage(12), join(folder, 'first'));
  await index(root);
});
afterEach(() => removeFolder(folder));

/** Indexes a working tree. Returns the numbers of parsed files and encoded chunks, and the number of all chunks. */
async function index(of: string, data = dataDir) {
  const repository = await openRepository(of, { dataDir: data, device: 'cpu' });
  try {
    const { filesParsed, chunksEncoded, chunks } = await repository.index();
    return { filesParsed, chunksEncoded, chunks };
  } finally {
    await repository.close();
  }
}

const NOTHING = { filesParsed: 0, chunksEncoded: 0 };
async function assertNothingMade(of: string): Promise<void> {
  const { chunks, ...work } = await index(of);
  assert.deepEqual(work, NOTHING);
  assert.ok(chunks > 12);
}

/** Asserts that the index of a working tree equals one that was made alone. */
async function assertAsIfAlone(of: string): Promise<void> {
  const [copy, alone] = [temporaryFolder(), temporaryFolder()];
  try {
    const own = getIndexFolder(dataDir, of);
    cpSync(own, join(copy, 'repositories', basename(own)), { recursive: true });
    await index(of, alone);
    assertSameIndex(copy, alone);
  } finally {
    for (const each of [copy, alone]) removeFolder(each);
  }
}

function addWorktree(name: string): string {
  git(root, 'worktree', 'add', '-q', '--detach', join('..', name));
  return join(folder, name);
}

function clone(from: string, name: string): string {
  git(folder, 'clone', '-q', from, name);
  return join(folder, name);
}

test('an unchanged worktree or clone parses and encodes nothing', async () => {
  const worktree = addWorktree('second');
  await assertNothingMade(worktree);
  await assertAsIfAlone(worktree);
  const cloned = clone(root, 'third');
  await assertNothingMade(cloned);
  await assertAsIfAlone(cloned);
});

test('only what differs is parsed and encoded', async () => {
  const worktree = addWorktree('second');
  writeFiles(worktree, {
    'pkg/module_3.py': 'def parse_cookie_3(header):\n    return header\n',
    'pkg/new.py': 'def fresh():\n    return 1\n',
  });
  rmSync(join(worktree, 'pkg/module_5.py'));
  const { filesParsed, chunksEncoded, chunks } = await index(worktree);
  assert.equal(filesParsed, 2);
  assert.ok(chunksEncoded > 0 && chunksEncoded < chunks / 2, `${chunksEncoded} of ${chunks}`);
  await assertAsIfAlone(worktree);
});

test('before it is indexed, a worktree has none of the files of the other one', async () => {
  writeFiles(root, { 'pkg/untracked.py': 'def parse_cookie_3_untracked():\n    return 1\n' });
  await index(root);
  const worktree = addWorktree('second');
  const repository = await openRepository(worktree, { dataDir, device: 'cpu' });
  try {
    assert.equal((await repository.status()).files, 0);
    assert.deepEqual((await repository.search({ issue: ISSUE })).results, []);
    await repository.index();
    const { results } = await repository.search({ issue: ISSUE, limit: 200 });
    assert.ok(results.length > 0);
    assert.ok(results.every(({ path }) => existsSync(join(worktree, path))));
  } finally {
    await repository.close();
  }
});

test('clones of one remote are related, however its URL is written', async () => {
  const [second, third] = [clone(root, 'second'), clone(root, 'third')];
  rmSync(dataDir, { recursive: true });
  const urls = ['https://name:secret@example.org/Shop/cart.git', 'git@example.org:shop/cart'];
  for (const [at, each] of [second, third].entries())
    git(each, 'remote', 'set-url', 'origin', urls[at]!);
  await index(second);
  await assertNothingMade(third);
  const note = readFileSync(join(getIndexFolder(dataDir, second), 'family.txt'), 'utf8');
  assert.match(note, /^(?:[0-9a-f]{64}\n)+$/);
});

test('other repositories and other folders of a repository are not related', async () => {
  const same = gitRepository(syntheticPackage(12), join(folder, 'other/first'));
  assert.ok((await index(same)).filesParsed > 0);
  const plain = join(folder, 'plain');
  cpSync(join(root, 'pkg'), join(plain, 'pkg'), { recursive: true });
  assert.ok((await index(plain)).filesParsed > 0);
  assert.ok((await index(join(addWorktree('second'), 'pkg'))).filesParsed > 0);
  const bare = ['one.git', 'two.git'].map((name) => join(folder, 'bare', name));
  for (const each of bare) git(folder, 'clone', '-q', '--bare', same, each);
  const clones = bare.map((each) => clone(each, `of-${basename(each, '.git')}`));
  for (const each of clones) assert.ok((await index(each)).filesParsed > 0);
});

test('an index that is being written is copied as it was before', async () => {
  const database = new Sqlite(join(getIndexFolder(dataDir, root), 'index.db'));
  try {
    database.exec('BEGIN IMMEDIATE; DELETE FROM snapshot_files; DELETE FROM chunk_embeddings');
    await assertNothingMade(addWorktree('second'));
  } finally {
    database.exec('ROLLBACK');
    database.close();
  }
});

test('an index is copied while it is updated or deleted', async () => {
  const edits = Object.fromEntries(
    [1, 2, 3].map((i) => [`pkg/module_${i}.py`, `def parse_cookie_${i}(h):\n    return h\n`]),
  );
  const worktree = addWorktree('second');
  writeFiles(root, edits);
  await Promise.all([index(root), index(worktree)]);
  await assertAsIfAlone(worktree);
  await assertAsIfAlone(root);
  const other = addWorktree('third');
  await Promise.all([index(other), deleteIndex(getIndexFolder(dataDir, root))]);
  await assertAsIfAlone(other);
});

test('an index that was not finished gives what it has', async () => {
  const database = new Sqlite(join(getIndexFolder(dataDir, root), 'index.db'));
  database.exec("UPDATE snapshots SET complete = 0 WHERE revision = ''");
  database.close();
  const worktree = addWorktree('second');
  await assertNothingMade(worktree);
  await assertAsIfAlone(worktree);
});

test('embeddings that are missing or damaged are made again', async () => {
  const own = getIndexFolder(dataDir, root);
  const rows = readdirSync(own).find((name) => name.endsWith('.rows8'));
  truncateSync(join(own, rows!), 3000);
  appendFileSync(join(own, rows!), 'x'.repeat(1000));
  const worktree = addWorktree('second');
  const { filesParsed, chunksEncoded } = await index(worktree);
  assert.equal(filesParsed, 0);
  assert.ok(chunksEncoded > 0);
  await assertAsIfAlone(worktree);
});

test('a damaged, removed or older index is not used, and stays as it is', async () => {
  const own = getIndexFolder(dataDir, root);
  const path = join(own, 'index.db');
  const damage: Record<string, () => void> = {
    garbage: () => writeFileSync(path, 'x'.repeat(10_000)),
    older: () => {
      const database = new Sqlite(path);
      database.pragma('user_version = 3');
      database.close();
    },
    removed: () => rmSync(path),
    link: () => symlinkSync('/etc/hostname', path),
  };
  for (const [name, apply] of Object.entries(damage)) {
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    apply();
    const worktree = addWorktree(name);
    assert.ok((await index(worktree)).filesParsed > 0, name);
    rmSync(getIndexFolder(dataDir, worktree), { recursive: true });
    assert.ok(!existsSync(join(own, 'index.db.damaged')), name);
    rmSync(path, { force: true });
    if (name !== 'link' && name !== 'removed') {
      rmSync(own, { recursive: true });
      await index(root);
    }
  }
});

test('a note that is a link is not followed', async () => {
  const own = getIndexFolder(dataDir, root);
  const note = join(own, 'family.txt');
  cpSync(note, join(folder, 'elsewhere.txt'));
  rmSync(note);
  symlinkSync(join(folder, 'elsewhere.txt'), note);
  assert.ok((await index(addWorktree('second'))).filesParsed > 0);
});

test('of several processes, one fills the folder', async () => {
  const [from, to] = [getIndexFolder(dataDir, root), join(dataDir, 'repositories', 'new')];
  const row = 'reranker/embeddings-0123456789ab-1.rows8';
  writeFiles(from, { [row]: 'rows', [`${row}.new`]: 'half', 'reranker/notes': '' });
  const copied = await Promise.all([copyIndex(from, to), copyIndex(from, to)]);
  assert.deepEqual(copied.toSorted(), [false, true]);
  assert.ok(!readdirSync(to).some((name) => name.includes('.copy')));
  assert.deepEqual(readdirSync(join(to, 'reranker')), [basename(row)]);
  assert.ok(!existsSync(join(to, 'root.txt')) && !existsSync(join(to, 'hashes.columns')));
  assert.equal(await copyIndex(from, to), false);
});

test('a copy that was interrupted is made again', async () => {
  const worktree = addWorktree('second');
  const own = getIndexFolder(dataDir, worktree);
  writeFiles(own, { 'index.db.copy': 'half', 'index.db.copy-wal': 'half' });
  await assertNothingMade(worktree);
  await assert.rejects(
    copyIndex(getIndexFolder(dataDir, root), join(folder, 'new'), AbortSignal.abort()),
    { code: 'cancelled' },
  );
  assert.ok(!existsSync(join(folder, 'new/index.db')));
});
