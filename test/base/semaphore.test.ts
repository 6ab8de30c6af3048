import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '../../src/base/semaphore.ts';

const never = () => new Promise<never>(() => {});

test('work waits for a permit, in order', async () => {
  const semaphore = new Semaphore(1);
  const order: number[] = [];
  const first = Promise.withResolvers<void>();
  const runs = [
    semaphore.run(undefined, 'Work', () => first.promise.then(() => order.push(1))),
    semaphore.run(undefined, 'Work', async () => order.push(2)),
    semaphore.run(undefined, 'Work', async () => order.push(3)),
  ];
  assert.deepEqual(order, []);
  first.resolve();
  await Promise.all(runs);
  assert.deepEqual(order, [1, 2, 3]);
});

test('a caller that cancels continues, and stuck work keeps its permit', async () => {
  const semaphore = new Semaphore(2);
  const cancelling = new AbortController();
  const { signal } = cancelling;
  const stuck = [semaphore.run(signal, 'Work', never), semaphore.run(signal, 'Work', never)];
  // Both start.
  await setImmediate();
  const waiting = semaphore.run(signal, 'Work', async () => assert.fail('no permit is free'));
  cancelling.abort();
  for (const one of [...stuck, waiting]) await assert.rejects(one, { code: 'cancelled' });
  const late = new AbortController();
  const next = semaphore.run(late.signal, 'Work', async () => assert.fail('no permit is free'));
  setTimeout(() => late.abort(), 50);
  await assert.rejects(next, { code: 'cancelled' });
});

test('failed work releases its permit', async () => {
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(undefined, 'Work', async () => Promise.reject(new Error('no')));
  await assert.rejects(failing, /no/);
  assert.equal(await semaphore.run(undefined, 'Work', async () => 1), 1);
});
