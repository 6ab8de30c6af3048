import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CandidateList } from '../../src/engine/source/candidates.ts';
import { MAX_EXCLUDED, MAX_FILES } from '../../src/engine/source/limits.ts';
import { createSelection, describeUnappliedRules } from '../../src/engine/source/selection.ts';
import { contents, git, isPython, open, repository, temporaryFolder, write } from './fixture.ts';

const FILES = {
  '.gitignore': 'build/\nnode_modules/\n*_pb2.py\n',
  'a.py': '',
  'old/legacy.py': '',
  'old/kept.py': '',
};
const IGNORED = {
  'a_pb2.py': '',
  'build/gen/made.py': '',
  'build/gen/deep/more.py': '',
  'build/other.py': '',
  'node_modules/pkg/x_pb2.py': '',
};

/** Opens the same files as a git working tree and as a folder without git. */
async function openBoth(t: TestContext, more: Record<string, string>) {
  const plain = temporaryFolder(t);
  write(plain, FILES);
  const tracked = repository(t, FILES);
  for (const root of [tracked, plain]) write(root, { ...IGNORED, ...more });
  return [
    { root: tracked, tree: await open(t, tracked) },
    { root: plain, tree: await open(t, plain) },
  ];
}

test('.locusignore leaves out files that git tracks, and says so', async (t) => {
  for (const { tree, root } of await openBoth(t, { '.locusignore': 'old/*\n!old/kept.py\n' })) {
    const { paths, skipped } = await contents(tree);
    assert.deepEqual(paths, ['a.py', 'old/kept.py']);
    const detail = 'left out by .locusignore, pattern `old/*`';
    assert.deepEqual(skipped, [{ path: 'old/legacy.py', reason: 'excluded', detail }]);

    rmSync(join(root, '.locusignore'));
    assert.ok((await contents(tree)).paths.includes('old/legacy.py'));
  }
});

test('a commit has the .locusignore that was committed', async (t) => {
  const root = repository(t, { ...FILES, '.locusignore': 'old/legacy.py\n' });
  write(root, { '.locusignore': '' });
  const committed = await contents(await open(t, root, { revision: 'HEAD' }));
  assert.deepEqual(committed.paths, ['a.py', 'old/kept.py']);
  assert.match(committed.skipped[0]?.detail ?? '', /left out by \.locusignore/);

  rmSync(join(root, '.locusignore'));
  symlinkSync('old/kept.py', join(root, '.locusignore'));
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'link');
  const linked = await contents(await open(t, root, { revision: 'HEAD' }));
  assert.deepEqual(linked.paths, ['a.py', 'old/kept.py', 'old/legacy.py']);
  const detail = 'its rules are not applied: a symbolic link';
  assert.deepEqual(linked.skipped, [{ path: '.locusignore', reason: 'unreadable', detail }]);
});

test('.locusinclude adds files that git ignores', async (t) => {
  const cases: [string, string[]][] = [
    ['/build/gen/', ['build/gen/deep/more.py', 'build/gen/made.py']],
    ['build/gen/*.py', ['build/gen/made.py']],
    ['build/**/more.py', ['build/gen/deep/more.py']],
    ['build/', ['build/gen/deep/more.py', 'build/gen/made.py', 'build/other.py']],
    ['build/*\n!build/gen/', ['build/other.py']],
    // A pattern without a folder finds nothing in folders that git ignores.
    ['*_pb2.py', ['a_pb2.py']],
    ['node_modules/pkg/', ['node_modules/pkg/x_pb2.py']],
    ['nothing/here', []],
  ];
  for (const [rules, expected] of cases) {
    for (const { tree } of await openBoth(t, { '.locusinclude': rules })) {
      const { paths } = await contents(tree);
      const added = paths.filter((path) => path in IGNORED);
      assert.deepEqual(added, expected, rules);
      assert.equal(paths.length, 3 + expected.length, rules);
      const only = new Set(Object.keys(IGNORED));
      const { entries } = await tree.list(isPython, only);
      assert.deepEqual(
        entries.map(({ path }) => path),
        expected,
        `only some paths, ${rules}`,
      );
    }
  }
});

test('.locusignore applies to included files, and other repositories are not entered', async (t) => {
  const rules = { '.locusinclude': 'build/\n', '.locusignore': 'build/gen/deep/\n' };
  for (const { root, tree } of await openBoth(t, rules)) {
    const { paths } = await contents(tree);
    assert.deepEqual(paths.slice(1, 3), ['build/gen/made.py', 'build/other.py']);
    mkdirSync(join(root, 'build/nested'));
    git(join(root, 'build/nested'), 'init', '--quiet');
    write(root, { 'build/nested/b.py': '' });
    const isGit = existsSync(join(root, '.git'));
    const after = await contents(tree);
    assert.equal(after.paths.includes('build/nested/b.py'), !isGit);
    assert.deepEqual(after.submodules, isGit ? ['build/nested'] : []);
  }
});

test('hostile files with rules are reported and not applied', async (t) => {
  const outside = temporaryFolder(t);
  write(outside, { rules: '*.py\n' });
  const problems: [string | null, RegExp][] = [
    ['*.py\n'.repeat(201), /201 patterns, of at most 200/],
    [`*.py\n${'#'.repeat(130 * 1024)}`, /bytes, of at most 131072/],
    [`*.py\n${'**/a/'.repeat(4)}`, /more than three `\*\*`/],
    [`*.py\n${'a'.repeat(1001)}`, /too long/],
    [null, /a symbolic link/],
  ];
  for (const [text, problem] of problems) {
    for (const name of ['.locusignore', '.locusinclude']) {
      for (const { root, tree } of await openBoth(t, {})) {
        if (text === null) symlinkSync(join(outside, 'rules'), join(root, name));
        else write(root, { [name]: text });
        const { paths, skipped } = await contents(tree);
        assert.deepEqual(paths, ['a.py', 'old/kept.py', 'old/legacy.py'], `${problem}`);
        assert.equal(skipped[0]?.path, name);
        assert.match(skipped[0]?.detail ?? '', problem);
        const [note] = describeUnappliedRules(skipped);
        assert.ok(note?.startsWith(`${name} was not read: its rules are not applied: `), note);
      }
    }
  }
});

test('files left out by patterns do not count as indexed ones, and are listed up to a limit', () => {
  const selection = createSelection(() => null, { text: 'gen/\n' }, null);
  const candidates = new CandidateList(isPython, selection);
  const left = MAX_FILES + 5;
  for (let i = 0; i < left; i++) {
    assert.ok(candidates.hasRoom());
    candidates.addFile(`gen/${i}.py`);
  }
  assert.ok(candidates.hasRoom());
  candidates.addFile('a.py');
  const { skipped } = candidates.createListing([{ path: 'a.py', hash: null, size: 0 }], []);
  assert.deepEqual(candidates.files, ['a.py']);
  assert.equal(skipped.length, MAX_EXCLUDED);
  assert.deepEqual(
    skipped.filter(({ detail }) => detail.includes('240,005 more files left out are not listed'))
      .length,
    1,
  );
});

test('an included folder that is a link is not followed', async (t) => {
  const outside = temporaryFolder(t);
  write(outside, { 'secret.py': 's = 1\n' });
  const rules = 'linked/\n../secret.py\nbuild/../../secret.py\n/etc/\n';
  for (const { root, tree } of await openBoth(t, { '.locusinclude': rules })) {
    symlinkSync(outside, join(root, 'linked'));
    assert.deepEqual((await contents(tree)).paths, ['a.py', 'old/kept.py', 'old/legacy.py']);
  }
});
