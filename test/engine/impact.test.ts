import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { containsDiff } from '../../src/base/unified-diff.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Impact } from '../../src/shared/impact.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const STORE = `import json


class Store:
    def load(self, key):
        return json.loads(self.read(key))

    def read(self, key):
        return self.files[key]


class FileStore(Store):
    def read(self, key):
        return open(key).read()


def open_store(path):
    store = FileStore()
    store.path = path
    return store


def close_store(store):
    store.path = None
    store.files = None
`;
const APP = `from shop.store import close_store, open_store


def start(path):
    return open_store(path)


def stop(store):
    # close_store is safe to call twice
    return close_store(store)
`;
const TESTS = `from shop.app import start, stop
from shop.store import open_store


def test_open():
    assert open_store('a').path == 'a'


def test_start():
    assert start('a').path == 'a'


def test_other():
    assert 1 == 1
`;
const FILES = {
  'shop/store.py': STORE,
  'shop/app.py': APP,
  'shop/späte datei.py': 'def late():\n    return 1\n',
  'tests/test_store.py': TESTS,
  'docs/stores.md': '# Stores\n\nCall close_store at the end.\n',
};

const SIGNATURE = `diff --git a/shop/store.py b/shop/store.py
--- a/shop/store.py
+++ b/shop/store.py
@@ -16,5 +16,5 @@ class FileStore(Store):
 
-def open_store(path):
+def open_store(path, mode):
     store = FileStore()
     store.path = path
     return store
`;
const REMOVAL = `--- a/shop/store.py
+++ b/shop/store.py
@@ -21,6 +21,1 @@
 
-
-def close_store(store):
-    store.path = None
-    store.files = None
`;

const listEdited = ({ edited }: Impact) =>
  edited.map(({ change, qualifiedName }) => `${change} ${qualifiedName}`);
const listReasons = ({ suggestions }: Impact) =>
  suggestions.flatMap(({ qualifiedName, reasons }) =>
    reasons.map(({ kind, line }) => `${kind} ${qualifiedName} ${line}`),
  );
const listTests = ({ tests }: Impact) =>
  tests.map(({ name, distance, inDiff }) => `${name} ${distance}${inDiff ? ' in the diff' : ''}`);

describe('the impact of a diff', () => {
  let root: string;
  let dataDir: string;
  let repository: Repository;
  const ask = (diff: string, limit = 20) => repository.impact({ diff, limit });

  before(async () => {
    root = gitRepository(FILES);
    dataDir = temporaryFolder();
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
  });
  after(async () => {
    await repository.close();
    for (const folder of [root, dataDir]) removeFolder(folder);
  });

  it('has the callers of a function whose parameters change, and the tests that reach it', async () => {
    const impact = await ask(SIGNATURE);
    assert.deepEqual(listEdited(impact), ['signature open_store']);
    const calls = listReasons(impact).filter((reason) => reason.startsWith('call'));
    assert.deepEqual(calls.sort(), ['call start 5', 'call test_open 6']);
    const [first] = impact.suggestions;
    assert.equal(first?.reasons[0]?.text, 'calls `open_store`, whose signature changed');
    assert.deepEqual(listTests(impact), ['test_open 1', 'test_start 2']);
    assert.equal(impact.placed, 1);
    assert.equal(impact.note, null);
  });

  it('does not suggest what the diff edits, and marks its tests', async () => {
    const impact = await ask(`${SIGNATURE}--- a/shop/app.py
+++ b/shop/app.py
@@ -4,2 +4,2 @@
 def start(path):
-    return open_store(path)
+    return open_store(path, 'r')
--- a/tests/test_store.py
+++ b/tests/test_store.py
@@ -5,2 +5,2 @@
 def test_open():
-    assert open_store('a').path == 'a'
+    assert open_store('a', 'r').path == 'a'
@@ -13,2 +13,2 @@
 def test_other():
-    assert 1 == 1
+    assert 2 == 2
`);
    assert.deepEqual(listEdited(impact), [
      'signature open_store',
      'body start',
      'body test_open',
      'body test_other',
    ]);
    assert.deepEqual(
      impact.suggestions.filter(({ name }) => /^(start|open_store|test_open)$/.test(name)),
      [],
    );
    assert.deepEqual(listTests(impact), [
      'test_other 0 in the diff',
      'test_open 1 in the diff',
      'test_start 1',
    ]);
  });

  it('has methods of the same name in the class hierarchy', async () => {
    const impact = await ask(`--- a/shop/store.py
+++ b/shop/store.py
@@ -8,2 +8,2 @@
     def read(self, key):
-        return self.files[key]
+        return self.files.get(key)
`);
    assert.deepEqual(listEdited(impact), ['body Store.read']);
    const texts = impact.suggestions.flatMap(({ reasons }) => reasons.map(({ text }) => text));
    assert.ok(texts.includes('overrides `Store.read`'), texts.join());
  });

  it('has the places that name a function which the diff removes', async () => {
    const impact = await ask(REMOVAL);
    assert.deepEqual(listEdited(impact), ['removed close_store']);
    const reasons = listReasons(impact);
    assert.ok(reasons.includes('call stop 10'), reasons.join());
    assert.ok(reasons.includes('name stop 9'), reasons.join());
    assert.ok(reasons.includes('name Stores 3'), reasons.join());
  });

  it('reads a diff with CRLF, prefixes and a path from above the folder', async () => {
    const diff = SIGNATURE.replaceAll('a/shop/', 'i/code/shop/')
      .replaceAll('b/shop/', 'w/code/shop/')
      .replaceAll('\n', '\r\n');
    assert.deepEqual(listEdited(await ask(diff)), ['signature open_store']);
  });

  it('reads quoted names', async () => {
    const impact =
      await ask(`diff --git "a/shop/sp\\303\\244te datei.py" "b/shop/sp\\303\\244te datei.py"
--- "a/shop/sp\\303\\244te datei.py"
+++ "b/shop/sp\\303\\244te datei.py"
@@ -1,2 +1,2 @@
 def late():
-    return 1
+    return 2
`);
    assert.deepEqual(listEdited(impact), ['body late']);
  });

  it('finds functions by name if the lines of the diff are not in the index, and says so', async () => {
    const impact = await ask(`--- a/shop/store.py
+++ b/shop/store.py
@@ -90,3 +90,3 @@ def open_store(path):
     before = 1
-    old = 1
+    new = 1
`);
    assert.deepEqual(listEdited(impact), ['body open_store']);
    assert.match(impact.note ?? '', /other lines in `shop\/store.py`/);
    assert.equal(impact.placed, 0);
  });

  it('lists added and removed files, files outside the index, and binary ones', async () => {
    const impact = await ask(`diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+def fresh():
+    return 1
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-def stale():
-    return 1
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
`);
    assert.deepEqual(listEdited(impact), ['added fresh', 'removed stale']);
    assert.deepEqual(impact.unindexed, ['new.py', 'gone.py']);
    assert.match(impact.note ?? '', /^Not in the index: .*1 binary file not read\.$/);
  });

  it('never follows a path out of the index', async () => {
    for (const path of [
      '../shop/store.py',
      '/etc/passwd',
      'shop/../shop/store.py',
      'c:/shop/store.py',
    ]) {
      const diff = SIGNATURE.replaceAll('a/shop/store.py', path).replaceAll(
        'b/shop/store.py',
        path,
      );
      const impact = await ask(diff);
      assert.deepEqual(impact.edited, [], path);
      assert.deepEqual(impact.unindexed.length, 1, path);
    }
  });

  it('refuses a text without a diff, and a hunk without a file', async () => {
    await assert.rejects(ask('a review comment'), { code: 'bad-input' });
    await assert.rejects(ask('@@ -1,1 +1,1 @@\n-a\n+b\n'), {
      message: 'The diff has a hunk without a file.',
      remedy: /--- and \+\+\+/,
    });
    await assert.rejects(repository.impact({ diff: SIGNATURE, commit: 'HEAD' }), {
      code: 'bad-input',
    });
    await assert.rejects(repository.impact({ commit: '--output=x' }), { code: 'bad-input' });
  });

  it('counts what the limits leave out', async () => {
    const impact = await repository.impact({ diff: SIGNATURE, limit: 1, tests: 1 });
    assert.equal(impact.suggestions.length, 1);
    assert.equal(impact.tests.length, 1);
    assert.equal(impact.hiddenTests, 1);
    assert.ok(impact.hidden > 0);
    assert.deepEqual(await repository.impact({ diff: SIGNATURE, limit: 1, tests: 1 }), impact);
  });

  it('stays fast for a large hunk that fits nowhere', async () => {
    const lines = `${' \n'.repeat(50_000)}-x\n`;
    const impact = await ask(
      `--- a/shop/store.py\n+++ b/shop/store.py\n@@ -1,50001 +1,50000 @@\n${lines}`,
    );
    assert.equal(impact.placed, 0);
  });
});

describe('the impact of changes that git knows', () => {
  it('reads the working tree, and a commit, of which the index has the new lines', async () => {
    const root = gitRepository(FILES);
    const dataDir = temporaryFolder();
    writeFileSync(
      join(root, 'shop/store.py'),
      STORE.replace('def open_store(path)', 'def open_store(path, mode)').replaceAll(
        'close_store',
        'shut_store',
      ),
    );
    writeFileSync(join(root, 'shop/fresh.py'), 'def fresh():\n    return 1\n');
    renameSync(join(root, 'shop/späte datei.py'), join(root, 'shop/later.py'));
    const expected = ['added fresh', 'added late', 'renamed shut_store', 'signature open_store'];
    const repository = await openRepository(root, { dataDir, device: 'cpu' });
    try {
      await repository.index();
      const changes = await repository.impact();
      assert.deepEqual(listEdited(changes).sort(), expected);
      assert.equal(
        changes.edited.find(({ change }) => change === 'renamed')?.formerName,
        'close_store',
      );
      assert.ok(listReasons(changes).includes('name stop 9'), listReasons(changes).join());
      const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args]);
      git('add', '-A');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'Open stores in a mode');
      await repository.index();
      assert.deepEqual(await repository.impact().then(listEdited), []);
      const commit = listEdited(await repository.impact({ commit: 'HEAD' })).sort();
      assert.deepEqual(
        commit,
        expected.filter((one) => one !== 'added late'),
      );
      await assert.rejects(repository.impact({ commit: 'no-such-branch' }), { code: 'bad-input' });
    } finally {
      await repository.close();
      for (const folder of [root, dataDir]) removeFolder(folder);
    }
  });
});

describe('a diff in a text', () => {
  it('is seen by its hunks', () => {
    assert.equal(containsDiff(SIGNATURE), true);
    assert.equal(containsDiff(`Look at this:\n\n${SIGNATURE.replaceAll('\n', '\r\n')}`), true);
    assert.equal(containsDiff('the header @@ -1,2 +1,2 @@ in prose\n text'), false);
    assert.equal(containsDiff('@@ -1,2 +1,2 @@'), false);
    assert.equal(containsDiff('--- a\n+++ b\n'), false);
    assert.equal(containsDiff('\n@@ -'.repeat(200_000)), false);
  });
});
