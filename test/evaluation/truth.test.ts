import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editedChunks, editsOf } from '../../src/engine/evaluation/truth.ts';

// 1 import os
// 2
// 3 class Jar:
// 4     size = 0
// 5
// 6     def put(self, x):
// 7         self.x = x
// 8         return self
// 9
// 10     def get(self):
// 11         return self.x
// 12
// 13 def make():
// 14     return Jar()
const CHUNKS = [
  { name: '<module>', startLine: 1, endLine: 14 },
  { name: 'Jar', startLine: 3, endLine: 11 },
  { name: 'put', startLine: 6, endLine: 8 },
  { name: 'get', startLine: 10, endLine: 11 },
  { name: 'make', startLine: 13, endLine: 14 },
];

function edited(...hunks: string[]): string[] {
  const patch = ['diff --git a/jar.py b/jar.py', '--- a/jar.py', '+++ b/jar.py', ...hunks, ''];
  const edits = editsOf(patch.join('\n')).get('jar.py') ?? [];
  return [...editedChunks(CHUNKS, edits)].map(({ name }) => name).sort();
}

test('a deleted line is an edit of the innermost chunk around it', () => {
  assert.deepEqual(edited('@@ -7,2 +7,1 @@', '-        self.x = x', '         return self'), [
    'put',
  ]);
  assert.deepEqual(edited('@@ -4 +4 @@', '-    size = 0', '+    size = 1'), ['Jar']);
  assert.deepEqual(edited('@@ -1 +0,0 @@', '-import os'), ['<module>']);
});

test('an insertion is an edit of the innermost chunk that has the lines before and after it', () => {
  assert.deepEqual(edited('@@ -7,0 +8 @@', '+        x = 1'), ['put']);
  assert.deepEqual(edited('@@ -9,0 +10,2 @@', '+    def new(self):', '+        pass'), ['Jar']);
  assert.deepEqual(edited('@@ -12,0 +13 @@', '+x = 1'), ['<module>']);
});

test('an insertion before the first or after the last line of a chunk is outside it', () => {
  assert.deepEqual(edited('@@ -5,0 +6 @@', '+    @cached'), ['Jar']);
  assert.deepEqual(edited('@@ -11,0 +12 @@', '+        # end'), ['<module>']);
  assert.deepEqual(edited('@@ -14,0 +15 @@', '+x = 1'), []);
});

test('lines that replace deleted ones are no edit of their own', () => {
  const replaced = ['@@ -10,2 +10,3 @@', '     def get(self):'];
  const lines = ['-        return self.x', '+        x = self.x', '+        return x'];
  assert.deepEqual(edited(...replaced, ...lines), ['get']);
});

test('several hunks, several chunks; no newline at the end is no change', () => {
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

test('new files edit nothing, renamed ones edit what they were', () => {
  const added = '--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n';
  assert.equal(editsOf(added).size, 0);
  const renamed =
    'diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n--- a/old.py\n+++ b/new.py\n@@ -3 +3 @@\n-x\n+y\n';
  assert.deepEqual([...editsOf(renamed)], [['old.py', [{ first: 3, last: 3 }]]]);
});
