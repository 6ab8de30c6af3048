/** Tests a window on a repository whose folder is moved, replaced or removed. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { IndexingState } from '../../src/shared/indexing.ts';
import type { OpenedRepository } from '../../src/shared/repository.ts';
import { encodeWorkspace } from '../../src/shared/workspace.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Client, connect, indexed, SHOP, waitFor, workplace } from './support.ts';

await keepThreads('auto');

/** Time limit of a test. */
const limits = { timeout: 120_000 };

/** State of one repository in a window. */
class Window {
  readonly client: Client;
  readonly states: IndexingState[] = [];
  opened!: OpenedRepository;

  constructor(client: Client) {
    this.client = client;
    client.on('indexing', ({ state }) => this.states.push(state));
  }

  async open(root: string): Promise<void> {
    const done = indexed(this.client);
    this.opened = await this.client.call('repository.open', { root });
    await done;
  }

  async until(matches: (state: IndexingState) => boolean): Promise<IndexingState> {
    const latest = this.states.at(-1);
    if (latest && matches(latest)) return latest;
    return (await waitFor(this.client, 'indexing', ({ state }) => matches(state))).state;
  }

  /** Writes a file with a function of this name, and waits until it is found. */
  async edit(path: string, name: string): Promise<void> {
    const { id: repository } = this.opened;
    writeFileSync(path, `def ${name}():\n    return "${name}"\n`);
    while ((await this.client.call('find', { repository, request: { query: name } })).length === 0)
      await waitFor(this.client, 'updated');
  }

  finds(query: string): Promise<unknown[]> {
    return this.client.call('find', { repository: this.opened.id, request: { query } });
  }
}

const isSound = ({ phase, failure, warning }: IndexingState) =>
  phase === 'current' && failure === null && warning === null;

describe('a window over a folder', () => {
  const place = workplace();
  const root = realpathSync(place.root);
  const saved = `${root}.saved`;
  const window = new Window(connect(place.session));

  before(() => window.open(place.root));
  after(async () => {
    await place.done();
    removeFolder(saved);
  });

  it('that is no longer a git repository says so and indexes edits', limits, async () => {
    renameSync(join(root, '.git'), saved);
    const { phase, warning } = await window.until((state) => state.warning !== null);
    assert.equal(phase, 'current');
    assert.match(warning?.message ?? '', /no longer in a git repository/);
    await window.edit(join(root, 'plain.py'), 'in_a_plain_folder');
    renameSync(saved, join(root, '.git'));
    await window.until(isSound);
    await window.edit(join(root, 'git.py'), 'in_a_git_repository');
  });

  it('whose git fails is not complete, and is again once git works', limits, async () => {
    const index = join(root, '.git/index');
    renameSync(index, saved);
    writeFileSync(index, 'no index');
    const { failure } = await window.until(({ phase }) => phase === 'failed');
    assert.match(failure?.message ?? '', /Git cannot read/);
    renameSync(saved, index);
    await window.until(isSound);
    await window.edit(join(root, 'again.py'), 'after_git_failed');
  });

  it(
    'that is moved away is not complete, is searched, and goes on when it is back',
    limits,
    async () => {
      renameSync(root, saved);
      const { failure } = await window.until(({ phase }) => phase === 'failed');
      assert.match(failure?.message ?? '', /is no longer there/);
      assert.equal((await window.finds('parse_cookie')).length, 1);
      renameSync(saved, root);
      await window.until(isSound);
      await window.edit(join(root, 'back.py'), 'after_it_was_back');
    },
  );

  it('in whose place another one is follows that one', limits, async () => {
    renameSync(root, saved);
    mkdirSync(root);
    await window.edit(join(root, 'other.py'), 'of_another_folder');
    assert.equal((await window.finds('parse_cookie')).length, 0);
    rmSync(root, { recursive: true });
    renameSync(saved, root);
    while ((await window.finds('parse_cookie')).length === 0)
      await waitFor(window.client, 'updated');
    await window.until(isSound);
  });
});

describe('a link in the place of an open folder', () => {
  it('leads no window out of the folder that it may open', limits, async (t) => {
    const { window, root, outside } = await confinedWindow(t);
    renameSync(root, `${root}.saved`);
    symlinkSync(outside, root);
    const { failure } = await window.until(({ phase }) => phase === 'failed');
    assert.match(failure?.message ?? '', /reached through a link/);
    // It keeps its folder when resumed, and when reopened after a change of settings.
    await window.client.call('index.resume', { repository: window.opened.id });
    const settings = { exclude: ['nothing/'] };
    await window.client.call('settings.set', settings);
    await window.until(
      ({ phase, failure }) => phase === 'failed' && / is outside /.test(failure?.message ?? ''),
    );
    assert.deepEqual(await window.finds('of_somebody_else').catch(() => []), []);
    rmSync(root);
    renameSync(`${root}.saved`, root);
    await window.until(isSound);
    assert.equal((await window.finds('of_the_user')).length, 1);
  });
});

async function confinedWindow(t: TestContext) {
  const allowed = realpathSync(temporaryFolder());
  const outside = realpathSync(temporaryFolder());
  const root = join(allowed, 'project');
  mkdirSync(root);
  writeFileSync(join(root, 'a.py'), 'def of_the_user():\n    return 1\n');
  writeFileSync(join(outside, 'b.py'), 'def of_somebody_else():\n    return 1\n');
  const place = workplace();
  t.after(async () => {
    await place.done();
    for (const folder of [allowed, outside]) removeFolder(folder);
  });
  const window = new Window(connect(place.session, allowed));
  await window.open(root);
  return { window, root, outside };
}

describe('a linked worktree', () => {
  it('that is removed, and whose repository is removed', limits, async (t) => {
    const main = gitRepository(SHOP);
    const holder = realpathSync(temporaryFolder());
    const root = join(holder, 'linked');
    const place = workplace();
    t.after(async () => {
      await place.done();
      for (const folder of [main, holder, `${main}.saved`]) removeFolder(folder);
    });
    git(main, 'worktree', 'add', '-q', '-b', 'side', root);
    const window = new Window(connect(place.session));
    await window.open(root);

    git(main, 'worktree', 'remove', '--force', root);
    const { failure } = await window.until(({ phase }) => phase === 'failed');
    assert.match(failure?.message ?? '', /is no longer there/);
    git(main, 'worktree', 'add', '-q', root, 'side');
    await window.until(isSound);
    await window.edit(join(root, 'added.py'), 'after_it_was_added_again');

    renameSync(main, `${main}.saved`);
    await window.until(({ warning }) => /no longer in a git/.test(warning?.message ?? ''));
    await window.edit(join(root, 'alone.py'), 'without_its_repository');
    renameSync(`${main}.saved`, main);
    await window.until(isSound);
    git(root, 'checkout', '-q', '-b', 'third');
    await window.edit(join(root, 'third.py'), 'on_the_third_branch');
  });
});

describe('a workspace', () => {
  it('whose folders vanish and come back, before and after it is opened', limits, async (t) => {
    const one = realpathSync(gitRepository(SHOP));
    const two = realpathSync(gitRepository({ 'ledger.py': 'def balance():\n    return 1\n' }));
    const late = join(realpathSync(temporaryFolder()), 'late');
    const place = workplace();
    t.after(async () => {
      await place.done();
      for (const folder of [one, two, `${two}.saved`, join(late, '..')]) removeFolder(folder);
    });
    const client = connect(place.session);
    const until = (root: string, phase: IndexingState['phase']) =>
      waitFor(client, 'indexing', ({ members }) =>
        Boolean(members?.some((one) => one.root === root && one.indexing.phase === phase)),
      );
    const both = waitFor(
      client,
      'indexing',
      ({ members }) => members?.filter(({ indexing }) => indexing.phase === 'current').length === 2,
    );
    const opened = await client.call('repository.open', {
      root: encodeWorkspace([one, two, late]),
    });
    await both;
    const search = async (issue: string) => {
      const { results } = await client.call('search', {
        repository: opened.id,
        request: { issue },
      });
      return results.map(({ name }) => name);
    };

    const arrived = until(late, 'current');
    mkdirSync(late);
    writeFileSync(join(late, 'late.py'), 'def comes_late():\n    return 1\n');
    await arrived;
    assert.ok((await search('`comes_late`')).includes('comes_late'));

    const lost = until(two, 'failed');
    renameSync(two, `${two}.saved`);
    const { state, members } = await lost;
    assert.equal(state.phase, 'current', 'the others are');
    assert.match(state.warning?.message ?? '', /is no longer there/);
    assert.equal(members?.filter(({ indexing }) => indexing.phase === 'failed').length, 1);
    assert.ok((await search('`parse_cookie`')).includes('parse_cookie'));

    const back = until(two, 'current');
    renameSync(`${two}.saved`, two);
    assert.equal((await back).state.warning, null);
  });
});
