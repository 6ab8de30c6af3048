import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEditedChunks, findEdits, groupHunks } from '../../src/base/edited-chunks.ts';

const JAR = `import os

class Jar:
    size = 0

    def put(self, x):
        self.x = x
        return self

    def get(self):
        return self.x

def make():
    return Jar()
`;
const CHUNKS = [
  { name: '<module>', startLine: 1, endLine: 14 },
  { name: 'Jar', startLine: 3, endLine: 11 },
  { name: 'put', startLine: 6, endLine: 8 },
  { name: 'get', startLine: 10, endLine: 11 },
  { name: 'make', startLine: 13, endLine: 14 },
];

const edited = (...hunks: string[]): string[] => editedIn(undefined, hunks);

function editedIn(text: string | undefined, hunks: readonly string[]): string[] {
  const patch = ['diff --git a/jar.py b/jar.py', '--- a/jar.py', '+++ b/jar.py', ...hunks, ''];
  const edits = findEdits(groupHunks(patch.join('\n')).get('jar.py') ?? [], text);
  return [...findEditedChunks(CHUNKS, edits)].map(({ name }) => name).sort();
}

test('a deleted line edits the innermost chunk around it', () => {
  assert.deepEqual(edited('@@ -7,2 +7,1 @@', '-        self.x = x', '         return self'), [
    'put',
  ]);
  assert.deepEqual(edited('@@ -4 +4 @@', '-    size = 0', '+    size = 1'), ['Jar']);
  assert.deepEqual(edited('@@ -1 +0,0 @@', '-import os'), ['<module>']);
});

test('an insertion edits the innermost chunk that has the lines before and after it', () => {
  assert.deepEqual(edited('@@ -7,0 +8 @@', '+        x = 1'), ['put']);
  assert.deepEqual(edited('@@ -9,0 +10,2 @@', '+    def new(self):', '+        pass'), ['Jar']);
  assert.deepEqual(edited('@@ -12,0 +13 @@', '+x = 1'), ['<module>']);
});

test('an insertion before the first or after the last line of a chunk is outside it', () => {
  assert.deepEqual(edited('@@ -5,0 +6 @@', '+    @cached'), ['Jar']);
  assert.deepEqual(edited('@@ -11,0 +12 @@', '+        # end'), ['<module>']);
  assert.deepEqual(edited('@@ -14,0 +15 @@', '+x = 1'), []);
});

test('lines that replace deleted lines are not a separate edit', () => {
  const replaced = ['@@ -10,2 +10,3 @@', '     def get(self):'];
  const lines = ['-        return self.x', '+        x = self.x', '+        return x'];
  assert.deepEqual(edited(...replaced, ...lines), ['get']);
});

test('several hunks edit several chunks; a missing newline at the end is not a change', () => {
  const hunks = [
    ...['@@ -7 +7 @@', '-        self.x = x', '+        self.x = [x]'],
    ...['@@ -14 +14 @@', '-    return Jar()', '\\ No newline at end of file'],
    ...['+    return Jar(1)', '\\ No newline at end of file'],
  ];
  assert.deepEqual(edited(...hunks), ['make', 'put']);
});

test('deleted lines that look like headers are lines', () => {
  assert.deepEqual(edited('@@ -7,2 +7 @@', '--- a', '         return self'), ['put']);
});

test('new files edit nothing, renamed files edit the old path', () => {
  const added = '--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n';
  assert.equal(groupHunks(added).size, 0);
  const renamed =
    'diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n--- a/old.py\n+++ b/new.py\n@@ -3 +3 @@\n-x\n+y\n';
  const [[path, hunks]] = groupHunks(renamed);
  assert.equal(path, 'old.py');
  assert.deepEqual(findEdits(hunks), [{ first: 3, last: 3 }]);
});

test('a hunk with a wrong line number is found by its lines', () => {
  const hunk = [
    '@@ -7,2 +7,2 @@',
    '     def get(self):',
    '-        return self.x',
    '+        return 1',
  ];
  assert.deepEqual(edited(...hunk), ['put']);
  assert.deepEqual(editedIn(JAR, hunk), ['get']);
  assert.deepEqual(editedIn(JAR.replaceAll('\n', '\r\n'), hunk), ['get']);
});

test('of several matches, the nearest is used, and the next hunk shifts accordingly', () => {
  const text = `${JAR}${JAR}`;
  const hunk = (at: number) => [
    `@@ -${at} +${at} @@`,
    '-        return self.x',
    '+        return 1',
  ];
  const linesOf = (...hunks: string[]) => {
    const patch = ['--- a/jar.py', '+++ b/jar.py', ...hunks, ''].join('\n');
    return findEdits(groupHunks(patch).get('jar.py')!, text).map(({ first }) => first);
  };
  assert.deepEqual(linesOf(...hunk(11)), [11]);
  assert.deepEqual(linesOf(...hunk(25)), [25]);
  const moved = ['@@ -1,3 +1,3 @@', '     return Jar()', '-import os', '+import sys', ' '];
  assert.deepEqual(linesOf(...moved), [15]);
  assert.deepEqual(linesOf(...moved, ...hunk(11)), [15, 25]);
});

test('a hunk whose lines are missing stays at its line number', () => {
  assert.deepEqual(editedIn(JAR, ['@@ -7 +7 @@', '-        self.y = y', '+        self.z = z']), [
    'put',
  ]);
});
