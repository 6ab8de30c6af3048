import assert from 'node:assert/strict';
import fs, {
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HashCache } from '../../src/engine/source/hash-cache.ts';
import { MAX_FILE_BYTES } from '../../src/engine/source/limits.ts';
import {
  commit,
  contents,
  git,
  isPython,
  open,
  repository,
  temporaryFolder,
  write,
} from './fixture.ts';

test('a working tree: tracked and new files, not ignored or deleted ones', async (t) => {
  const root = repository(t, {
    'a.py': 'a = 1\n',
    'pkg/b.py': 'b = 1\n',
    'gone.py': '',
    'build/kept.py': 'k = 1\n',
    'notes.txt': '',
  });
  write(root, { '.gitignore': 'build/\n', 'build/made.py': '', 'new.py': 'n = 1\n' });
  rmSync(join(root, 'gone.py'));
  const { paths, texts, hashes } = await contents(await open(t, root));
  assert.deepEqual(paths, ['a.py', 'build/kept.py', 'new.py', 'pkg/b.py']);
  assert.equal(texts['pkg/b.py'], 'b = 1\n');
  assert.equal(hashes['a.py'], git(root, 'hash-object', 'a.py'));
});

test('a missing folder is refused, and not listed as empty', async (t) => {
  for (const root of [repository(t, { 'a.py': 'a = 1\n' }), temporaryFolder(t)]) {
    const tree = await open(t, root);
    rmSync(root, { recursive: true });
    const gone = { code: 'bad-repository', message: /is no longer there\.$/ };
    await assert.rejects(tree.list(isPython), gone);
  }
});

test('a folder inside a working tree can be opened alone', async (t) => {
  const root = repository(t, { 'a.py': '', 'pkg/b.py': 'b = 1\n', 'pkg/deep/c.py': '' });
  write(root, { '.gitignore': 'c.py\nenv/\n', 'pkg/deep/d.py': '' });
  const { paths } = await contents(await open(t, join(root, 'pkg')));
  assert.deepEqual(paths, ['b.py', 'deep/c.py', 'deep/d.py']);

  write(root, { 'env/lib/x.py': '' });
  const ignored = await contents(await open(t, join(root, 'env')));
  assert.deepEqual(
    ignored.paths,
    ['lib/x.py'],
    'a folder that the repository ignores was opened on purpose',
  );
});

test('a file in conflict is listed once', async (t) => {
  const root = repository(t, { 'a.py': '1\n' });
  git(root, 'checkout', '--quiet', '-b', 'other');
  write(root, { 'a.py': '2\n' });
  commit(root);
  git(root, 'checkout', '--quiet', 'main');
  write(root, { 'a.py': '3\n' });
  commit(root);
  assert.throws(() => git(root, 'merge', 'other'));
  assert.deepEqual((await contents(await open(t, root))).paths, ['a.py']);
});

test('submodules and nested repositories are reported and not entered', async (t) => {
  const library = repository(t, { 'lib.py': '' });
  const root = repository(t, { 'a.py': '' });
  git(root, 'submodule', 'add', '--quiet', library, 'vendor/library');
  const nested = join(root, 'nested');
  mkdirSync(nested);
  git(nested, 'init', '--quiet');
  write(nested, { 'n.py': '' });
  commit(nested);
  const { paths, submodules, skipped } = await contents(await open(t, root));
  assert.deepEqual(paths, ['a.py']);
  assert.deepEqual(submodules, ['nested', 'vendor/library']);
  assert.deepEqual(
    skipped.map((file) => file.reason),
    ['submodule', 'submodule'],
  );

  const head = commit(root);
  assert.ok(
    (await contents(await open(t, root, { revision: head }))).submodules.includes('vendor/library'),
  );
});

test('a plain folder: ignore files at every level', async (t) => {
  const root = temporaryFolder(t);
  write(root, {
    '.gitignore': '*.gen.py\n/only_top.py\nout/\n',
    'a.py': 'a = 1\n',
    'x.gen.py': '',
    'only_top.py': '',
    'out/o.py': '',
    'pkg/.gitignore': '!kept.gen.py\nlocal/*\n!local/shown.py\n',
    'pkg/only_top.py': '',
    'pkg/kept.gen.py': '',
    'pkg/other.gen.py': '',
    'pkg/local/hidden.py': '',
    'pkg/local/shown.py': '',
    'clone/.git/config.py': '',
    'clone/c.py': '',
  });
  const walked = await contents(await open(t, root));
  const expected = [
    'a.py',
    'clone/c.py',
    'pkg/kept.gen.py',
    'pkg/local/shown.py',
    'pkg/only_top.py',
  ];
  assert.deepEqual(walked.paths, expected);
  assert.equal(walked.texts['a.py'], 'a = 1\n');

  rmSync(join(root, 'clone'), { recursive: true });
  git(root, 'init', '--quiet');
  const listed = await contents(await open(t, root));
  assert.deepEqual(
    listed.paths,
    expected.filter((path) => path !== 'clone/c.py'),
    'git says the same',
  );
});

test('a working tree can be opened without git', async (t) => {
  const root = repository(t, {
    '.gitignore': 'out/\n',
    'a.py': '',
    'out/o.py': '',
    'sub/s.py': '',
  });
  write(root, { 'nested/.git/HEAD': '', 'nested/n.py': '' });
  const path = process.env.PATH;
  process.env.PATH = '';
  t.after(() => {
    process.env.PATH = path;
  });
  const { paths, submodules } = await contents(await open(t, root));
  assert.deepEqual({ paths, submodules }, { paths: ['a.py', 'sub/s.py'], submodules: ['nested'] });
  await assert.rejects(open(t, root, { revision: 'HEAD' }), {
    code: 'bad-repository',
    remedy: /^Install git/,
  });
});

test('exclusions are reported with their pattern', async (t) => {
  const exclude = ['vendor/', '*_pb2.py', '!vendor2/'];
  const files = { 'a.py': '', 'x_pb2.py': '', 'vendor/v.py': '', 'vendor2/v.py': '' };
  const root = repository(t, files);
  for (const revision of [undefined, 'HEAD']) {
    const { paths, skipped } = await contents(await open(t, root, { exclude, revision }));
    assert.deepEqual(paths, ['a.py', 'vendor2/v.py']);
    assert.deepEqual(skipped, [
      { path: 'vendor/v.py', reason: 'excluded', detail: 'by the pattern `vendor/`' },
      { path: 'x_pb2.py', reason: 'excluded', detail: 'by the pattern `*_pb2.py`' },
    ]);
  }
  const plain = temporaryFolder(t);
  write(plain, files);
  const { paths, skipped } = await contents(await open(t, plain, { exclude }));
  assert.deepEqual(paths, ['a.py', 'vendor2/v.py']);
  assert.deepEqual(
    skipped.map((file) => file.path),
    ['vendor/', 'x_pb2.py'],
  );
});

test('links are not followed, and loops end', async (t) => {
  const outside = temporaryFolder(t);
  write(outside, { 'secret.py': 's = 1\n' });
  for (const root of [temporaryFolder(t), repository(t, {})]) {
    write(root, { 'a.py': '', 'pkg/b.py': '' });
    symlinkSync('a.py', join(root, 'same.py'));
    symlinkSync(join(outside, 'secret.py'), join(root, 'out.py'));
    symlinkSync('nowhere', join(root, 'broken.py'));
    symlinkSync('loop.py', join(root, 'loop.py'));
    symlinkSync('..', join(root, 'pkg', 'up'));
    symlinkSync('pkg', join(root, 'folder.py'));
    const { paths, skipped } = await contents(await open(t, root));
    assert.deepEqual(paths, ['a.py', 'pkg/b.py']);
    assert.deepEqual(
      skipped.map(({ path, reason, detail }) => `${path} ${reason}: ${detail}`),
      [
        'broken.py unreadable: a broken symbolic link',
        'loop.py unreadable: a symbolic link to itself',
        `out.py outside the root: a symbolic link to \`${outside}/secret.py\``,
        'same.py excluded: a symbolic link to `a.py`, which is indexed once',
      ],
    );
  }
});

test('tracked files behind a folder that became a link are left out', async (t) => {
  const outside = temporaryFolder(t);
  write(outside, { 'b.py': 'stolen\n' });
  const root = repository(t, { 'a.py': '', 'pkg/b.py': '' });
  rmSync(join(root, 'pkg'), { recursive: true });
  symlinkSync(outside, join(root, 'pkg'));
  assert.deepEqual((await contents(await open(t, root))).paths, ['a.py']);
});

test('large and binary files are skipped with the reason', async (t) => {
  const files = {
    'large.py': '#'.repeat(MAX_FILE_BYTES + 1),
    'limit.py': '#'.repeat(MAX_FILE_BYTES),
    'binary.py': 'a\0b',
    'latin.py': Uint8Array.of(0xe9),
    'wide.py': Buffer.from('\ufeffx = 1', 'utf16le'),
  };
  const root = repository(t, files);
  for (const revision of [undefined, 'HEAD']) {
    const tree = await open(t, root, { revision });
    const { texts, skipped } = await contents(tree);
    assert.deepEqual(Object.keys(texts), ['latin.py', 'limit.py', 'wide.py']);
    assert.deepEqual([texts['latin.py'], texts['wide.py']], ['\ufffd', 'x = 1']);
    const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]));
    assert.deepEqual(reasons, {
      'large.py': 'too large',
      'binary.py': 'binary',
    });
  }
});

const HOSTILE = [
  ' .py',
  '-rf.py',
  '"quoted".py',
  "it's.py",
  ':(glob)*.py',
  'a\nb.py',
  'a\tb.py',
  'back\\slash.py',
  'caf\u00e9.py',
  'cafe\u0301.py',
  '\u{1f422}/\u{1f40d}.py',
  '#hash.py',
  '!bang.py',
  '..dots/...py',
];

test('files with hostile names are read normally', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const files = Object.fromEntries(
    HOSTILE.map((name) => [name, `name = ${JSON.stringify(name)}\n`]),
  );
  const root = repository(t, files);
  const plain = temporaryFolder(t);
  write(plain, files);
  for (const tree of [
    await open(t, root),
    await open(t, root, { revision: 'HEAD' }),
    await open(t, plain),
  ]) {
    const { texts, skipped } = await contents(tree);
    assert.deepEqual(texts, files);
    assert.deepEqual(skipped, []);
    const one = new Set([':(glob)*.py']);
    assert.deepEqual(
      (await tree.list(isPython, one)).entries.map((entry) => entry.path),
      [...one],
    );
  }
});

test('a name that is not UTF-8 is reported', { skip: process.platform !== 'linux' }, async (t) => {
  const root = temporaryFolder(t);
  const name = Buffer.concat([Buffer.from(`${root}/bad`), Uint8Array.of(0xff), Buffer.from('.py')]);
  writeFileSync(name, '');
  const expected = [{ path: 'bad\\xff.py', reason: 'unreadable', detail: 'its name is not UTF-8' }];
  assert.deepEqual((await contents(await open(t, root))).skipped, expected);
  git(root, 'init', '--quiet');
  assert.deepEqual((await contents(await open(t, root))).skipped, expected);
  commit(root);
  assert.deepEqual((await contents(await open(t, root))).skipped, expected);
  assert.deepEqual((await contents(await open(t, root, { revision: 'HEAD' }))).skipped, expected);
});

test('files that disappear or change their type before they are read', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.py': 'a = 1\n', 'gone.py': '', 'folder.py': '', 'link.py': '', 'grown.py': '' });
  const tree = await open(t, root);
  const { entries } = await tree.list(isPython);
  for (const name of ['gone.py', 'folder.py', 'link.py']) rmSync(join(root, name));
  mkdirSync(join(root, 'folder.py'));
  symlinkSync('a.py', join(root, 'link.py'));
  write(root, { 'grown.py': '#'.repeat(MAX_FILE_BYTES + 1) });
  const found: Record<string, string> = {};
  for await (const item of tree.read(entries)) {
    found[item.path] = 'text' in item ? item.text : item.skipped.reason;
  }
  assert.deepEqual(found, {
    'a.py': 'a = 1\n',
    'gone.py': 'unreadable',
    'folder.py': 'unreadable',
    'link.py': 'unreadable',
    'grown.py': 'too large',
  });
});

test('hashes of unchanged files are cached', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.py': 'a = 1\n', 'b.py': 'b = 1\n', 'c.py': '', 'fresh.py': '' });
  const hour = 3600_000;
  utimesSync(join(root, 'fresh.py'), new Date(), new Date(Date.now() + hour));
  // A file that changed within two seconds of being read might change again and keep its time stamps.
  await sleep(2100);
  const tree = await open(t, root);
  const hashes = async () => {
    const { entries } = await tree.list(isPython);
    return Object.fromEntries(entries.map((entry) => [entry.path, entry.hash]));
  };
  const unknown = { 'a.py': null, 'b.py': null, 'c.py': null, 'fresh.py': null };
  assert.deepEqual(await hashes(), unknown);
  const { hashes: read } = await contents(tree);
  assert.deepEqual(await hashes(), { ...read, 'fresh.py': null });
  const kept = join(temporaryFolder(t), 'hashes.columns');
  await tree.hashes?.save(kept);
  const later = await open(t, root);
  later.hashes?.adopt(HashCache.load(kept));
  write(root, { 'a.py': 'a = 2\n' });
  utimesSync(join(root, 'b.py'), new Date(), new Date(Date.now() - hour));
  assert.deepEqual(await hashes(), { ...unknown, 'c.py': read['c.py'] });
  // Another process that loads the cache has the same hashes, and removes those of missing files.
  assert.equal(later.hashes?.isChanged, false);
  rmSync(join(root, 'c.py'));
  write(root, { 'd.py': '' });
  const { entries } = await later.list(isPython);
  assert.deepEqual(
    entries.map(({ path, hash }) => [path, hash]),
    ['a.py', 'b.py', 'd.py', 'fresh.py'].map((path) => [path, null]),
  );
  assert.equal(later.hashes?.isChanged, true);
  writeFileSync(kept, readFileSync(kept).fill(0, 200));
  const damaged = await open(t, root);
  damaged.hashes?.adopt(HashCache.load(kept));
  assert.ok((await damaged.list(isPython)).entries.every(({ hash }) => hash === null));
});

test('a listing of some paths agrees with the full listing', async (t) => {
  const files = {
    '.gitignore': 'out/\n',
    'a.py': '',
    'pkg/b.py': '',
    'pkg/c.py': '',
    'out/o.py': '',
  };
  const root = repository(t, files);
  const plain = temporaryFolder(t);
  write(plain, files);
  const only = new Set(['pkg/b.py', 'out/o.py', 'missing.py', 'pkg']);
  for (const tree of [
    await open(t, root),
    await open(t, plain),
    await open(t, root, { revision: 'HEAD' }),
  ]) {
    assert.deepEqual(
      (await tree.list(isPython, only)).entries.map((entry) => entry.path),
      ['pkg/b.py'],
    );
    assert.deepEqual((await tree.list(isPython, new Set())).entries, []);
  }
  const many = new Set(Array.from({ length: 2000 }, (_, index) => `pkg/b${index}.py`)).add(
    'pkg/c.py',
  );
  const listing = await (await open(t, root)).list(isPython, many);
  assert.deepEqual(
    listing.entries.map((entry) => entry.path),
    ['pkg/c.py'],
  );
});

test('an unreadable folder is reported with a remedy', async (t) => {
  const root = temporaryFolder(t);
  // The root user can enter all folders.
  t.mock.method(fs, 'accessSync', () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await assert.rejects(open(t, root, {}), {
    code: 'bad-repository',
    message: /cannot be opened: EACCES/,
    remedy: 'Check its permissions.',
  });
});

test('errors of opening name the object and a remedy', async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'file.py': '' });
  const refused = (path: string, message: RegExp, revision?: string) =>
    assert.rejects(open(t, path, { revision }), {
      name: 'LocusError',
      code: 'bad-repository',
      message,
    });
  await refused(join(root, 'none'), /none does not exist/);
  await assert.rejects(open(t, '', {}), { code: 'bad-input', message: /The path is empty/ });
  await refused(join(root, 'file.py'), /file.py is a file/);
  await refused(root, /The revision main cannot be opened: .* is not in a git repository/, 'main');
  git(root, 'init', '--quiet');
  await refused(root, /There is no commit HEAD/, 'HEAD');
  commit(root);
  await refused(root, /There is no commit no-such-branch/, 'no-such-branch');
  await refused(root, /There is no commit --all/, '--all');
  await refused(root, /There is no commit /, '');
  write(root, { '.git/index': 'nonsense' });
  const tree = await open(t, root);
  await assert.rejects(tree.list(isPython), {
    code: 'bad-repository',
    message: /Git cannot read .*index/s,
  });
  write(root, { '.git/config': '[nonsense' });
  await refused(root, /Git cannot read .*config/s);
});

test('environment variables that point git elsewhere are ignored', async (t) => {
  const root = repository(t, { 'a.py': '' });
  const other = repository(t, { 'other.py': '' });
  process.env.GIT_DIR = join(other, '.git');
  t.after(() => delete process.env.GIT_DIR);
  assert.deepEqual((await contents(await open(t, root))).paths, ['a.py']);
});
