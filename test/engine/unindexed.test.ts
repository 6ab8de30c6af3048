import assert from 'node:assert/strict';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

const LAST = 'The list cannot contain functions of files that were not read.';

/** Names of files that no index contains, with the note about each. */
const UNREAD: Record<string, RegExp> = {
  'src/checker.py': /^`src\/checker\.py` was not read \(too large\): 8\.1 MiB; files over 8 MiB/,
  'src/tree.adb': /^`src\/tree\.adb` was not read \(unsupported\): Ada is not supported yet\.$/,
  'src/rules.foo': /^`src\/rules\.foo` was not read \(unsupported\): files of its kind are not/,
  'src/blob.py': /^`src\/blob\.py` was not read \(binary\): a NUL byte at offset 1\.$/,
  'vendor/lib/inner.py': /^`vendor\/lib` was not read \(submodule\): /,
  'sparse/far.py':
    /^`sparse\/far\.py` was not read \(not checked out\): it is outside of the sparse/,
  'src/secret.py': /^`src\/secret\.py` was not read \(unreadable\): /,
};

describe('files that are not in the index', () => {
  let root: string;
  const dataDir = temporaryFolder();
  let repository: Repository;

  before(async () => {
    const inner = gitRepository({ 'inner.py': 'def inner():\n    return 1\n' });
    root = gitRepository({
      'src/cart.py': 'def total(cart):\n    return sum(cart)\n',
      // A confidence needs some candidates.
      'src/shelf.py': Array.from(
        { length: 300 },
        (_, i) => `def shelf${i}(cart):\n    return total(cart)\n`,
      ).join('\n'),
      'src/checker.py': `# ${'x'.repeat(8.1 * 1024 * 1024)}\n`,
      'src/tree.adb': 'procedure Tree is\nbegin\n  null;\nend Tree;\n',
      'src/rules.foo': 'rule\n',
      'src/blob.py': 'a\0b',
      'sparse/far.py': 'def far():\n    return 2\n',
      'src/secret.py': 'def secret():\n    return 3\n',
    });
    git(
      root,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      inner,
      'vendor/lib',
    );
    git(root, 'commit', '--quiet', '-m', 'Add a submodule');
    git(root, 'submodule', '--quiet', 'deinit', '--force', 'vendor/lib');
    git(root, 'sparse-checkout', 'set', 'src', 'vendor');
    removeFolder(inner);
    const secret = join(root, 'src/secret.py');
    chmodSync(secret, 0);
    if (process.getuid?.() === 0) {
      // The superuser may read every file, but a link that leads nowhere is unreadable for everybody.
      rmSync(secret);
      symlinkSync('nowhere', secret);
    }
    repository = await openRepository(root, { dataDir, device: 'cpu' });
    await repository.index();
  });
  after(async () => {
    await repository.close();
    removeFolder(root);
    removeFolder(dataDir);
  });

  const search = (issue: string) => repository.search({ issue, rerank: { count: 0 } });

  for (const [path, note] of Object.entries(UNREAD)) {
    it(`are named if the issue mentions them: ${path}`, async () => {
      const { issue, confidence } = await search(`The total of the cart is wrong, see ${path}`);
      assert.match(issue.notes[0] ?? '', note);
      assert.equal(issue.notes[1], LAST);
      assert.equal(issue.unindexed.length, 1);
      assert.ok(!issue.notes.some((text) => text.startsWith('No ')), issue.notes.join(' '));
      if (path !== 'src/rules.foo') assert.equal(confidence, null);
    });

    it(`are named if a frame of a traceback is in them: ${path}`, async () => {
      const { issue } = await search(
        `The total is wrong\n\nTraceback (most recent call last):\n  File "/home/me/shop/${path}", line 3, in total\n    return sum(cart)\nTypeError: no`,
      );
      assert.match(issue.notes[0] ?? '', note);
      assert.ok(!issue.notes.some((text) => text.startsWith('No ')), issue.notes.join(' '));
    });
  }

  it('are named with the callers and callees of a function', async () => {
    const { note } = await repository.neighbors({ chunk: 'src/cart.py::total' });
    assert.equal(
      note,
      'Calls from code that was not read are missing: 1 file outside of the sparse checkout, `src/blob.py` (binary), `src/checker.py` (too large), `src/secret.py` (unreadable), `vendor/lib` (submodule), 1 Ada file.',
    );
  });

  it('are not mentioned in an issue about others, and files of other projects are not taken for them', async () => {
    const { issue, confidence } = await search(
      'total() of src/cart.py is wrong, like in other/checker.py and requests/api.py',
    );
    assert.deepEqual([issue.unindexed, issue.notes], [[], []]);
    assert.notEqual(confidence, null);
  });

  it('are found in a commit and in a folder without git, too', async () => {
    const plain = temporaryFolder();
    writeFileSync(join(plain, 'cart.py'), 'def total(cart):\n    return sum(cart)\n');
    writeFileSync(join(plain, 'tree.adb'), 'null;\n');
    for (const [folder, options, path] of [
      [root, { revision: 'HEAD' }, 'src/tree.adb'],
      [plain, {}, 'tree.adb'],
    ] as const) {
      const opened = await openRepository(folder, { dataDir, device: 'cpu', ...options });
      await opened.index();
      const { issue } = await opened.search({
        issue: `The total is wrong, see ${path}`,
        rerank: { count: 0 },
      });
      assert.deepEqual(issue.notes, [
        `\`${path}\` was not read (unsupported): Ada is not supported yet.`,
        LAST,
      ]);
      await opened.close();
    }
    removeFolder(plain);
  });
});
