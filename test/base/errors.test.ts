/** Errors keep their remedies between threads, processes and hosts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { throwIfCancelled, waitUnlessCancelled } from '../../src/base/cancel.ts';
import {
  cancelled,
  fromFailure,
  isCancelled,
  LocusError,
  RemoteDefect,
  toFailure,
} from '../../src/shared/errors.ts';

/** Sends an error as a host does, through JSON, and as a thread does, through a structured clone. */
const send = (error: unknown) =>
  fromFailure(structuredClone(JSON.parse(JSON.stringify(toFailure(error)))));

describe('an error that is sent', () => {
  test('stays a LocusError with its code and remedy', () => {
    const arrived = send(new LocusError('bad-store', 'The index is damaged.', 'Rebuild it.'));
    assert.ok(arrived instanceof LocusError);
    assert.deepEqual(toFailure(arrived), {
      code: 'bad-store',
      message: 'The index is damaged.',
      remedy: 'Rebuild it.',
    });
  });

  test('says that it is a defect if it is unexpected, however often it is sent', () => {
    for (const error of [new TypeError('x is `undefined`'), 'x is `undefined`']) {
      const arrived = send(send(error));
      assert.ok(arrived instanceof RemoteDefect);
      assert.equal(arrived.code, 'unexpected');
      assert.equal(arrived.message, 'Something failed unexpectedly: `x is \\x60undefined\\x60`.');
    }
  });

  test('is recognized as a cancellation on both sides', () => {
    const error = cancelled('Reading the list');
    assert.equal(error.message, 'Reading the list was cancelled.');
    for (const one of [error, toFailure(error), send(error)]) assert.ok(isCancelled(one));
    for (const one of [new Error('cancelled'), null, undefined, toFailure('cancelled')])
      assert.ok(!isCancelled(one));
  });
});

describe('cancellation', () => {
  test('throws once the signal has aborted, and not before', () => {
    const controller = new AbortController();
    throwIfCancelled(undefined, 'Reading');
    throwIfCancelled(controller.signal, 'Reading');
    controller.abort();
    assert.throws(() => throwIfCancelled(controller.signal, 'Reading'), isCancelled);
  });

  test('stops waiting for a promise that never settles', async () => {
    const controller = new AbortController();
    const waiting = waitUnlessCancelled(new Promise(() => {}), controller.signal, 'Waiting');
    controller.abort();
    await assert.rejects(waiting, isCancelled);
    assert.equal(
      await waitUnlessCancelled(Promise.resolve(1), new AbortController().signal, ''),
      1,
    );
  });
});
