import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { openRepository } from '../../src/services/open-repository.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

let root: string;
let dataDir: string;
let started = 0;
let running = 0;
function count(worker: Worker): void {
  started++;
  running++;
  worker.once('exit', () => running--);
}
before(() => {
  root = temporaryFolder();
  dataDir = temporaryFolder();
  writeFiles(root, { 'cart.py': 'def total(items):\n    return sum(items)\n' });
  process.on('worker', count);
});
after(() => {
  process.off('worker', count);
  removeFolder(root);
  removeFolder(dataDir);
});

test('opening a repository that was never indexed starts a parser beside the encoder', async () => {
  const opened = await openRepository(root, { dataDir });
  assert.equal(started, 2);
  await opened.index();
  assert.equal(started, 2, 'indexing uses it');
  await opened.close();
  assert.equal(running, 0);

  started = 0;
  await (await openRepository(root, { dataDir })).close();
  assert.equal(started, 1, 'one that was indexed needs none');
});

test('a repository that cannot be opened leaves no thread', async () => {
  rmSync(join(dataDir, 'repositories'), { recursive: true });
  writeFileSync(join(dataDir, 'repositories'), '');
  started = 0;
  await assert.rejects(openRepository(root, { dataDir }), { code: 'bad-store' });
  assert.equal(started, 2);
  await assert.rejects(openRepository(join(root, 'cart.py'), { dataDir }), {
    code: 'bad-repository',
  });
  assert.equal(running, 0);
});
