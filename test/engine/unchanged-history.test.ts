import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredHistory } from '../../src/engine/store/history.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

test('an update reads the stored commits only if there are new ones', async (t) => {
  const root = gitRepository({ 'a.py': 'def first():\n    return 1\n' });
  const dataDir = temporaryFolder();
  const read = t.mock.method(StoredHistory.prototype, 'getAll');
  const repository = await openRepository(root, { dataDir });
  try {
    git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
    await repository.index();
    const before = read.mock.callCount();
    assert.ok(before > 0);
    await repository.index();
    assert.equal(read.mock.callCount(), before);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'third');
    await repository.index();
    assert.ok(read.mock.callCount() > before);
  } finally {
    await repository.close();
    removeFolder(root);
    removeFolder(dataDir);
  }
});
