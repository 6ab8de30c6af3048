/** Failed work is retried a limited number of times, and stops when it is cancelled. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { doublingDelays, listedDelays, RetryTimer, retry } from '../../src/base/retry.ts';
import { isCancelled } from '../../src/shared/errors.ts';

class Flaky extends Error {}

/** Returns work that fails a number of times, and a counter of its attempts. */
function failing(times: number, error = new Flaky('flaky')) {
  const work = {
    attempts: 0,
    run: async () => {
      if (++work.attempts <= times) throw error;
      return 'done';
    },
  };
  return work;
}

const OPTIONS = {
  attempts: 3,
  delays: () => 0,
  name: 'The work',
  shouldRetry: (error: unknown) => error instanceof Flaky,
};

describe('retry', () => {
  test('returns the result of the first attempt that succeeds', async () => {
    const work = failing(2);
    assert.equal(await retry(work.run, OPTIONS), 'done');
    assert.equal(work.attempts, 3);
  });

  test('throws the last error after all attempts, and permanent errors immediately', async () => {
    const hopeless = failing(9);
    await assert.rejects(retry(hopeless.run, OPTIONS), Flaky);
    assert.equal(hopeless.attempts, 3);
    const fatal = failing(9, new TypeError('fatal'));
    await assert.rejects(retry(fatal.run, OPTIONS), TypeError);
    assert.equal(fatal.attempts, 1);
  });

  test('passes the number of failures and the error to the delays', async () => {
    const asked: [number, unknown][] = [];
    const error = new Flaky('flaky');
    const delays = (failures: number, last: unknown) => {
      asked.push([failures, last]);
      return 0;
    };
    await retry(failing(2, error).run, { ...OPTIONS, delays });
    assert.deepEqual(asked, [
      [1, error],
      [2, error],
    ]);
  });

  test('is cancelled before, during and after an attempt', async () => {
    const before = failing(0);
    await assert.rejects(
      retry(before.run, { ...OPTIONS, signal: AbortSignal.abort() }),
      isCancelled,
    );
    assert.equal(before.attempts, 0);
    const controller = new AbortController();
    const during = async () => {
      controller.abort();
      throw new Flaky('the connection was closed');
    };
    await assert.rejects(retry(during, { ...OPTIONS, signal: controller.signal }), isCancelled);
    const waiting = new AbortController();
    const delays = () => {
      queueMicrotask(() => waiting.abort());
      return 2 ** 30;
    };
    const { signal } = waiting;
    await assert.rejects(retry(failing(1).run, { ...OPTIONS, delays, signal }), isCancelled);
  });
});

describe('delays', () => {
  test('double up to a limit, with up to a quarter more at random', () => {
    const delays = doublingDelays(100, 300);
    for (const [failures, least] of [
      [1, 100],
      [2, 200],
      [3, 300],
      [9, 300],
    ] as const) {
      const delay = delays(failures, null);
      assert.ok(delay >= least && delay <= 1.25 * least, `${failures}: ${delay}`);
    }
  });

  test('are listed, and the last one applies to all further failures', () => {
    const delays = listedDelays([0, 5, 9]);
    assert.deepEqual(
      [1, 2, 3, 4].map((failures) => delays(failures, null)),
      [0, 5, 9, 9],
    );
  });
});

test('a timer counts consecutive failures, and starts only the latest schedule', async () => {
  const counts: number[] = [];
  const timer = new RetryTimer((failures) => {
    counts.push(failures);
    return 0;
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  timer.schedule(() => resolve('first'));
  timer.schedule(() => resolve('second'));
  assert.equal(await promise, 'second');
  assert.deepEqual([counts, timer.failures], [[1, 2], 2]);
  timer.reset();
  timer.schedule(() => assert.fail('it was stopped'));
  timer.stop();
  assert.deepEqual(counts, [1, 2, 1]);
});
