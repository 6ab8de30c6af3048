import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeMemory } from '../../src/engine/event-loop/free-memory.ts';

test('returns unused memory to the system at once', () => {
  let held: string[] | null = Array.from({ length: 1_000_000 }, (_, i) => `string ${i}`);
  const before = process.memoryUsage();
  held = null;
  freeMemory();
  const after = process.memoryUsage();
  assert.equal(held, null);
  assert.ok(
    before.heapTotal - after.heapTotal > 20 * 2 ** 20,
    `${before.heapTotal} ${after.heapTotal}`,
  );
  assert.ok(before.rss - after.rss > 20 * 2 ** 20, `${before.rss} ${after.rss}`);
});
