/** Indexes of nearest neighbors, with processes killed at random moments and with damaged files. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isIndexSound } from '../../src/engine/nearest/build.ts';
import { NearestIndexes } from '../../src/engine/nearest/nearest.ts';
import { listBaseFiles } from '../../src/engine/store/base-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { loadSnapshot, measureRecall } from '../support/nearest-snapshot.ts';
import { FROM } from '../support/nearest-writer.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MODEL, storeEmbeddings } from '../support/rows-writer.ts';

const KILLS = scaleRounds(4);
const DAMAGES = scaleRounds(4);
const WRITER = fileURLToPath(new URL('../support/nearest-writer.ts', import.meta.url));

let folder: string;
before(() => {
  folder = temporaryFolder();
});
after(() => removeFolder(folder));

/** Running process, and how often it has had an index. */
interface Writer {
  child: ChildProcess;
  indexed: number;
}

async function begin(directory: string, seed: number): Promise<Writer> {
  const child = fork(WRITER, [directory, String(seed)]);
  const writer = { child, indexed: 0 };
  child.on('message', (message) => {
    if (message === 'indexed') writer.indexed++;
  });
  await once(child, 'message');
  return writer;
}

async function kill({ child }: Writer): Promise<unknown[]> {
  if (child.exitCode !== null) return [child.exitCode];
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  return ended;
}

/** Asserts that an index can be built from the current files, and that it finds the true neighbors. */
async function check(directory: string): Promise<void> {
  const store = new Store(directory);
  const nearest = new NearestIndexes(store, MODEL, FROM);
  try {
    const snapshot = loadSnapshot(store, store.snapshots.open(null));
    const slots = [...snapshot.vectors.listSlots()];
    for (let tries = 0; slots.length >= FROM && !nearest.getIndex(snapshot); tries++) {
      assert.ok(tries < 500, 'no index was built');
      await nearest.prepare(snapshot);
      // The other process may be building one.
      await sleep(20);
    }
    if (slots.length < FROM) return;
    const recall = assertPresent(
      measureRecall(nearest, snapshot, slots.slice(0, 20), 10),
      'an index',
    );
    assert.ok(recall > 0.9, `recall ${recall}`);
  } finally {
    await nearest.close();
    store.close();
  }
}

test(`${KILLS} kills of one of two processes that keep an index leave no wrong index`, async (t) => {
  const directory = `${folder}/kills`;
  const random = uniform();
  let other = await begin(directory, 1);
  let indexed = 0;
  try {
    for (let kills = 0; kills < KILLS; kills++) {
      const next = await begin(directory, SEED + kills + 2);
      await sleep(400 * random());
      indexed += other.indexed;
      assert.deepEqual(await kill(other), [null, 'SIGKILL'], `seed ${SEED}, kill ${kills}`);
      other = next;
    }
    while (indexed + other.indexed === 0) {
      assert.equal(other.child.exitCode, null);
      await sleep(20);
    }
  } finally {
    await kill(other);
  }
  await check(directory);
  const left = listBaseFiles(directory).filter(({ unfinished }) => unfinished);
  t.diagnostic(`${KILLS} kills, an index ${indexed} times, ${left.length} unfinished files left`);
});

test(`an index damaged at ${DAMAGES} positions, or truncated, is rebuilt`, async () => {
  const directory = `${folder}/damage`;
  const random = uniform();
  const store = new Store(directory);
  const id = store.snapshots.open(null);
  const ids = Array.from({ length: 1_000 }, (_, i) => i);
  await store.lock.hold(async () => storeEmbeddings(store, id, ids));
  const snapshot = loadSnapshot(store, id);
  for (let damage = 0; damage < DAMAGES; damage++) {
    const nearest = new NearestIndexes(store, MODEL, FROM);
    await nearest.prepare(snapshot);
    const base = assertPresent(listBaseFiles(directory)[0], 'the file of an index');
    await nearest.close();
    const rows = assertPresent(store.embeddings.getGeneration(MODEL), 'a file of rows');
    const job = { model: MODEL, rowsPath: rows.path, rows: base.rows, path: base.path };
    assert.ok(isIndexSound(job), `seed ${SEED}, damage ${damage}: valid before`);
    const { size } = statSync(base.path);
    const at = Math.floor(random() * size);
    if (damage % 4 === 3) truncateSync(base.path, at);
    else {
      const bytes = readFileSync(base.path);
      bytes[at] = (assertPresent(bytes[at], 'a byte') + 1 + Math.floor(random() * 255)) & 255;
      writeFileSync(base.path, bytes);
    }
    assert.ok(!isIndexSound(job), `seed ${SEED}, damage ${damage} at ${at} of ${size}`);
    assert.equal(nearest.getIndex(snapshot), null, 'the exact comparison answers');
    const again = new NearestIndexes(store, MODEL, FROM);
    await again.prepare(snapshot);
    assert.ok(isIndexSound(job), `seed ${SEED}, damage ${damage}: valid again`);
    assert.ok(assertPresent(measureRecall(again, snapshot, [1, 2, 3], 10), 'an index') > 0.9);
    await again.close();
  }
  store.close();
});
