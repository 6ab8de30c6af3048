import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryingFollower } from '../../src/engine/pipeline/retrying-follower.ts';
import type { ChangeBatch } from '../../src/engine/source/watch.ts';

const UPDATE = { changed: [], removed: [], chunksEncoded: 0, searchableMs: 0, totalMs: 0 };

test('a failure is reported once, retried with all files, and reported again when resolved', async () => {
  const abort = new AbortController();
  const batches: ChangeBatch[] = [];
  const told: (string | null)[] = [];
  let left = 3;
  const steady = new RetryingFollower(
    {
      prepareEdits: async () => {},
      apply: async (batch) => {
        batches.push(batch);
        if (left-- > 0) throw new Error('no encoder');
        return UPDATE;
      },
    },
    {
      signal: abort.signal,
      onUpdate: () => {},
      onFailure: (failure) => told.push(failure?.message ?? null),
      retryMs: 5,
    },
  );
  await steady.start();
  assert.deepEqual(told, [], 'preparing went well');
  await steady.apply({ paths: new Set(['a.py']), rescan: false });
  while (told.at(-1) !== null) await sleep(5);
  assert.deepEqual(told, ['no encoder', null]);
  assert.deepEqual(
    batches.map(({ rescan }) => rescan),
    [false, true, true, true],
  );
  left = 1;
  await steady.apply({ paths: new Set(['a.py']), rescan: false });
  abort.abort();
  const { length } = batches;
  await sleep(50);
  assert.equal(batches.length, length, 'nothing is tried after the end');
});

test('batches that arrive during the first indexing are merged and applied before edits are prepared', async () => {
  const done: (string[] | 'prepared')[] = [];
  const rescans: boolean[] = [];
  const steady = new RetryingFollower(
    {
      prepareEdits: async () => {
        done.push('prepared');
      },
      apply: async ({ paths, rescan }) => {
        rescans.push(rescan);
        return { ...UPDATE, changed: [...paths] };
      },
    },
    {
      signal: new AbortController().signal,
      onUpdate: ({ changed }) => done.push(changed),
      onFailure: () => {},
    },
  );
  await steady.apply({ paths: new Set(['a.py']), rescan: false });
  await steady.apply({ paths: new Set(['b.py']), rescan: true });
  assert.deepEqual(done, []);
  await steady.start();
  await steady.apply({ paths: new Set(['c.py']), rescan: false });
  assert.deepEqual(done, [['a.py', 'b.py'], 'prepared', ['c.py']]);
  assert.deepEqual(rescans, [true, false]);
});
