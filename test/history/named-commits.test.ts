import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, writeFiles } from '../support/repository.ts';
import { commit, createFolder, createRepository } from './support.ts';

await keepThreads();

const FILES = {
  'shop/cart.py': `class Cart:
    def total(self):
        return 0

    def clear(self):
        self.items = []
`,
  'shop/prices.py': `def price_of(item):
    return 2


def discount(percent):
    return 3
`,
};
const YEAR = new Date().getUTCFullYear();

/** Replaces a text of a file and commits the change. */
function edit(root: string, message: string, path: keyof typeof FILES, from: string, to: string) {
  return commit(root, message, { [path]: FILES[path].replace(from, to) });
}

/** Edits a function on a branch, and merges the branch with this message. */
function merge(root: string, message: string): string {
  git(root, 'checkout', '-q', '-b', 'topic');
  edit(root, 'Round up', 'shop/prices.py', 'return 3', 'return 5');
  git(root, 'checkout', '-q', '-');
  commit(root, 'Write notes', { 'notes.py': 'def note():\n    return 1\n' });
  git(root, 'merge', '-q', '--no-ff', '-m', message, 'topic');
  return git(root, 'rev-parse', 'HEAD');
}

/** Opens a repository, and returns a function that gives the reasons about named commits for an issue, by function. */
async function open(t: TestContext, root: string, revision?: string) {
  const options = {
    device: 'cpu' as const,
    dataDir: createFolder(t),
    ...(revision && { revision }),
  };
  const repository = await openRepository(root, options);
  t.after(() => repository.close());
  assert.deepEqual((await repository.index()).notes, []);
  return async (issue: string): Promise<Record<string, string>> => {
    const { results } = await repository.search({ issue, limit: 100 });
    const reasons = results.flatMap(({ qualifiedName, evidence }) => {
      const { namedCommit, namedVersions } = evidence;
      const sentence = (namedCommit ?? namedVersions)?.sentence;
      return sentence ? [[qualifiedName, sentence] as const] : [];
    });
    return Object.fromEntries(reasons);
  };
}

test('shows that a commit edited a function if the issue names the commit as the cause', async (t) => {
  const root = createRepository(t, FILES);
  const hash = edit(root, 'Reformat', 'shop/cart.py', 'return 0', 'return 1');
  const short = hash.slice(0, 7);
  const worktree = join(createFolder(t), 'worktree');
  git(root, 'worktree', 'add', '-q', '--detach', worktree);
  const sentence = `edited by \`Reformat\` (${short}, ${YEAR}), which the issue names`;
  for (const folder of [root, worktree]) {
    const find = await open(t, folder);
    const expected = { 'Cart.total': sentence };
    assert.deepEqual(await find(`Orders vanish since commit ${short}`), expected);
    assert.deepEqual(await find(`Orders vanish, bisected to ${hash}`), expected);
    assert.deepEqual(await find('Orders vanish since 0123abc, and after #99 was merged'), {});
  }
});

test('finds the commits of a ticket, and those that a merge brought', async (t) => {
  const root = createRepository(t, FILES);
  const squashed = edit(root, 'Empty carts (#12)', 'shop/cart.py', '[]', '{}').slice(0, 7);
  const merged = merge(root, 'Merge pull request #13 from ann/topic').slice(0, 8);
  const branch = git(root, 'rev-parse', 'HEAD^2').slice(0, 7);
  const find = await open(t, root);
  assert.deepEqual(await find('Orders vanish since #12 was merged'), {
    'Cart.clear': `edited for \`#12\`: \`Empty carts (#12)\` (${squashed}, ${YEAR})`,
  });
  assert.deepEqual(await find('Orders vanish, broken by GH-13'), {
    discount: `edited for \`GH-13\`: \`Round up\` (${branch}, ${YEAR})`,
  });
  assert.deepEqual(await find(`Orders vanish after commit ${merged}`), {
    discount: `edited by \`Round up\` (${branch}, ${YEAR}), which the issue names`,
  });
});

test('follows a link to its own repository only', async (t) => {
  const root = createRepository(t, FILES);
  git(root, 'remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  edit(root, 'Empty carts (#12)', 'shop/cart.py', '[]', '{}');
  const find = await open(t, root);
  const link = (name: string) => `Orders vanish since https://github.com/acme/${name}/pull/12`;
  assert.deepEqual(Object.keys(await find(link('shop'))), ['Cart.clear']);
  assert.deepEqual(await find(link('other')), {});
});

test('does not use what came after the searched commit', async (t) => {
  const root = createRepository(t, FILES);
  const before = edit(root, 'Empty carts', 'shop/cart.py', '[]', '{}');
  git(root, 'tag', 'v1.0');
  const fix = edit(root, 'Round up\n\nFixes #12', 'shop/prices.py', 'return 3', 'return 4');
  const merged = merge(root, 'Merge pull request #14');
  git(root, 'tag', 'v1.1');
  const findNow = await open(t, root);
  const findBefore = await open(t, root, before);
  const issues = [
    'Orders vanish, see #12',
    'Orders vanish, see #14',
    `Orders vanish since ${fix}`,
    `Orders vanish since ${merged}`,
    'Orders vanish. It worked in 1.0, and is broken since 1.1.',
  ];
  for (const issue of issues) {
    assert.ok('discount' in (await findNow(issue)), issue);
    assert.deepEqual(await findBefore(issue), {}, `${issue}, at the commit before`);
  }
});

test('finds what changed between versions, also of releases on a branch', async (t) => {
  const root = createRepository(t, FILES);
  git(root, 'tag', 'rel_1_0');
  git(root, 'checkout', '-q', '-b', 'stable');
  commit(root, 'Release', { 'stable.py': 'def release():\n    return 1\n' });
  git(root, 'tag', '-a', '-m', 'Release', 'release-1.0.1');
  git(root, 'checkout', '-q', '-');
  const hash = edit(root, 'Empty carts', 'shop/cart.py', '[]', '{}').slice(0, 7);
  git(root, 'tag', 'v1.1.0');
  edit(root, 'Round up', 'shop/prices.py', 'return 3', 'return 4');
  const find = await open(t, root);
  const describe = (step: string) => {
    return { 'Cart.clear': `changed ${step}: \`Empty carts\` (${hash}, ${YEAR})` };
  };
  const findFor = (issue: string) => find(`Orders vanish\n\n${issue}`);
  assert.deepEqual(
    await findFor('Works in 1.0.1, fails in 1.1'),
    describe('between 1.0.1 and 1.1'),
  );
  assert.deepEqual(await findFor('A regression in v1.1.0'), describe('between 1.0.1 and 1.1.0'));
  assert.deepEqual(Object.keys(await findFor('It still worked in 1.1.0')), ['discount']);
  assert.deepEqual(await findFor('Version: 1.1.0'), {});
  assert.deepEqual(await findFor('It works with Python 1.0 and fails since Python 1.1'), {});
});

test('gives no evidence without git, or for a commit that a shallow clone lacks', async (t) => {
  const root = createRepository(t, FILES);
  const old = edit(root, 'Reformat (#12)', 'shop/cart.py', 'return 0', 'return 1');
  edit(root, 'Round up', 'shop/prices.py', 'return 3', 'return 4');
  edit(root, 'Round down', 'shop/prices.py', 'return 3', 'return 2');
  const issue = `Orders vanish since ${old} and #12. It worked in 1.0, and is broken since 1.1.`;
  const shallow = join(createFolder(t), 'shallow');
  git(root, 'clone', '-q', '--depth', '1', `file://${root}`, shallow);
  const folder = createFolder(t);
  writeFiles(folder, FILES);
  for (const place of [shallow, folder]) assert.deepEqual(await (await open(t, place))(issue), {});
});
