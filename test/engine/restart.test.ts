import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepository } from '../../src/engine/engine.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository, WatchUpdate } from '../../src/shared/protocol.ts';
import { assertSameIndex } from '../support/dump.ts';
import {
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = temporaryFolder();
  dataDir = temporaryFolder();
});
afterEach(() => {
  removeFolder(root);
  removeFolder(dataDir);
});

/** Opens the index as a new process would, and closes it afterwards. */
async function opened<T>(work: (repository: Repository) => Promise<T>, data = dataDir): Promise<T> {
  const repository = await openRepository(root, { dataDir: data, device: 'cpu' });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}

/** Follows the files while `edit` changes some; ends with the first update. */
async function whileWatched(repository: Repository, edit: () => void): Promise<WatchUpdate> {
  const abort = new AbortController();
  const updates: WatchUpdate[] = [];
  const watching = repository.watch({
    signal: abort.signal,
    onUpdate: (update) => updates.push(update),
    onError: (error) => assert.fail(error),
  });
  await sleep(500); // Until it is at work; what it misses it would not report.
  edit();
  for (let tries = 0; tries < 400 && updates.length === 0; tries++) await sleep(25);
  abort.abort();
  await watching;
  assert.ok(updates[0], 'the edit was followed');
  return updates[0];
}

async function callersOf(repository: Repository, name: string): Promise<string[]> {
  const request = { chunk: name, depth: 1, direction: 'callers' as const, limit: 100 };
  return (await repository.neighbors(request)).edges.map((edge) => edge.caller);
}

async function assertLikeFresh(): Promise<void> {
  const fresh = temporaryFolder();
  await opened((repository) => repository.index(), fresh);
  assertSameIndex(dataDir, fresh);
  removeFolder(fresh);
}

test('the first save after a restart leaves the calls from other files', async () => {
  writeFiles(root, {
    'a.py': 'def f(x):\n    return x\n',
    'b.py': 'from a import f\n\n\ndef g():\n    return f(1)\n',
  });
  await opened((repository) => repository.index());
  await opened(async (repository) => {
    await whileWatched(repository, () => appendFileSync(join(root, 'a.py'), '# a comment\n'));
    assert.deepEqual(await callersOf(repository, 'f'), ['b.py::g']);
  });
  await opened(async (repository) => {
    assert.deepEqual(await callersOf(repository, 'f'), ['b.py::g']);
  });
  await assertLikeFresh();
});

test('the first save after a restart adds calls from files that looked for a name in vain', async () => {
  writeFiles(root, {
    'a.py': 'def f(x):\n    return x\n',
    'b.py': 'import a\n\n\ndef g():\n    return a.late()\n',
  });
  await opened((repository) => repository.index());
  await opened(async (repository) => {
    await whileWatched(repository, () =>
      appendFileSync(join(root, 'a.py'), '\n\ndef late():\n    return f(2)\n'),
    );
    assert.deepEqual(await callersOf(repository, 'late'), ['b.py::g']);
  });
  await assertLikeFresh();
});

test('indexing that was cancelled in its graph goes on with the files it had not come to', async () => {
  writeFiles(root, syntheticPackage(60));
  await opened(async (repository) => {
    for (const phase of ['parse', 'graph', 'graph', 'encode'] as const) {
      const abort = new AbortController();
      const run = repository.index({
        signal: abort.signal,
        onProgress: (progress) => {
          if (progress.phase === phase) abort.abort();
        },
      });
      await assert.rejects(
        run,
        (error) => error instanceof LocusError && error.code === 'cancelled',
      );
      writeFileSync(join(root, `pkg/after_${phase}.py`), 'def late():\n    return late()\n');
    }
    await repository.index();
  });
  await assertLikeFresh();
});
