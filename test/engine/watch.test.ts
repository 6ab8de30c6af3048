import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepository } from '../../src/services/open-repository.ts';
import type { WatchUpdate } from '../../src/shared/indexing.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';

await keepThreads();

let root: string;
let dataDir: string;
let repository: Repository;
let abort: AbortController;
let watching: Promise<void>;
let updates: WatchUpdate[];
let errors: Error[];

beforeEach(async () => {
  root = gitRepository(syntheticPackage(20));
  dataDir = temporaryFolder();
  repository = await openRepository(root, { dataDir, device: 'cpu' });
  await repository.index();
  abort = new AbortController();
  updates = [];
  errors = [];
  // Changes before the watcher has started are not reported.
  const followed = Promise.withResolvers<unknown>();
  watching = repository.watch({
    signal: abort.signal,
    onIndexed: followed.resolve,
    onUpdate: (update) => updates.push(update),
    onHealth: ({ failure, warning }) => {
      for (const error of [failure, warning]) if (error) errors.push(error);
    },
  });
  watching.catch(followed.reject);
  await followed.promise;
});
afterEach(async () => {
  abort.abort();
  await watching.catch(() => {});
  await repository.close();
  removeFolder(root);
  removeFolder(dataDir);
});

/** Waits for an effect of the watcher. */
async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return;
    await sleep(50);
  }
  assert.fail(
    `${what} did not happen; updates: ${JSON.stringify(updates)}; errors: ${errors.join()}`,
  );
}

const has = (name: string) => async () =>
  repository.show({ chunk: name }).then(
    () => true,
    () => false,
  );
const lacks = (name: string) => async () => !(await has(name)());

async function equalsFreshIndex(): Promise<void> {
  await eventually(
    'a complete index',
    async () => (await repository.status()).state === 'complete',
  );
  const fresh = temporaryFolder();
  const other = await openRepository(root, { dataDir: fresh, device: 'cpu' });
  await other.index();
  await other.close();
  await eventually('an index equal to a fresh one', async () => {
    try {
      assertSameIndex(dataDir, fresh);
      return true;
    } catch {
      return false;
    }
  });
  removeFolder(fresh);
}

test('edits, new files, renames and deletes are followed', async () => {
  writeFileSync(join(root, 'pkg/module_3.py'), 'def rewritten_three():\n    return 3\n');
  await eventually('the edit', has('rewritten_three'));
  writeFileSync(join(root, 'pkg/fresh.py'), 'def brand_new():\n    return rewritten_three()\n');
  await eventually('the new file', has('brand_new'));
  renameSync(join(root, 'pkg/fresh.py'), join(root, 'pkg/moved.py'));
  await eventually(
    'the rename',
    async () =>
      (await repository.show({ chunk: 'brand_new' }).catch(() => null))?.path === 'pkg/moved.py',
  );
  rmSync(join(root, 'pkg/moved.py'));
  await eventually('the delete', lacks('brand_new'));
  assert.deepEqual(errors, []);
  await equalsFreshIndex();
});

test('a branch switch that changes, adds and removes many files is followed', async () => {
  git(root, 'checkout', '-q', '-b', 'feature');
  for (let n = 0; n < 10; n++)
    writeFileSync(join(root, `pkg/module_${n}.py`), `def feature_${n}():\n    return ${n}\n`);
  rmSync(join(root, 'pkg/module_11.py'));
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'Feature');
  await eventually('the feature', has('feature_9'));
  git(root, 'checkout', '-q', 'main');
  await eventually('main again', lacks('feature_9'));
  git(root, 'checkout', '-q', 'feature');
  await eventually('the feature again', has('feature_0'));
  await equalsFreshIndex();
});

test('moved folders, ignored files and partially written files are handled', async () => {
  mkdirSync(join(root, 'lib/deep'), { recursive: true });
  writeFileSync(join(root, 'lib/deep/a.py'), 'def in_a_folder():\n    pass\n');
  await eventually('the file in a new folder', has('in_a_folder'));
  renameSync(join(root, 'lib'), join(root, 'library'));
  await eventually('the moved folder', async () =>
    ((await repository.show({ chunk: 'in_a_folder' }).catch(() => null))?.path ?? '').startsWith(
      'library/',
    ),
  );
  writeFileSync(join(root, 'library/deep/a.py'), 'def in_a_folder():\n    return "unfinished');
  await sleep(150);
  writeFileSync(join(root, 'library/deep/a.py'), 'def in_a_folder():\n    return "finished"\n');
  await eventually('the finished file', async () =>
    /"finished"/.test(
      (await repository.show({ chunk: 'in_a_folder' }).catch(() => null))?.code ?? '',
    ),
  );
  writeFileSync(join(root, '.gitignore'), 'library/\n');
  await eventually('the newly ignored folder to go', lacks('in_a_folder'));
  await equalsFreshIndex();
});

test('an update reports its changes and the time until they are searchable', async () => {
  writeFileSync(join(root, 'pkg/module_5.py'), 'def timed():\n    pass\n');
  await eventually('the edit', has('timed'));
  // On a busy machine, a report of the previous test may arrive only now.
  const report = () => updates.find(({ changed }) => changed.includes('pkg/module_5.py'));
  await eventually('its report', async () => report() !== undefined);
  const update = report()!;
  assert.deepEqual(update.changed, ['pkg/module_5.py']);
  assert.ok(update.searchableMs > 0 && update.totalMs >= update.searchableMs);
});
