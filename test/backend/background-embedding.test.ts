import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackgroundEmbedding } from '../../src/services/keeper/background-embedding.ts';
import type { IndexProgress } from '../../src/shared/indexing.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { syntheticPackage } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { type Client, connect, indexed, waitFor, workplace } from './support.ts';

describe('background embedding', () => {
  const place = workplace(syntheticPackage(12), { backgroundEmbeddingMs: 20 });
  let client: Client;
  before(async () => {
    installSecondModel(place.dataDir);
    client = connect(place.session);
    const done = indexed(client);
    await client.call('repository.open', { root: place.root });
    await done;
  });
  after(() => place.done());

  const reads = () => waitFor(client, 'indexing', ({ state }) => state.progress?.phase === 'embed');
  const rests = () =>
    waitFor(client, 'indexing', ({ state }) => state.phase === 'current' && !state.progress);

  it('does not start while it is turned off', async () => {
    await client.call('settings.set', { backgroundEmbedding: false });
    let begun = false;
    reads().then(() => {
      begun = true;
    });
    await sleep(200);
    assert.equal(begun, false);
  });

  it('starts some time after it is enabled or after an edit, and reports progress', async () => {
    const first = reads();
    await client.call('settings.set', { backgroundEmbedding: true });
    const { progress, phase } = (await first).state;
    assert.equal(phase, 'current', 'the index is up to date meanwhile');
    assert.ok(progress && progress.total > 0);
    await rests();
    const again = reads();
    writeFileSync(join(place.root, 'added.py'), 'def added():\n    return 1\n');
    await again;
    await rests();
  });
});

describe('background embedding of one repository', () => {
  /** Fake background embedding that runs until it is cancelled. */
  function endless() {
    const seen = { begun: 0, stopped: 0 };
    const repository = {
      embedForReranking: ({ signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => {
          seen.begun++;
          signal.addEventListener('abort', () => {
            seen.stopped++;
            reject(new Error('stopped'));
          });
        }),
    } as unknown as Repository;
    return { seen, repository };
  }

  it('is postponed by every search, continues in between, and stops when disabled', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pass = async (milliseconds: number) => {
      t.mock.timers.tick(milliseconds);
      await new Promise((turn) => setImmediate(turn));
    };
    const { seen, repository } = endless();
    const told: (IndexProgress | null)[] = [];
    const ahead = new BackgroundEmbedding({
      repository: async () => repository,
      isWanted: () => true,
      isFree: async () => true,
      onProgress: (progress) => told.push(progress),
      restMs: 60,
    });
    ahead.postpone();
    await pass(120);
    assert.equal(seen.begun, 0, 'there is nothing to read');
    ahead.wake();
    for (let i = 0; i < 6; i++) {
      ahead.postpone();
      await pass(59);
    }
    assert.equal(seen.begun, 0);
    await pass(120);
    ahead.postpone();
    await pass(120);
    assert.deepEqual(seen, { begun: 1, stopped: 0 });
    await ahead.stop();
    assert.deepEqual(seen, { begun: 1, stopped: 1 });
    assert.deepEqual(told, [null]);
    await pass(120);
    assert.equal(seen.begun, 1);
  });

  it('is retried after an obstacle, but not if it is disabled', async () => {
    const { seen, repository } = endless();
    let [asked, isWanted] = [0, false];
    const told: unknown[] = [];
    const ahead = new BackgroundEmbedding({
      repository: async () => {
        if (asked < 4) throw new Error('it is being opened');
        return repository;
      },
      isWanted: () => isWanted,
      isFree: async () => ++asked >= 3,
      onProgress: (progress) => told.push(progress),
      restMs: 10,
      tryAgainMs: 10,
    });
    ahead.wake();
    ahead.postpone();
    await sleep(100);
    assert.equal(asked, 0);
    isWanted = true;
    ahead.wake();
    while (seen.begun === 0) await sleep(10);
    assert.deepEqual([asked, told], [4, []]);
    await ahead.stop();
    assert.deepEqual(told, [null]);
  });
});
