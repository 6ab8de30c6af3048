/** The snapshot's file yields the same data as the store, whatever happens to the file. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LiveSnapshot } from '../../src/engine/snapshot/live-snapshot.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { prefetchOnlySnapshot, SnapshotFiles } from '../../src/engine/snapshot/snapshot-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { type OpenRepositoryOptions, openRepository } from '../../src/services/open-repository.ts';
import { corrupt } from '../support/corrupt.ts';
import { databasePath } from '../support/dump.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

await keepThreads();

const MODEL = { key: 'none@0', dimensions: 3 };
const ISSUE = 'Whether the session is sound, see parse_header_2 and Cookie0.check';

let root: string;
let dataDir: string;
const options = (): OpenRepositoryOptions => ({ dataDir, device: 'cpu' });
const folder = () => dirname(databasePath(dataDir)!);
const files = () => readdirSync(folder()).filter((name) => name.startsWith('snapshot-'));
const current = () => join(folder(), files().at(-1)!);

before(async () => {
  root = gitRepository({ ...syntheticPackage(12), 'package.json': '{"name": "größe"}' });
  writeFiles(root, {
    'pkg/näme.py': 'def größe():\n    """Sucht den Schlüssel."""\n    return 1\n',
  });
  for (let i = 0; i < 3; i++) {
    writeFiles(root, { 'pkg/notes.py': `def note_${i}():\n    """Keep the cookie."""\n` });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', `Keep the session, ${i}`);
  }
  dataDir = temporaryFolder();
  await indexed();
});

after(() => {
  for (const one of [root, dataDir]) removeFolder(one);
});

async function indexed(): Promise<string> {
  const repository = await openRepository(root, options());
  try {
    await repository.index();
    return await answer(repository);
  } finally {
    await repository.close();
  }
}

async function answer(repository: Awaited<ReturnType<typeof openRepository>>): Promise<string> {
  const { tookMs: _, ...search } = await repository.search({
    issue: ISSUE,
    limit: 100,
    rerank: { count: 0 },
  });
  const neighbors = await repository.neighbors({ chunk: 'parse_header_2', depth: 2 });
  return JSON.stringify({ search, neighbors }, (_key, value) =>
    typeof value === 'number' ? Number(value.toFixed(4)) : value,
  );
}

async function opened(): Promise<string> {
  const repository = await openRepository(root, { ...options(), readOnly: true });
  try {
    return await answer(repository);
  } finally {
    await repository.close();
  }
}

/** Returns all data of an index in memory. */
function told(index: RepositoryIndex) {
  return {
    chunks: Array.from(index.chunks, (chunk, slot) => {
      assert.ok(chunk);
      const { id, path, qualifiedName, ordinal, name, kind, role, startLine, endLine } = chunk;
      return {
        ...{ id, path, qualifiedName, ordinal, name, kind, role, startLine, endLine },
        ...{ parent: chunk.parent, length: chunk.length, language: chunk.language },
        named: index.getSlotsByName(name),
        callers: index.getCallers(slot),
        callees: index.getCallees(slot),
        detail: index.lexical.explainScore(
          slot,
          index.lexical.createQuery(new Map([['session', 1]])),
        ),
      };
    }),
    scores: index.lexical.score(
      index.lexical.createQuery(
        new Map([
          ['header', 1],
          ['schlüssel', 2],
        ]),
      ),
    ),
    files: index
      .getAllPaths()
      .map((path) => ({ ...index.getFile(path), role: index.getFile(path)?.role })),
    commits: index.history?.commits,
    past: index.history?.findSimilar(new Map([['session', 1]]), 5),
    definition: index.history?.findDefinition({
      path: 'pkg/notes.py',
      qualifiedName: 'note_1',
      kind: 'function',
    }),
  };
}

function fromStore(store: Store): RepositoryIndex {
  const id = store.snapshots.open(null);
  return store.read(() => RepositoryIndex.load(store, id, MODEL.key, MODEL.dimensions));
}

function readFile(store: Store) {
  const id = store.snapshots.open(null);
  const state = store.snapshots.getIdentity(id);
  return state === null ? null : new SnapshotFiles(store.directory, id).read(state);
}

test('an index read from its file equals the one in the store', () => {
  const store = new Store(folder());
  try {
    assert.ok(readFile(store), 'the file is current');
    const index = new LiveSnapshot(store, null, MODEL).index;
    assert.deepEqual(told(index), told(fromStore(store)));
    assert.ok((index.history?.commits.length ?? 0) > 0);
  } finally {
    store.close();
  }
});

test('after edits, the next generation equals a fresh index, and the old one is removed', async () => {
  const [before] = files();
  writeFileSync(
    join(folder(), 'snapshot-99-1.columns'),
    'of a commit that nobody asks for any more',
  );
  writeFiles(root, {
    'pkg/module_2.py':
      'from pkg.module_3 import *\n\ndef parse_header_2(session):\n    return session\n',
    'pkg/näme.py': 'def größe():\n    return parse()\n\ndef parse():\n    return größe()\n',
  });
  await indexed();
  assert.equal(files().length, 1);
  assert.notEqual(files()[0], before);
  const store = new Store(folder());
  try {
    const columns = readFile(store);
    assert.ok(columns);
    const index = RepositoryIndex.fromColumns(
      store,
      store.snapshots.open(null),
      MODEL.key,
      3,
      columns,
    );
    assert.deepEqual(told(index), told(fromStore(store)));
  } finally {
    store.close();
  }
});

test('a prefetched file yields the same as one that is read directly', async () => {
  const store = new Store(folder());
  try {
    const ahead = await prefetchOnlySnapshot(folder());
    assert.equal(ahead?.path, current());
    const index = new LiveSnapshot(store, null, MODEL, { columns: ahead, rows: null }).index;
    assert.deepEqual(told(index), told(fromStore(store)));
    const state = store.snapshots.getIdentity(index.snapshotId)!;
    const files = new SnapshotFiles(store.directory, index.snapshotId);
    assert.deepEqual(files.read(state, ahead), files.read(state));
    assert.equal(files.read(`${state} of before`, ahead), null);
  } finally {
    store.close();
  }
});

test('prefetched data of another file is ignored, and one of several files is not prefetched', async () => {
  const other = join(folder(), 'snapshot-99-1.columns');
  const store = new Store(folder());
  const id = store.snapshots.open(null);
  const state = store.snapshots.getIdentity(id)!;
  try {
    writeFileSync(other, readFileSync(current()));
    assert.equal(await prefetchOnlySnapshot(folder()), null);
    const elsewhere = { path: other, sections: () => assert.fail('it is another file') };
    assert.ok(new SnapshotFiles(folder(), id).read(state, elsewhere));
  } finally {
    store.close();
    rmSync(other);
  }
});

test('a damaged prefetched file counts as missing, and a truncated one is not read', async () => {
  const path = current();
  const bytes = readFileSync(path);
  const store = new Store(folder());
  const id = store.snapshots.open(null);
  const state = store.snapshots.getIdentity(id)!;
  try {
    const damaged = Buffer.from(bytes);
    damaged[damaged.length - 1]! ^= 1;
    writeFileSync(path, damaged);
    const ahead = await prefetchOnlySnapshot(folder());
    assert.ok(ahead);
    assert.equal(new SnapshotFiles(folder(), id).read(state, ahead), null);
    writeFileSync(path, bytes.subarray(0, bytes.length - 100));
    assert.equal(await prefetchOnlySnapshot(folder()), null);
  } finally {
    writeFileSync(path, bytes);
    store.close();
  }
});

test('a file with another identity is not read', async () => {
  const store = new Store(folder());
  const id = store.snapshots.open(null);
  assert.ok(readFile(store));
  store.transaction(() =>
    store.snapshots.setAttributes(id, [{ pattern: 'pkg/', key: 'vendored', value: true } as never]),
  );
  assert.equal(readFile(store), null);
  store.transaction(() => store.snapshots.setAttributes(id, []));
  assert.ok(readFile(store));
  store.transaction(() => store.snapshots.markDirty(id));
  assert.equal(readFile(store), null);
  store.close();
  await indexed();
});

test('a file that is damaged anywhere counts as missing and is written again', async () => {
  const draw = uniform(SEED);
  const right = await indexed();
  const sound = readFileSync(current());
  const path = current();
  for (let round = 0; round < scaleRounds(100); round++) {
    writeFileSync(path, sound);
    const how = corrupt(path, draw, sound.subarray(4096));
    const store = new Store(folder());
    try {
      const columns = readFile(store);
      // Padding between columns doesn't matter, nor does a page replaced by an equal one.
      if (columns) {
        const id = store.snapshots.open(null);
        const index = RepositoryIndex.fromColumns(store, id, MODEL.key, MODEL.dimensions, columns);
        assert.deepEqual(told(index), told(fromStore(store)), `round ${round} of ${SEED}: ${how}`);
      }
    } finally {
      store.close();
    }
  }
  writeFileSync(path, sound.subarray(0, sound.length / 2));
  assert.equal(await opened(), right);
  await indexed();
  const store = new Store(folder());
  assert.ok(readFile(store));
  store.close();
});

test('a writer of the file may be killed at any moment while others read it', async () => {
  const draw = uniform(SEED + 2);
  await indexed();
  const store = new Store(folder());
  const wanted = told(fromStore(store));
  const id = store.snapshots.open(null);
  try {
    for (let round = 0; round < scaleRounds(3); round++) {
      const writer = fork(fileURLToPath(new URL('../support/write-columns.ts', import.meta.url)), [
        folder(),
      ]);
      const gone = once(writer, 'exit');
      await once(writer, 'message');
      for (const until = Date.now() + draw() * 300; Date.now() < until; await sleep(1))
        readFile(store);
      writer.kill('SIGKILL');
      await gone;
      const columns = readFile(store);
      assert.ok(columns, `round ${round} of ${SEED}: one generation is whole at any moment`);
      assert.deepEqual(
        told(RepositoryIndex.fromColumns(store, id, MODEL.key, MODEL.dimensions, columns)),
        wanted,
      );
    }
  } finally {
    store.close();
  }
  assert.ok(files().length <= 3, 'two generations, and one that was not finished');
  await indexed();
});
