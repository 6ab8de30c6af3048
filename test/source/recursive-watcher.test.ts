import assert from 'node:assert/strict';
import { chmodSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { RecursiveWatcher } from '../../src/engine/source/recursive-watcher.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

test('watching starts no other program', async (t) => {
  const folder = temporaryFolder();
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
    removeFolder(folder);
  });
  const started = join(folder, 'started');
  writeFiles(folder, { 'bin/watchman': `#!/bin/sh\n: > '${started}'\n`, 'watched/a.py': '' });
  chmodSync(join(folder, 'bin/watchman'), 0o755);
  process.env.PATH = join(folder, 'bin') + delimiter + PATH;
  const nothing = () => {};
  const watcher = new RecursiveWatcher(join(folder, 'watched'), {
    accepts: () => true,
    isPruned: () => false,
    reportFile: nothing,
    requestRescan: nothing,
    checkRoot: nothing,
    restartWatching: nothing,
    reportFailure: nothing,
  });
  await watcher.start();
  await watcher.close();
  assert.ok(!existsSync(started), 'Watchman was started');
});
