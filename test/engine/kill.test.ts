import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { openRepository } from '../../src/engine/engine.ts';
import { assertSameIndex, databasePath, dumpIndex } from '../support/dump.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';

const KILLS = 50;
const CHILD = fileURLToPath(new URL('../support/index-and-exit.ts', import.meta.url));
const ISSUE = 'parse_cookie_0 raises ValueError in pkg/module_0.py although strict is False';

let root: string;
let scratch: string;
before(() => {
  root = gitRepository(syntheticPackage(400));
  scratch = temporaryFolder();
});
after(() => {
  removeFolder(root);
  removeFolder(scratch);
});

test(`${KILLS} kills at random moments of indexing lose nothing and change nothing`, async (t) => {
  const undisturbed = join(scratch, 'undisturbed');
  const start = performance.now();
  await ended(indexing(undisturbed));
  const duration = performance.now() - start;
  const expected = dumpIndex(undisturbed);
  assert.ok(expected.chunks.length > 2000 && expected.edges.length > 1000);
  assert.equal(expected.embeddings.length, expected.chunks.length);
  const expectedRanking = await ranking(undisturbed);

  const dataDir = join(scratch, 'killed');
  let kills = 0;
  let finished = 0;
  const found = { nothing: 0, partial: 0, complete: 0 };
  while (kills < KILLS) {
    const child = indexing(dataDir);
    await sleep(Math.random() * duration);
    child.kill('SIGKILL');
    const { signal } = await ended(child);
    if (signal === 'SIGKILL') kills++;
    const state = await inspect(dataDir);
    found[state]++;
    if (state === 'complete') {
      finished++;
      assertSameIndex(dataDir, undisturbed);
      rmSync(dataDir, { recursive: true });
    }
  }
  await ended(indexing(dataDir));
  assertSameIndex(dataDir, undisturbed);
  assert.deepEqual(await ranking(dataDir), expectedRanking, 'the same chunks in the same order');
  t.diagnostic(
    `${kills} kills, ${finished} runs completed between them; after a kill the store held ${JSON.stringify(found)}`,
  );
});

function indexing(dataDir: string): ChildProcess {
  return fork(CHILD, [root, dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  }
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

/** What a killed process left: it must open, be sound, and answer a search. */
async function inspect(dataDir: string): Promise<'nothing' | 'partial' | 'complete'> {
  const path = databasePath(dataDir);
  if (!path) return 'nothing';
  const database = new Sqlite(path);
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(database.pragma('foreign_key_check'), []);
  database.close();
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  try {
    const { state, chunks } = await repository.status();
    const { results, partial } = await repository.search({ issue: ISSUE });
    assert.equal(results.length > 0, chunks > 0);
    assert.equal(partial === null, state === 'complete');
    return state === 'empty' ? 'nothing' : state;
  } finally {
    await repository.close();
  }
}

async function ranking(dataDir: string): Promise<string[]> {
  const repository = await openRepository(root, { dataDir, device: 'cpu' });
  const { results } = await repository.search({ issue: ISSUE, limit: 30 });
  await repository.close();
  return results.map((result) => result.address);
}
