import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerialQueue } from '../../src/base/serial-queue.ts';

test('tasks run in order, even if earlier ones fail', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.add(async () => {
    order.push('first begins');
    await gate.promise;
    order.push('first ends');
    throw new Error('it failed');
  });
  const second = queue.add(() => {
    order.push('second');
    return 2;
  });
  const idle = queue.waitUntilIdle().then(() => order.push('idle'));
  gate.resolve();
  await assert.rejects(first, /it failed/);
  assert.equal(await second, 2);
  await idle;
  assert.deepEqual(order, ['first begins', 'first ends', 'second', 'idle']);
});
