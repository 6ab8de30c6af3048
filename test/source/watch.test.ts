import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import fs, {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderWatcher } from '../../src/engine/source/folder-watcher.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { RecursiveWatcher } from '../../src/engine/source/recursive-watcher.ts';
import type { ChangeSink, WatcherMaker } from '../../src/engine/source/tree-watcher.ts';
import { type ChangeBatch, watchTree } from '../../src/engine/source/watch.ts';
import type { FollowingHealth } from '../../src/shared/indexing.ts';
import { commit, contents, git, isPython, repository, temporaryFolder, write } from './fixture.ts';

const limits = { timeout: 60_000 };
const HEALTHY: FollowingHealth = { failure: null, warning: null };

/** Watches a folder for the rest of the test. */
async function watched(
  t: TestContext,
  root: string,
  options: {
    exclude?: string[];
    makeWatcher?: WatcherMaker;
    beatMs?: number;
    onBatch?: (batch: ChangeBatch) => void;
  } = {},
) {
  const abort = new AbortController();
  const seen = { paths: [] as string[], rescans: 0, batches: 0, health: [] as FollowingHealth[] };
  const ready = Promise.withResolvers<void>();
  const ended = watchTree(
    root,
    {
      accepts: isPython,
      exclude: options.exclude,
      signal: abort.signal,
      onReady: ready.resolve,
      beatMs: options.beatMs,
      onHealth: (health) => {
        seen.health.push(health);
      },
      onChange: (batch) => {
        seen.batches += 1;
        seen.paths.push(...batch.paths);
        if (batch.rescan) seen.rescans += 1;
        options.onBatch?.(batch);
      },
    },
    options.makeWatcher,
  );
  const stop = async () => {
    abort.abort();
    await ended;
  };
  t.after(() => stop().catch(() => {}));
  await ready.promise;
  /** Performs an action, waits for its effect and for any later batch, and clears the recorded changes. */
  const after = async (act: () => unknown, expected: () => boolean) => {
    await act();
    while (!expected()) await sleep(10);
    await sleep(150);
    const copy = { ...seen, paths: [...new Set(seen.paths)].sort() };
    Object.assign(seen, { paths: [], rescans: 0, batches: 0 });
    return copy;
  };
  const latest = () => seen.health.at(-1) ?? HEALTHY;
  return { seen, after, stop, ended, latest };
}

test('files that are written, created, renamed and removed', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.py': '', 'b.py': '', 'pkg/c.py': '', 'notes.txt': '' });
  const { seen, after } = await watched(t, root);
  const has =
    (...paths: string[]) =>
    () =>
      paths.every((path) => seen.paths.includes(path));
  assert.deepEqual(
    (await after(() => write(root, { 'a.py': '1', 'notes.txt': '1' }), has('a.py'))).paths,
    ['a.py'],
  );
  const moved = await after(
    () => renameSync(join(root, 'b.py'), join(root, 'pkg/b.py')),
    has('b.py', 'pkg/b.py'),
  );
  assert.deepEqual(moved.paths, ['b.py', 'pkg/b.py']);
  assert.deepEqual((await after(() => rmSync(join(root, 'a.py')), has('a.py'))).paths, ['a.py']);
  const saved = await after(() => {
    write(root, { 'pkg/.c.py.swp': 'new', 'pkg/c.py~': '' });
    renameSync(join(root, 'pkg/.c.py.swp'), join(root, 'pkg/c.py'));
  }, has('pkg/c.py'));
  assert.deepEqual(
    saved.paths,
    ['pkg/c.py'],
    'an editor that writes a temporary file and renames it',
  );
  assert.equal(saved.rescans, 0);
});

test('folders that arrive with content and folders that move', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'old/sub/f.py': '', 'b.py': '' });
  const { seen, after } = await watched(t, root);
  const rescanned = () => seen.rescans > 0;
  const has = (path: string) => () => seen.paths.includes(path);
  await after(() => mkdirSync(join(root, 'x/y/z'), { recursive: true }), rescanned);
  await after(() => write(root, { 'x/y/z/new.py': '1' }), has('x/y/z/new.py'));
  await after(() => renameSync(join(root, 'old'), join(root, 'new')), rescanned);
  const edited = await after(() => write(root, { 'new/sub/f.py': '2' }), has('new/sub/f.py'));
  assert.deepEqual(edited.paths, ['new/sub/f.py'], 'by its new name only');
  await after(() => rmSync(join(root, 'new'), { recursive: true }), rescanned);
  await after(() => write(root, { 'new/sub/f.py': '3' }), rescanned);
  await after(() => write(root, { 'new/sub/f.py': '4' }), has('new/sub/f.py'));
});

test('ignored and excluded files are not watched, except for tracked ones', limits, async (t) => {
  const root = repository(t, { 'build/tracked.py': '', 'a.py': '' });
  write(root, { '.gitignore': 'build/\nenv/\n', 'env/lib/e.py': '', 'vendor/v.py': '' });
  commit(root);
  const { seen, after } = await watched(t, root, { exclude: ['vendor/'] });
  const changed = await after(
    () =>
      write(root, {
        'env/lib/e.py': '1',
        'vendor/v.py': '1',
        'build/tracked.py': '1',
        'a.py': '1',
      }),
    () => seen.paths.includes('a.py'),
  );
  assert.deepEqual(changed.paths, ['a.py', 'build/tracked.py']);

  await after(
    () => write(root, { '.gitignore': 'build/\n' }),
    () => seen.rescans > 0,
  );
  await after(
    () => write(root, { 'env/lib/e.py': '2' }),
    () => seen.paths.includes('env/lib/e.py'),
  );
});

test('files with rules request a rescan, and included folders are watched', limits, async (t) => {
  const root = repository(t, { 'a.py': '', 'old/b.py': '' });
  write(root, { '.gitignore': 'build/\n', 'build/gen/c.py': '' });
  const { seen, after } = await watched(t, root);
  await after(
    () => write(root, { '.locusinclude': 'build/gen/\n' }),
    () => seen.rescans > 0,
  );
  await after(
    () => write(root, { 'build/gen/c.py': 'c = 1\n' }),
    () => seen.paths.includes('build/gen/c.py'),
  );
  await after(
    () => write(root, { '.locusignore': 'old/\n' }),
    () => seen.rescans > 0,
  );
  const { paths } = await after(
    () => write(root, { 'old/b.py': 'b = 1\n', 'a.py': 'a = 1\n' }),
    () => seen.paths.includes('a.py'),
  );
  assert.deepEqual(paths, ['a.py']);
});

test('a branch switch requests a rescan, and listing does not', limits, async (t) => {
  const root = repository(t, { 'a.py': '1\n', 'pkg/b.py': '' });
  git(root, 'checkout', '--quiet', '-b', 'other');
  write(root, { 'a.py': '2\n', 'c.py': '' });
  commit(root);
  const inner = await watched(t, join(root, 'pkg'));
  const { seen, after } = await watched(t, root);
  const switched = await after(
    () => git(root, 'checkout', '--quiet', 'main'),
    () => seen.rescans > 0,
  );
  assert.deepEqual(switched.paths, ['a.py', 'c.py']);
  assert.ok(inner.seen.rescans > 0, 'a folder inside the repository sees it too');
  await contents(await openTree(root));
  await sleep(200);
  assert.equal(seen.batches, 0);
});

test('batches are delivered during continuous writes', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'log.py': '' });
  const { seen, after } = await watched(t, root);
  let writing = true;
  const write10 = async () => {
    while (writing) {
      appendFileSync(join(root, 'log.py'), '#\n');
      await sleep(10);
    }
  };
  const writer = write10();
  await after(
    () => {},
    () => seen.batches >= 2,
  );
  writing = false;
  await writer;
});

test('more events than the system queues', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'noise/a.log': '', 'noise/b.log': '', 'a.py': '' });
  const { seen, after } = await watched(t, root);
  await after(
    () => {
      // Synchronous, so that no event is taken from the queue meanwhile.
      for (let count = 0; count < 10_000; count++) {
        appendFileSync(join(root, 'noise/a.log'), '.');
        appendFileSync(join(root, 'noise/b.log'), '.');
      }
      write(root, { 'late/x.py': '' });
    },
    () => seen.rescans > 0,
  );
  await after(
    () => write(root, { 'late/x.py': '1' }),
    () => seen.paths.includes('late/x.py'),
  );
});

test('a missing root is waited for, and its replacement is followed', limits, async (t) => {
  const parent = temporaryFolder(t);
  const root = join(parent, 'root');
  write(root, { 'a.py': '', 'pkg/b.py': '' });
  const { seen, after, latest } = await watched(t, root, { beatMs: 50 });
  const isBack = () => latest().failure === null && seen.rescans > 0;
  const isFollowed = () =>
    after(
      () => write(root, { 'pkg/b.py': `${seen.batches}` }),
      () => seen.paths.includes('pkg/b.py'),
    );
  const ways: [name: string, damage: () => void, message: RegExp, mend: () => void][] = [
    [
      'moved',
      () => renameSync(root, `${root}.old`),
      /is no longer there/,
      () => renameSync(`${root}.old`, root),
    ],
    [
      'replaced by a link',
      () => {
        renameSync(root, `${root}.old`);
        symlinkSync(`${root}.old`, root);
      },
      /reached through a link to .*root\.old/,
      () => {
        rmSync(root);
        renameSync(`${root}.old`, root);
      },
    ],
    [
      'replaced by an empty folder',
      () => {
        rmSync(root, { recursive: true });
        mkdirSync(root);
      },
      /is no longer there/,
      () => write(root, { 'pkg/b.py': 'new' }),
    ],
  ];
  for (const [name, damage, message, mend] of ways) {
    const during = await after(damage, () => latest().failure !== null);
    assert.match(latest().failure?.message ?? '', message, name);
    assert.equal(during.rescans, 0, `${name}: it is not as if all files were deleted`);
    await after(mend, isBack);
    await isFollowed();
  }
});

test(
  'a removed, replaced or broken git repository is reported, and edits are still followed',
  limits,
  async (t) => {
    const root = repository(t, { 'a.py': '', 'pkg/b.py': '' });
    const git = join(root, '.git');
    const { seen, after, latest } = await watched(t, root, { beatMs: 50 });
    const aside = () => renameSync(git, `${root}.saved`);
    t.after(() => rmSync(`${root}.saved`, { recursive: true, force: true }));
    const ways: [name: string, damage: () => void][] = [
      ['removed', aside],
      [
        'a pointer to nothing',
        () => {
          aside();
          writeFileSync(git, 'gitdir: /nowhere/at/all\n');
        },
      ],
      [
        'without HEAD',
        () => {
          aside();
          mkdirSync(git);
        },
      ],
    ];
    for (const [name, damage] of ways) {
      await after(damage, () => latest().warning !== null && seen.rescans > 0);
      assert.match(latest().warning?.message ?? '', /no longer in a git repository/, name);
      assert.equal(latest().failure, null, name);
      const edited = await after(
        () => write(root, { 'pkg/b.py': name }),
        () => seen.paths.includes('pkg/b.py'),
      );
      assert.deepEqual(edited.paths, ['pkg/b.py'], name);
      const mend = () => {
        rmSync(git, { recursive: true, force: true });
        renameSync(`${root}.saved`, git);
      };
      await after(mend, () => latest().warning === null && seen.rescans > 0);
    }
    const told = seen.health.length;
    await after(
      () => write(root, { 'a.py': '1' }),
      () => seen.paths.includes('a.py'),
    );
    assert.equal(seen.health.length, told, 'an edit is no news of this kind');
  },
);

test('missing events are noticed', limits, async (t) => {
  const deaf = () => Object.assign(new EventEmitter(), { close: () => {} });
  const root = temporaryFolder(t);
  write(root, { 'pkg/a.py': '' });
  const watching = t.mock.method(fs, 'watch', deaf as unknown as typeof fs.watch);
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  const makeWatcher: WatcherMaker = (folder, sink) => new FolderWatcher(folder, sink);
  const { seen, after } = await watched(t, root, { beatMs: 50, makeWatcher });
  await sleep(200);
  assert.equal(seen.batches, 0, 'nothing changed');
  const added = await after(
    () => write(root, { 'pkg/b.py': '' }),
    () => seen.rescans > 0,
  );
  assert.equal(added.paths.length, 0, 'no event told of it');
  assert.ok(watching.mock.callCount() > 2, 'the folder is watched again');
});

test(
  'a failed watch is reported, the tree is listed meanwhile, and watching is retried',
  limits,
  async (t) => {
    const root = temporaryFolder(t);
    write(root, { 'a.py': '' });
    const sinks: ChangeSink[] = [];
    const { seen, after, latest } = await watched(t, root, {
      beatMs: 30,
      makeWatcher: (folder, sink) => {
        sinks.push(sink);
        return new FolderWatcher(folder, sink);
      },
    });
    const lost = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    await after(
      () => sinks[0]!.reportFailure(lost),
      () => seen.rescans > 0,
    );
    assert.deepEqual(
      seen.health.map(({ failure, warning }) => [failure, warning?.message.split('(')[0] ?? null]),
      [
        [null, `Changes in ${root} cannot be watched `],
        [null, null],
      ].slice(0, seen.health.length),
    );
    while (latest().warning !== null) await sleep(10);
    assert.equal(sinks.length, 2);
  },
);

test('an unreadable folder is reported until it is readable', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'a.py': '', 'locked/b.py': '' });
  const makeWatcher: WatcherMaker = (folder, sink) => new FolderWatcher(folder, sink);
  const real = fs.accessSync;
  let isLocked = true;
  t.mock.method(fs, 'accessSync', (path: string, mode: number) => {
    if (isLocked && path.endsWith('locked'))
      throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    real(path, mode);
  });
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  const { seen, after, latest } = await watched(t, root, { beatMs: 50, makeWatcher });
  while (latest().warning === null) await sleep(10);
  assert.match(latest().warning?.message ?? '', /are unreadable.*: locked\.$/);
  isLocked = false;
  while (latest().warning !== null) await sleep(10);
  await after(
    () => write(root, { 'locked/b.py': '1' }),
    () => seen.paths.includes('locked/b.py'),
  );
});

test('no batch is delivered after the end', limits, async (t) => {
  const root = temporaryFolder(t);
  const { seen, stop } = await watched(t, root);
  write(root, { 'a.py': '' });
  await stop();
  write(root, { 'b.py': '' });
  await sleep(200);
  assert.equal(seen.batches, 0);
});

test('if the system cannot watch, the tree is listed repeatedly', limits, async (t) => {
  const root = temporaryFolder(t);
  const start = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
  const { seen, after, latest } = await watched(t, root, {
    beatMs: 50,
    makeWatcher: () => ({
      start,
      check: async () => {},
      listUnreadable: () => [],
      close: async () => {},
    }),
  });
  assert.match(latest().warning?.message ?? '', /cannot be watched .* every few seconds instead/);
  assert.match(latest().warning?.remedy ?? '', /max_user_watches/);
  await after(
    () => {},
    () => seen.rescans > 1,
  );
  rmSync(root, { recursive: true });
  while (latest().failure === null) await sleep(10);
  assert.match(latest().failure?.message ?? '', /is no longer there/);
});

test('the watcher for systems that watch whole trees', limits, async (t) => {
  const root = temporaryFolder(t);
  write(root, { 'pkg/a.py': '', 'gone.py': '', 'notes.txt': '' });
  const { seen, after } = await watched(t, root, {
    makeWatcher: (folder, sink) => new RecursiveWatcher(folder, sink),
  });
  await after(
    () => write(root, { 'pkg/a.py': '1' }),
    () => seen.paths.includes('pkg/a.py'),
  );
  await after(
    () => rmSync(join(root, 'gone.py')),
    () => seen.paths.includes('gone.py'),
  );
  await after(
    () => mkdirSync(join(root, 'new')),
    () => seen.rescans > 0,
  );
  await after(
    () => rmSync(join(root, 'new'), { recursive: true }),
    () => seen.rescans > 0,
  );
});

test('an index kept up to date by batches equals the tree after any changes', limits, async (t) => {
  const root = repository(t, { 'a.py': '', 'p/b.py': '', 'p/q/c.py': '' });
  const tree = await openTree(root);
  const mirror = new Map(Object.entries((await contents(tree)).texts));
  let work = Promise.resolve();
  let pending = 0;
  const update = async ({ paths, rescan }: ChangeBatch) => {
    const only = rescan ? undefined : paths;
    const { entries } = await tree.list(isPython, only);
    const present = new Set(entries.map((entry) => entry.path));
    for (const path of only ?? [...mirror.keys()]) if (!present.has(path)) mirror.delete(path);
    // An unreadable file has changed meanwhile, so its next event will follow.
    for await (const item of tree.read(entries))
      if ('text' in item) mirror.set(item.path, item.text);
    pending -= 1;
  };
  await watched(t, root, {
    onBatch: (batch) => {
      pending += 1;
      work = work.then(() => update(batch));
    },
  });

  const random = generator(7);
  const names = ['a', 'b', 'p', 'q', 'r/s', 'p/q', 'p/q/r'];
  const pick = () => join(root, names[random(names.length)]!);
  const steps: (() => unknown)[] = [
    () => mkdirSync(pick(), { recursive: true }),
    () => write(pick(), { 'x.py': `${random(100)}` }),
    () => write(pick(), { 'deep/er/y.py': `${random(100)}` }),
    () => rmSync(pick(), { recursive: true, force: true }),
    () => renameSync(pick(), pick()),
    () => writeFileSync(join(pick(), 'x.py'), `${random(100)}`),
  ];
  // These cause a full listing, which would hide changes that the others miss.
  const sweeping: (() => unknown)[] = [
    () => write(root, { '.gitignore': ['', 'r/', 'x.py'][random(3)]! }),
    () => commit(root),
    () => git(root, 'checkout', '--quiet', '--force', 'HEAD~1'),
  ];
  const settle = async () => {
    // Longer than the delay of any batch.
    for (let quiet = 0; quiet < 8; quiet += 1) {
      await sleep(100);
      await work;
      if (pending > 0) quiet = 0;
    }
  };
  const sorted = () => [...mirror].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 50; count++) {
      const kind = round < 2 && random(20) === 0 ? sweeping : steps;
      try {
        await kind[random(kind.length)]!();
      } catch {
        // Some steps are impossible, such as renaming a missing file.
      }
      if (random(4) === 0) await sleep(random(80));
    }
    await settle();
    assert.deepEqual(sorted(), Object.entries((await contents(tree)).texts));
    // Every file is still watched, under its current name.
    for (const path of mirror.keys()) appendFileSync(join(root, path), `# ${round}\n`);
    await settle();
    assert.deepEqual(sorted(), Object.entries((await contents(tree)).texts));
  }
});

/** Creates a generator of reproducible random integers below a bound. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}
