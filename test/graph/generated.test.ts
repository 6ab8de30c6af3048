import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdgesIn } from './support.ts';

test('resolves long chains of aliases in generated code', async () => {
  const count = 5000;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const aliases = numbers.map((i) => `x${i} = x${i - 1}`).join('\n');
  assert.deepEqual(
    await findEdgesIn(
      `def target(): pass\nx0 = target\n${aliases}\ndef f():\n    x${count}()\n    x3()\n`,
    ),
    ['f > target'],
  );
});

test('resolves methods in deep class hierarchies', async () => {
  const depth = 500;
  const classes = Array.from({ length: depth }, (_, i) => `class C${i + 1}(C${i}): pass`).join(
    '\n',
  );
  const found = await findEdgesIn(
    `class C0:\n    def m(self): pass\n${classes}\ndef f():\n    C${depth}().m()\n`,
  );
  assert.equal(found.length, depth + 2);
  assert.ok(found.includes('f > C0.m'));
});
