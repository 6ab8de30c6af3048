import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Store } from '../../src/engine/store/store.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { assertSameIndex, databasePath, findStrayEdges } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { MemoryTree, SmallProcess } from '../support/small-index.ts';
import { readStoredEdges } from '../support/stored-rows.ts';

await keepThreads();

let root: string;
let dataDir: string;
beforeEach(() => {
  root = temporaryFolder();
  dataDir = temporaryFolder();
  installSecondModel(dataDir);
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

/** Milliseconds without an update after which none is expected, even on a busy machine. */
const QUIET_MS = 5000;

/**
 * Follows the files while `edit` changes some, until the first update. Changes before the watcher has started are not reported, so
 * `edit` is called again, with another number, until one is. Ends when all changes have been followed.
 */
async function whileWatched(repository: Repository, edit: (n: number) => void): Promise<void> {
  const abort = new AbortController();
  let updated = 0;
  const followed = Promise.withResolvers<unknown>();
  const watching = repository.watch({
    signal: abort.signal,
    onIndexed: followed.resolve,
    onUpdate: () => {
      updated = performance.now();
    },
    onHealth: ({ failure }) => assert.ifError(failure),
  });
  watching.catch(followed.reject);
  await followed.promise;
  let tries = 0;
  for (; tries < 30 && !updated; tries++) {
    edit(tries);
    for (let waits = 0; waits < 100 && !updated; waits++) await sleep(25);
  }
  while (tries > 1 && performance.now() - updated < QUIET_MS) await sleep(100);
  abort.abort();
  await watching;
  assert.ok(updated, 'the edit was followed');
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

test('the first save after a restart keeps the calls from other files', async () => {
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

test('the first save after a restart adds calls from files that lacked a name', async () => {
  writeFiles(root, {
    'a.py': 'def f(x):\n    return x\n',
    'b.py': 'import a\n\n\ndef g():\n    return a.late()\n',
  });
  await opened((repository) => repository.index());
  await opened(async (repository) => {
    await whileWatched(repository, (n) =>
      writeFileSync(join(root, 'a.py'), `def late():\n    return f(2)\n\n\n# ${n}\n`),
    );
    assert.deepEqual(await callersOf(repository, 'late'), ['b.py::g']);
  });
  await assertLikeFresh();
});

test('indexing that was cancelled while resolving continues with the remaining files', async () => {
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

/** Changes the stored index without the engine. */
function tampered(change: (database: Sqlite.Database) => void): void {
  const database = new Sqlite(databasePath(dataDir)!);
  change(database);
  database.close();
}

const PAIR = {
  'a.py': 'def f(x):\n    return x\n',
  'b.py': 'from a import f\n\n\ndef g():\n    return f(1)\n',
};

/** Moves one end of the only edge to a missing chunk, with valid checksums. */
function moveEnd(end: 'caller' | 'callee'): void {
  const store = new Store(dirname(databasePath(dataDir)!));
  const snapshot = store.snapshots.open(null);
  const [edge] = store.edges.readAll(snapshot);
  store.transaction(() => {
    store.edges.replace(snapshot, [edge!.caller], []);
    const moved = { ...edge!, [end]: 1000 };
    store.edges.replace(snapshot, [moved.caller], [moved]);
  });
  store.close();
}

for (const end of ['caller', 'callee'] as const)
  test(`an edge whose ${end} is missing: the graph is resolved again, with a note`, async () => {
    writeFiles(root, PAIR);
    await opened((repository) => repository.index());
    moveEnd(end);
    await opened(async (repository) => {
      assert.equal((await repository.status()).state, 'partial');
      const { notes } = await repository.index();
      assert.match(notes.join(), /call graph .* does not match its files: it has 1 call /);
      assert.deepEqual(await callersOf(repository, 'f'), ['b.py::g']);
    });
    await assertLikeFresh();
    await opened(async (repository) => assert.deepEqual((await repository.index()).notes, []));
  });

test('a commit whose index another process has removed can be searched and indexed again', async () => {
  writeFiles(root, PAIR);
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'First');
  const revision = 'HEAD';
  const first = await openRepository(root, { dataDir, device: 'cpu', revision });
  try {
    await first.index();
    tampered((database) => {
      database.pragma('foreign_keys = ON');
      database.exec("DELETE FROM snapshots; INSERT INTO snapshots (revision) VALUES ('other')");
    });
    const { results, partial } = await first.search({ issue: 'f returns x' });
    assert.ok(results.length > 0 && partial);
    await first.index();
    assert.equal((await first.status()).state, 'complete');
    assert.deepEqual(await callersOf(first, 'f'), ['b.py::g']);
    tampered((database) => {
      const stored = database.prepare('SELECT revision, complete FROM snapshots ORDER BY 2').raw();
      const hash = git(root, 'rev-parse', 'HEAD');
      assert.deepEqual(stored.all(), [
        ['other', 0],
        [hash, 1],
      ]);
    });
  } finally {
    await first.close();
  }
});

test('preparing for edits does not complete the index of a killed process', async () => {
  const tree = new MemoryTree();
  for (const [path, text] of Object.entries(PAIR)) tree.files.set(path, text);
  const begin = () => new SmallProcess(dataDir, tree, Math.random);
  const [following, killed] = [begin(), begin()];
  await following.run();

  tree.files.set('a.py', `${PAIR['a.py']}# changed\n`);
  const transaction = killed.store.transaction.bind(killed.store);
  let left = 1;
  killed.store.transaction = (work) => {
    if (left-- === 0) throw new Error('killed');
    return transaction(work);
  };
  await assert.rejects(killed.run(), /killed/);
  await killed.close();

  // As after a start: the index is up to date, and another file is saved next.
  const { snapshot, indexer, store } = following;
  await snapshot.runExclusive(undefined, (index) => indexer.prepareUpdates(index));
  tree.files.set('c.py', 'x = 1\n');
  await snapshot.runExclusive(undefined, (index) => indexer.update(index, new Set(['c.py'])));
  const database = new Sqlite(store.path, { readonly: true });
  const state = database.prepare('SELECT graph_dirty, complete FROM snapshots').raw().get();
  assert.deepEqual({ state, stray: findStrayEdges(database) }, { state: [0, 1], stray: [] });
  assert.equal(readStoredEdges(database, 1).length, 1);
  database.close();
  await following.close();
});
