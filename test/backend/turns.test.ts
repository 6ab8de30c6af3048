/* Repositories that are opened together are indexed one after the other. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Turns } from '../../src/backend/turns.ts';

it('turns are taken in the order in which they were asked for, whatever becomes of one', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take(async () => {
    order.push('first begins');
    await gate.promise;
    order.push('first ends');
    throw new Error('it failed');
  });
  const second = turns.take(async () => {
    order.push('second');
    return 2;
  });
  gate.resolve();
  await assert.rejects(first, /it failed/);
  assert.equal(await second, 2);
  assert.deepEqual(order, ['first begins', 'first ends', 'second']);
});
