import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readLastPull, writeSharedSource } from '../../src/services/shared-index/setup.ts';
import { assertSameIndex } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  git,
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { indexIn, keyOf, publishFrom, pullInto } from './laptops.ts';

await keepThreads();

const FILES = 120;

describe('a shared index', () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  let root: string;
  before(async () => {
    root = gitRepository({ ...syntheticPackage(FILES), 'tool/go.mod': 'module tool\n' });
    writeFiles(root, { 'pkg/module_3.py': 'def only_here():\n    """Alone."""\n    return 3\n' });
    git(root, 'commit', '-qam', 'Only here');
    await publishFrom(root, at('publisher'), at('shared'));
  });
  after(() => {
    removeFolder(folder);
    removeFolder(root);
  });

  it('equals an index made here, row by row, and nothing is computed again', async () => {
    const { taken, report } = await pullInto(root, at('reader'), at('shared'), [
      await keyOf(at('publisher')),
    ]);
    assert.equal(taken?.behind, 0);
    assert.equal(taken.embeddings, true);
    assert.deepEqual([taken.files, taken.chunks], [report.files, report.chunks]);
    assert.equal(report.filesParsed, 0);
    assert.equal(report.chunksEncoded, 0);
    await indexIn(root, at('alone'));
    assertSameIndex(at('reader'), at('alone'));
  });

  it('is updated from an ancestor: only differences are read', async () => {
    const clone = at('clone');
    git(folder, 'clone', '-q', root, clone);
    git(clone, 'checkout', '-qb', 'topic');
    writeFiles(clone, { 'pkg/module_5.py': 'def changed():\n    """Changed."""\n    return 5\n' });
    rmSync(join(clone, 'pkg/module_6.py'));
    git(clone, 'commit', '-qam', 'Topic');
    writeFiles(clone, { 'pkg/new.py': 'def fresh():\n    """Fresh."""\n    return 1\n' });
    const name = root.split('/').at(-1);
    const { taken, report } = await pullInto(
      clone,
      at('topic'),
      at('shared'),
      [await keyOf(at('publisher'))],
      name,
    );
    assert.equal(taken?.behind, 1);
    assert.equal(report.filesParsed, 2);
    assert.equal(report.filesRemoved, 1);
    await indexIn(clone, at('topic-alone'));
    assertSameIndex(at('topic'), at('topic-alone'));
  });

  it('is sent once; a nearby commit shares most parts', async () => {
    const again = await publishFrom(root, at('publisher'), at('shared'));
    assert.equal(again.sent, 0);
    assert.equal(again.bytesSent, 0);
    // Like a fresh machine that builds every commit, with the same key.
    cpSync(join(at('publisher'), 'publisher.key'), join(at('second'), 'publisher.key'));
    const elsewhere = await publishFrom(root, at('second'), at('shared'));
    assert.equal(elsewhere.sent, 0);
    writeFiles(root, { 'pkg/module_9.py': 'def other():\n    """Other."""\n    return 9\n' });
    git(root, 'commit', '-qam', 'Other');
    const next = await publishFrom(root, at('publisher'), at('shared'));
    assert.ok(next.sent > 0 && next.sent <= 8, `${next.sent} of ${next.parts} parts were sent`);
    assert.ok(next.parts > 10);
    const { taken } = await pullInto(root, at('latest'), at('shared'), [
      await keyOf(at('publisher')),
    ]);
    assert.equal(taken?.commit, git(root, 'rev-parse', 'HEAD'));
  });

  it('replaces an older index', async () => {
    git(root, 'checkout', '-q', 'HEAD~1');
    await indexIn(root, at('older'));
    git(root, 'checkout', '-q', 'main');
    const { taken, report } = await pullInto(root, at('older'), at('shared'), [
      await keyOf(at('publisher')),
    ]);
    assert.equal(taken?.behind, 0);
    assert.equal(report.filesParsed, 0);
    await indexIn(root, at('main-alone'));
    assertSameIndex(at('older'), at('main-alone'));
  });

  it('of a folder inside a repository is separate', async () => {
    const inside = join(root, 'pkg');
    const keys = [await keyOf(at('publisher'))];
    const name = root.split('/').at(-1);
    const none = await pullInto(inside, at('inside-none'), at('shared'), keys, name);
    assert.equal(none.taken, null);
    await publishFrom(inside, at('publisher'), at('shared'), { name });
    const { taken, report } = await pullInto(inside, at('inside'), at('shared'), keys, name);
    assert.equal(taken?.files, FILES + 1);
    assert.equal(report.filesParsed, 0);
  });

  it('is found whichever case a clone writes the URL in', async () => {
    const small = gitRepository({ 'a.py': 'def a():\n    return 1\n' }, at('small'));
    const from = (origin: string) => git(small, 'config', 'remote.origin.url', origin);
    from('https://github.com/Acme/Shop.git');
    await publishFrom(small, at('publisher'), at('shared'));
    from('git@github.com:acme/shop.git');
    const { taken } = await pullInto(small, at('other-case'), at('shared'), [
      await keyOf(at('publisher')),
    ]);
    assert.equal(taken?.behind, 0);
  });

  describe('that is set up', () => {
    const setUp = async (dataDir: string, from: string) =>
      writeSharedSource(dataDir, { from, keys: [await keyOf(at('publisher'))] });

    it('is used when a repository is opened for the first time, and only then', async () => {
      await setUp(at('set-up'), at('shared'));
      const report = await indexIn(root, at('set-up'));
      assert.equal(report.filesParsed, 0);
      assert.match(
        report.notes.join(),
        /Used the shared index of commit [0-9a-f]{10} from .*shared\./,
      );
      assert.deepEqual((await indexIn(root, at('set-up'))).notes, []);
    });

    it('is not asked for a worktree, whose index starts from that of its sibling', async () => {
      await indexIn(root, at('siblings'));
      await setUp(at('siblings'), at('shared'));
      git(root, 'worktree', 'add', '-q', '--detach', at('worktree'));
      const report = await indexIn(at('worktree'), at('siblings'));
      assert.deepEqual([report.notes, report.filesParsed, report.chunksEncoded], [[], 0, 0]);
      assert.equal(readLastPull(at('siblings')), null);
    });

    it('does not prevent indexing if it is not available', async () => {
      writeFiles(folder, { 'a-file': '' });
      await setUp(at('in-the-way'), at('a-file'));
      const report = await indexIn(root, at('in-the-way'));
      assert.equal(report.filesParsed, FILES + 2);
      assert.match(
        report.notes.join(),
        /The shared index was not used, so everything is indexed here\. /,
      );
    });

    it('is not requested for a folder without a repository', async () => {
      await setUp(at('plain'), at('shared'));
      writeFiles(at('no-git'), { 'a.py': 'def a():\n    return 1\n' });
      assert.deepEqual((await indexIn(at('no-git'), at('plain'))).notes, []);
    });
  });
});
