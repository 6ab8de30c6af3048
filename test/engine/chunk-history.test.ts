import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const cart = (tax: string) =>
  `def total(items):\n    return sum(items)${tax}\n\n\ndef empty():\n    pass\n`;

describe('the history of a function', () => {
  it('lists the commits that changed it, newest first', async (t) => {
    const root = gitRepository({ 'cart.py': cart('') });
    const dataDir = temporaryFolder();
    t.after(() => [root, dataDir].forEach(removeFolder));
    for (const tax of [' + 1', ' + 2']) {
      writeFiles(root, { 'cart.py': cart(tax) });
      git(root, 'commit', '-qam', `Add the tax${tax}\n\nIt was missing.`);
    }
    const repository = await openRepository(root, { dataDir });
    t.after(() => repository.close());
    await repository.index();
    const { of, commits, hidden, hasHistory } = await repository.history({ chunk: 'total' });
    assert.equal(of.address, 'cart.py::total');
    assert.deepEqual(
      commits.slice(0, 2).map(({ subject }) => subject),
      ['Add the tax + 2', 'Add the tax + 1'],
    );
    assert.equal(commits[0]?.commit, git(root, 'rev-parse', 'HEAD').trim());
    assert.deepEqual([hidden, hasHistory], [0, true]);
    const few = await repository.history({ chunk: 'total', limit: 1 });
    assert.deepEqual([few.commits.length, few.hidden], [1, commits.length - 1]);
    const other = await repository.history({ chunk: 'empty' });
    assert.ok(other.commits.every(({ subject }) => !subject.startsWith('Add the tax')));
  });

  it('is empty without a git repository', async (t) => {
    const root = temporaryFolder();
    const dataDir = temporaryFolder();
    t.after(() => [root, dataDir].forEach(removeFolder));
    writeFiles(root, { 'cart.py': cart('') });
    const repository = await openRepository(root, { dataDir });
    t.after(() => repository.close());
    await repository.index();
    const { commits, hasHistory } = await repository.history({ chunk: 'total' });
    assert.deepEqual([commits, hasHistory], [[], false]);
  });
});
