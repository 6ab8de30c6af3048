import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdleTimer } from '../../src/base/idle-timer.ts';

test('calls back once, after the last work', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  const timer = new IdleTimer(100, () => calls++);
  t.mock.timers.tick(1_000);
  assert.equal(calls, 0, 'it does not wait before it is told to');
  timer.restart();
  t.mock.timers.tick(99);
  timer.restart();
  t.mock.timers.tick(99);
  assert.equal(calls, 0);
  t.mock.timers.tick(1);
  t.mock.timers.tick(1_000);
  assert.equal(calls, 1);
  timer.restart();
  timer.stop();
  t.mock.timers.tick(1_000);
  assert.equal(calls, 1);
});
