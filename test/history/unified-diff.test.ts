import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDiff } from '../../src/base/unified-diff.ts';

const parse = (...lines: string[]) => parseDiff(`${lines.join('\n')}\n`);

test('reads files and hunks of a diff', () => {
  const files = parse(
    ...['diff --git a/a.py b/a.py', 'index 1..2 100644', '--- a/a.py', '+++ b/a.py'],
    ...['@@ -1,2 +1,2 @@ def f():', ' x', '-y', '+z', '@@ -9 +9,0 @@', '-w'],
    ...['diff --git a/b.py b/b.py', 'new file mode 100644', '--- /dev/null', '+++ b/b.py'],
    ...['@@ -0,0 +1 @@', '+new'],
  );
  assert.deepEqual(
    files.map(({ from, to }) => [from, to]),
    [
      ['a.py', 'a.py'],
      [null, 'b.py'],
    ],
  );
  assert.deepEqual(files[0]?.hunks, [
    {
      oldStart: 1,
      oldLines: 2,
      lines: [
        { mark: ' ', text: 'x' },
        { mark: '-', text: 'y' },
        { mark: '+', text: 'z' },
      ],
    },
    { oldStart: 9, oldLines: 1, lines: [{ mark: '-', text: 'w' }] },
  ]);
});

test('returns files that only moved, but not those that only changed their mode', () => {
  const files = parse(
    ...['diff --git a/a.py b/c d.py', 'similarity index 100%'],
    ...['rename from a.py', 'rename to c d.py'],
    ...['diff --git a/b.py b/b.py', 'old mode 100644', 'new mode 100755'],
  );
  assert.deepEqual(files, [{ from: 'a.py', to: 'c d.py', movedFrom: 'a.py', hunks: [] }]);
});

test('cuts names at the tab that git adds after a blank, and leaves quoted names empty', () => {
  const [spaced, quoted] = parse(
    ...['--- a/a b.py\t', '+++ b/a b.py\t', '@@ -1 +1 @@', '-x', '+y'],
    ...['--- "a/t\\tb.py"', '+++ "b/t\\tb.py"', '@@ -1 +1 @@', '-x', '+y'],
  );
  assert.equal(spaced?.from, 'a b.py');
  assert.deepEqual([quoted?.from, quoted?.to], ['', '']);
});

test('assigns lines to a hunk by its counts, whatever they look like', () => {
  const [file, ...others] = parse(
    ...['--- a/a.sql', '+++ b/a.sql', '@@ -1,3 +1,3 @@'],
    ...['--- a comment', '+++ b', '-@@ -1 +1 @@', '+diff --git a/b b/b', '', 'no line'],
  );
  assert.deepEqual(others, []);
  assert.deepEqual(
    file?.hunks.map(({ lines }) => lines.map(({ mark, text }) => mark + text)),
    [['--- a comment', '+++ b', '-@@ -1 +1 @@', '+diff --git a/b b/b', ' ']],
  );
});

test('reads the remark about a missing final line feed as a remark, not a line', () => {
  const remark = '\\ No newline at end of file';
  const [file] = parse('--- a/a', '+++ b/a', '@@ -1 +1,2 @@', '-x', remark, '+y', '+z', remark);
  assert.deepEqual(
    file?.hunks.map(({ lines }) => lines.map(({ mark }) => mark).join('')),
    ['-\\++\\'],
  );
});
