/** Kills processes that write, read and rewrite files of embeddings at random moments. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listGenerations } from '../../src/engine/store/row-generations.ts';
import { Store } from '../../src/engine/store/store.ts';
import { type QuantizedVector, quantize } from '../../src/engine/vectors/quantized.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MODEL, makeKey } from '../support/rows-writer.ts';
import { makeVector } from '../support/small-index.ts';

const KILLS = scaleRounds(4);
const WRITER = fileURLToPath(new URL('../support/rows-writer.ts', import.meta.url));

let folder: string;
before(() => {
  folder = temporaryFolder();
});
after(() => removeFolder(folder));

const made = new Map<number, QuantizedVector>();
const getVector = (id: number) => getOrAdd(made, id, () => quantize(makeVector(makeKey(id))));

/** Asserts that every chunk with an embedding has its own, and that none was lost. Returns their number. */
function check(store: Store): number {
  const snapshot = store.snapshots.open(null);
  let chunks = 0;
  store.read(() => {
    for (const { chunkId, vector } of store.embeddings.readAll(snapshot, MODEL)) {
      assert.deepEqual(vector, getVector(chunkId), `of chunk ${chunkId}`);
      chunks++;
    }
  });
  assert.deepEqual(store.notes, []);
  return chunks;
}

async function begin(seed: number): Promise<ChildProcess> {
  const child = fork(WRITER, [folder, String(seed)]);
  await once(child, 'message');
  return child;
}

test(`${KILLS} kills of one of two writers lose no embedding`, async (t) => {
  const random = uniform();
  const reader = new Store(folder);
  let other = await begin(1);
  let most = 0;
  let newest = 0;
  try {
    for (let kills = 0; kills < KILLS; kills++) {
      const next = await begin(SEED + kills + 2);
      await sleep(100 * random());
      check(reader);
      const ended = once(other, 'exit');
      other.kill('SIGKILL');
      assert.deepEqual(await ended, [null, 'SIGKILL'], `seed ${SEED}, after ${kills} kills`);
      other = next;
      const store = new Store(folder);
      most = Math.max(most, check(store));
      newest = Math.max(newest, listGenerations(folder)[0]?.number ?? 0);
      store.close();
    }
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
    reader.close();
  }
  assert.ok(most > 0 && newest > 1, `${most} embeddings, rewritten ${newest} times`);
  t.diagnostic(`${KILLS} kills, ${most} embeddings at most, generation ${newest}`);
});
