/** With an allowed root, a repository inside it reveals nothing outside, wherever its pointers lead. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { startSession } from '../../src/backend/engine-host.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { connect } from '../backend/support.ts';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

let folder: string;
let allowed: string;
/** Repository inside the allowed root, and one outside with a secret in its history. */
let inside: string;
let outside: string;

beforeEach(() => {
  folder = temporaryFolder('locus-confined-');
  allowed = join(folder, 'allowed');
  inside = join(allowed, 'inside');
  outside = join(folder, 'outside');
  for (const [root, files] of [
    [inside, { 'a.py': 'a = 1\n' }],
    [outside, { 'secret.py': 'secret = 1\n' }],
  ] as const) {
    writeFiles(root, files);
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'First');
  }
});

afterEach(() => removeFolder(folder));

const paths = async (root: string, revision?: string): Promise<string[]> => {
  const tree = await openTree(root, { within: allowed, revision });
  try {
    const { entries } = await tree.list((path) => path.endsWith('.py'));
    return entries.map(({ path }) => path);
  } finally {
    await tree.close();
  }
};

/** Ways in which a repository inside can lead outside. */
const WAYS: Record<string, () => void> = {
  'a .git file': () => {
    rmSync(join(inside, '.git'), { recursive: true });
    writeFileSync(join(inside, '.git'), `gitdir: ${outside}/.git\n`);
  },
  'a .git that is a link': () => {
    rmSync(join(inside, '.git'), { recursive: true });
    symlinkSync(join(outside, '.git'), join(inside, '.git'));
  },
  commondir: () => writeFileSync(join(inside, '.git/commondir'), `${outside}/.git\n`),
  alternates: () =>
    writeFileSync(join(inside, '.git/objects/info/alternates'), `${outside}/.git/objects\n`),
  'alternates, relative': () =>
    writeFileSync(
      join(inside, '.git/objects/info/alternates'),
      '../../../../outside/.git/objects\n',
    ),
  'objects that are a link': () => {
    rmSync(join(inside, '.git/objects'), { recursive: true });
    symlinkSync(join(outside, '.git/objects'), join(inside, '.git/objects'));
  },
  'a pack that is a link': () => {
    git(outside, 'repack', '-q', '-a', '-d');
    symlinkSync(join(outside, '.git/objects/pack'), join(inside, '.git/objects/pack/more'));
  },
  'alternates of alternates': () => {
    const between = join(allowed, 'between');
    cpSync(inside, between, { recursive: true });
    writeFileSync(join(between, '.git/objects/info/alternates'), `${outside}/.git/objects\n`);
    writeFileSync(join(inside, '.git/objects/info/alternates'), `${between}/.git/objects\n`);
  },
  'an index that is a link': () => {
    rmSync(join(inside, '.git/index'));
    symlinkSync(join(outside, '.git/index'), join(inside, '.git/index'));
  },
};

for (const [way, lead] of Object.entries(WAYS)) {
  test(`${way} that leads outside is refused`, async () => {
    const secret = git(outside, 'rev-parse', 'HEAD');
    assert.deepEqual(await paths(inside), ['a.py']);
    const opened = await openTree(inside, { within: allowed });
    lead();
    for (const revision of [undefined, 'HEAD', secret]) {
      await assert.rejects(paths(inside, revision), {
        code: 'bad-repository',
        message: /^The repository of .*inside is outside .*allowed: .+ points there\.$/,
        remedy: /--root/,
      });
    }
    await assert.rejects(opened.getHead(), { code: 'bad-repository' }, 'even while it is open');
    await opened.close();
  });
}

test('a repository whose root is above the allowed root is not used', async () => {
  writeFiles(allowed, { 'plain/b.py': '' });
  git(folder, 'init', '-q');
  git(folder, 'add', 'allowed/plain');
  git(folder, 'commit', '-q', '-m', 'All');
  const tree = await openTree(join(allowed, 'plain'), { within: allowed });
  assert.equal(await tree.getHead(), null);
  await tree.close();
  await assert.rejects(paths(join(allowed, 'plain'), 'HEAD'), /is not in a git repository/);
  // An invalid .git folder does not hide the one above from git either.
  mkdirSync(join(allowed, 'plain/.git'));
  await assert.rejects(paths(join(allowed, 'plain'), 'HEAD'), /is not in a git repository/);
});

test('core.worktree shows no files of another folder', async () => {
  git(inside, 'config', 'core.worktree', outside);
  assert.deepEqual(await paths(inside), ['a.py'], 'the committed files');
  git(inside, 'config', 'core.worktree', folder);
  assert.deepEqual(await paths(inside), ['a.py']);
});

test('linked working trees, submodules and alternates inside the root still work', async () => {
  git(inside, 'worktree', 'add', '-q', join(allowed, 'linked'));
  git(allowed, 'clone', '-q', '--shared', inside, 'shared');
  git(inside, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inside, 'sub');
  for (const place of ['linked', 'shared', 'inside/sub']) {
    assert.deepEqual(await paths(join(allowed, place)), ['a.py'], place);
    assert.deepEqual(await paths(join(allowed, place), 'HEAD'), ['a.py'], place);
  }
});

test('a window of a served folder cannot read data that its repository keeps outside', async () => {
  WAYS['a .git file']!();
  const session = startSession({ dataDir: join(folder, 'data') });
  const window = connect(session, allowed);
  await assert.rejects(window.call('repository.open', { root: inside, revision: 'HEAD' }), {
    code: 'bad-repository',
  });
  await session.close();
});
