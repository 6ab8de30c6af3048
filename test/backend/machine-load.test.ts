import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  MachineLoad,
  type ProcessorTimes,
  readProcessorTimes,
} from '../../src/services/machine-load.ts';

/** Returns a reader of these times, one after another. */
function inTurn(...times: [total: number, busy: number, own: number][]): () => ProcessorTimes {
  const left = [...times];
  return () => {
    const [total, busy, own] = left.shift() ?? assert.fail('no times left');
    return { total, busy, own };
  };
}

describe('the load of the machine', () => {
  it('counts what other processes use, not this one', () => {
    const load = new MachineLoad(
      inTurn([0, 0, 0], [1000, 900, 850], [2000, 1800, 900], [3000, 1900, 950]),
    );
    assert.equal(load.isBusy(), false, 'this process used most of it');
    assert.equal(load.isBusy(), true, 'others used 850 of 1,000');
    assert.equal(load.isBusy(), false, 'others used 50 of 1,000');
  });

  it('counts as idle if no time has passed', () => {
    assert.equal(new MachineLoad(inTurn([5, 5, 0], [5, 5, 0])).isBusy(), false);
  });

  it('waits until others are done, unless it is cancelled', async () => {
    const load = new MachineLoad(
      inTurn([0, 0, 0], [10, 10, 0], [20, 20, 0], [30, 20, 0], [40, 30, 0]),
    );
    await load.waitUntilIdle(undefined, 1);
    await assert.rejects(load.waitUntilIdle(AbortSignal.abort(), 1), { code: 'cancelled' });
  });

  it('reads the times of this machine', () => {
    const { total, busy, own } = readProcessorTimes();
    assert.ok(total > busy && busy > 0 && own > 0);
  });
});
