import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSession } from '../../src/backend/engine-host.ts';
import { LatestOnly } from '../../src/backend/latest-only.ts';
import type { EngineSession } from '../../src/backend/session.ts';
import type { Failure } from '../../src/shared/errors.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { type Client, connect, indexed, SHOP, waitFor, workplace } from './support.ts';

await keepThreads('auto');

describe('a session', () => {
  const place = workplace();
  let client: Client;
  let repository: string;

  before(async () => {
    client = connect(place.session);
    const done = indexed(client);
    repository = (await client.call('repository.open', { root: place.root })).id;
    await done;
  });
  after(() => place.done());

  it('searches, shows, and reads files', async () => {
    const request = { issue: '`parse_cookie` fails on an empty Cookie header' };
    const { results, partial } = await client.call('search', { repository, request });
    assert.equal(results[0].address, 'shop/cookies.py::parse_cookie');
    assert.equal(partial, null);
    const shown = await client.call('show', { repository, request: { chunk: results[0].address } });
    assert.match(shown.code, /^def parse_cookie/);
    const file = await client.call('file', { repository, request: { path: 'shop/cookies.py' } });
    assert.equal(file.text, SHOP['shop/cookies.py']);
    assert.deepEqual(
      file.chunks.map(({ qualifiedName }) => qualifiedName),
      ['<module>', 'parse_cookie', 'quote_value'],
    );
    const around = { chunk: results[0].address, direction: 'callers' as const };
    const { nodes } = await client.call('neighbors', { repository, request: around });
    assert.ok(nodes.some(({ qualifiedName }) => qualifiedName === 'Cart.from_header'));
    const like = { chunk: 'shop/cookies.py::quote_value', limit: 3 };
    const similar = await client.call('similar', { repository, request: like });
    assert.equal(similar.center.address, like.chunk);
    assert.equal(similar.chunks.length, 3);
  });

  it('supersedes a search by a newer one', async () => {
    const search = (issue: string) => client.call('search', { repository, request: { issue } });
    const outcomes = await Promise.allSettled([search('tax'), search('quotes'), search('sum')]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done')),
      ['cancelled', 'cancelled', 'done'],
    );
  });

  it('follows files on disk', async () => {
    const updated = waitFor(client, 'updated');
    writeFileSync(
      join(place.root, 'shop/tax.py'),
      'def add_tax(price):\n    return price * 1.19\n',
    );
    assert.deepEqual((await updated).update.changed, ['shop/tax.py']);
    const { results } = await client.call('search', {
      repository,
      request: { issue: '`add_tax`' },
    });
    assert.equal(results[0].address, 'shop/tax.py::add_tax');
  });

  it('gives a second window the same repository, but not before it opened it', async () => {
    const other = connect(place.session);
    await assert.rejects(other.call('status', { repository, request: {} }), { code: 'not-found' });
    const opened = await other.call('repository.open', { root: place.root });
    assert.equal(opened.id, repository);
    assert.equal(opened.indexing.phase, 'current');
  });

  it('refuses what is outside the allowed root', async () => {
    const guest = connect(place.session, join(place.root, 'shop'));
    const listing = await guest.call('folders.list', {});
    assert.deepEqual([listing.path, listing.parent], [join(place.root, 'shop'), null]);
    for (const outside of [place.root, '/', join(place.root, 'shop/..')]) {
      await assert.rejects(
        guest.call('folders.list', { path: outside }),
        /Only folders in .* can be opened here/,
      );
      await assert.rejects(
        guest.call('repository.open', { root: outside }),
        /Only folders in .* can be opened here/,
      );
    }
  });

  it('names no folder of the server that the client did not name itself', async () => {
    const guest = connect(place.session, join(place.root, 'shop'));
    const link = join(place.root, 'shop', 'elsewhere');
    symlinkSync(place.dataDir, link);
    const refused = async (call: Promise<unknown>, pattern: RegExp) => {
      const error = await call.then(
        () => assert.fail('was not refused'),
        (error: Failure) => error,
      );
      assert.equal(error.code, 'bad-input');
      assert.match(error.message, pattern);
      for (const folder of [process.cwd(), place.dataDir]) {
        assert.ok(!error.message.includes(folder), error.message);
      }
    };
    for (const relative of ['nowhere', '../nowhere', './shop']) {
      await refused(guest.call('folders.list', { path: relative }), /is not an absolute path/);
      await refused(guest.call('repository.open', { root: relative }), /is not an absolute path/);
      const moved = { root: place.root, to: relative };
      await refused(guest.call('recent.relocate', moved), /is not an absolute path/);
      await refused(
        guest.call('settings.set', { model: `./${relative}` }),
        /is not an absolute path/,
      );
    }
    await refused(guest.call('repository.open', { root: link }), /^Only folders in /);
    await refused(guest.call('recent.relocate', { root: '/a', to: link }), /^Only folders in /);
    rmSync(link);
  });

  it('changes the settings that are named and no others', async () => {
    const client = connect(place.session);
    await client.call('settings.set', { zoom: 1.5, exclude: ['docs/'] });
    const { zoom, exclude } = await client.call('settings.set', { tests: 'include' });
    assert.deepEqual({ zoom, exclude }, { zoom: 1.5, exclude: ['docs/'] });
    await client.call('settings.set', { zoom: 1, exclude: [], tests: 'demote' });
  });

  it('remembers settings and tells other windows', async () => {
    const other = connect(place.session);
    await other.call('settings.get', {});
    const told = waitFor(other, 'settings');
    const set = await client.call('settings.set', { theme: 'dark' });
    assert.equal(set.theme, 'dark');
    assert.equal((await told).theme, 'dark');
    assert.equal((await other.call('settings.get', {})).limit, 100);
  });

  it('lists recent repositories with the state of their index', async () => {
    const [recent] = await client.call('recent.list', {});
    assert.deepEqual(
      { root: recent.root, state: recent.state, folder: recent.folder },
      { root: place.root, state: 'complete', folder: 'there' },
    );
    assert.ok(recent.chunks > 0);
  });

  it('reports a missing folder', async () => {
    const root = join(place.root, 'nowhere');
    await assert.rejects(client.call('repository.open', { root }), { code: 'bad-repository' });
  });
});

describe('issues', () => {
  const place = workplace();
  after(() => place.done());

  it('are kept by repository, searched, renamed, pinned, deleted and restored', async () => {
    const client = connect(place.session);
    const { id: repository, lastIssue } = await client.call('repository.open', {
      root: place.root,
    });
    assert.equal(lastIssue, null);
    const [cookie, tax] = [randomUUID(), randomUUID()];
    await client.call('issues.save', { repository, issue: cookie, text: '# Cookies\nare cut' });
    await client.call('issues.save', { repository, issue: tax, text: 'Tax is wrong' });
    await client.call('issues.save', {
      repository,
      issue: cookie,
      text: '# Cookies\nare cut short',
    });
    const titles = async (query = '', deleted = false) =>
      (await client.call('issues.list', { repository, query, deleted })).map(({ title }) => title);

    assert.deepEqual(await titles(), ['Cookies', 'Tax is wrong']);
    assert.deepEqual(await titles('SHORT cut'), ['Cookies']);
    await client.call('issues.pin', { issue: tax, pinned: true });
    await client.call('issues.rename', { issue: cookie, name: 'Crumbs' });
    assert.deepEqual(await titles(), ['Tax is wrong', 'Crumbs']);
    await client.call('issues.delete', { issue: tax });
    assert.deepEqual([await titles(), await titles('', true)], [['Crumbs'], ['Tax is wrong']]);
    await client.call('issues.restore', { issue: tax });
    assert.deepEqual(await titles(), ['Tax is wrong', 'Crumbs']);

    const again = await client.call('repository.open', { root: place.root });
    assert.equal(again.lastIssue?.text, '# Cookies\nare cut short');
  });

  it('that are versions of each other are one entry of the history; others are separate', async () => {
    const client = connect(place.session);
    const { id: repository } = await client.call('repository.open', { root: place.root });
    const save = (text: string, separate = false) =>
      client.call('issues.save', { repository, issue: randomUUID(), text, separate });
    const listed = async () => (await client.call('issues.list', { repository })).length;
    const before = await listed();
    const text = '# Dates are wrong\n\nA date in March is shown as one in April.';

    const first = await save(text);
    assert.equal((await save(text.replaceAll('\n', ' \n'))).id, first.id);
    const grown = `${text}\n\nOnly in the northern hemisphere, it seems.`;
    assert.equal((await save(grown)).id, first.id);
    assert.equal((await client.call('issues.get', { issue: first.id })).text, grown);
    assert.equal(await listed(), before + 1);

    const sameTitle = await save('# Dates are wrong\n\nSorting by month puts May before March.');
    const otherTitle = await save(text.replace('Dates', 'Days'));
    const separate = await save(text, true);
    assert.equal(new Set([first, sameTitle, otherTitle, separate].map(({ id }) => id)).size, 4);
    await client.call('issues.delete', { issue: first.id });
    await client.call('issues.delete', { issue: separate.id });
    const again = await save(text);
    assert.ok(again.id !== first.id && again.id !== separate.id);
  });

  it('open in two windows do not overwrite each other: the second text becomes a new entry', async () => {
    const [one, other] = [connect(place.session), connect(place.session)];
    const { id: repository } = await one.call('repository.open', { root: place.root });
    const isIndexed = async () =>
      (await one.call('status', { repository, request: {} })).state === 'complete';
    while (!(await isIndexed())) await sleep(20);
    const issue: string = randomUUID();
    const save = (client: Client, text: string, id = issue) =>
      client.call('issues.save', { repository, issue: id, text });
    const textOf = async (id: string) => (await one.call('issues.get', { issue: id })).text;
    await save(one, 'Totals are wrong');
    await one.call('issues.rename', { issue, name: 'Totals' });
    assert.equal((await other.call('repository.open', { root: place.root })).lastIssue?.id, issue);
    const chunk = 'shop/cookies.py::parse_cookie';
    const wanted = [{ chunk, mark: 'edit' as const, note: 'here' }];
    await one.call('marks.set', { repository, issue, marks: wanted });

    await save(one, 'Totals are wrong by a cent');
    // Like a window that is closed.
    assert.equal((await save(other, 'Totals are wrong')).id, issue);
    assert.equal(await textOf(issue), 'Totals are wrong by a cent');

    const forked = await save(other, 'Totals are wrong in March');
    assert.notEqual(forked.id, issue);
    assert.deepEqual([forked.title, forked.marks], ['Totals', 1]);
    assert.equal(await textOf(issue), 'Totals are wrong by a cent');
    assert.equal(await textOf(forked.id), 'Totals are wrong in March');
    await save(one, 'Totals are wrong by two cents');
    await save(other, 'Totals are wrong in May', forked.id);
    assert.deepEqual(
      [await textOf(issue), await textOf(forked.id)],
      ['Totals are wrong by two cents', 'Totals are wrong in May'],
    );
  });
});

describe('marks', () => {
  it('stay with their code through edits, moves and a new session', async () => {
    const place = workplace();
    const issue = randomUUID();
    let repository = '';
    const openIn = async (session: EngineSession): Promise<Client> => {
      const client = connect(session);
      const done = indexed(client);
      repository = (await client.call('repository.open', { root: place.root })).id;
      await done;
      return client;
    };
    const client = await openIn(place.session);
    await client.call('issues.save', { repository, issue, text: 'Cookies' });
    const mark = (chunk: string, mark: 'edit' | 'irrelevant' | null, note = '') =>
      client.call('marks.set', { repository, issue, marks: [{ chunk, mark, note }] });
    await mark('shop/cookies.py::parse_cookie', 'edit', 'here!');
    await mark('shop/cookies.py::quote_value', 'irrelevant');
    await mark('shop/cart.py::Cart.total', null, 'only a note');
    await mark('shop/cookies.py::quote_value', null);
    await place.session.close();

    rmSync(join(place.root, 'shop/cookies.py'));
    writeFileSync(join(place.root, 'shop/crumbs.py'), SHOP['shop/cookies.py']);
    const session = startSession({ dataDir: place.dataDir });
    try {
      const later = await openIn(session);
      const marks = await later.call('marks.list', { repository, issue });
      assert.deepEqual(
        marks.map(({ mark, note, state, now }) => [mark, note, state, now?.address]),
        [
          ['edit', 'here!', 'moved', 'shop/crumbs.py::parse_cookie'],
          [null, 'only a note', 'same', 'shop/cart.py::Cart.total'],
        ],
      );
      const chunk = 'shop/crumbs.py::parse_cookie';
      const set = (marks: { chunk: string; mark: 'edit' | 'irrelevant' | null; note?: string }[]) =>
        later.call('marks.set', { repository, issue, marks });
      await set([{ chunk, mark: 'irrelevant' }]);
      const [, moved] = await later.call('marks.list', { repository, issue });
      assert.deepEqual([moved.mark, moved.state, moved.note], ['irrelevant', 'same', '']);

      // Many at once: missing chunks are reported and do not affect the others.
      const gone = 'shop/gone.py::gone';
      const { missing } = await set([
        { chunk: 'shop/cart.py::Cart.total', mark: null },
        { chunk: gone, mark: 'edit' },
        { chunk: 'nonsense', mark: 'edit' },
        { chunk: 'shop/cart.py::Cart', mark: 'edit' },
        { chunk, mark: 'edit', note: 'after all' },
      ]);
      assert.deepEqual(missing, [gone, 'nonsense']);
      const now = await later.call('marks.list', { repository, issue });
      assert.deepEqual(
        new Map(now.map(({ address, mark, note }) => [address, `${mark} ${note}`])),
        new Map([
          ['shop/cart.py::Cart', 'edit '],
          [chunk, 'edit after all'],
        ]),
      );
      // A mark of a missing chunk stays in the list, with another note.
      rmSync(join(place.root, 'shop/crumbs.py'));
      const stateNow = async () => (await later.call('marks.list', { repository, issue })).at(-1)!;
      while ((await stateNow()).state !== 'gone') await sleep(20);
      const { missing: lost } = await set([{ chunk, mark: 'edit', note: 'where?' }]);
      assert.deepEqual(lost, []);
      const last = await stateNow();
      assert.deepEqual([last.address, last.note, last.state], [chunk, 'where?', 'gone']);

      await assert.rejects(set([]), { code: 'bad-input' });
      const many = Array.from({ length: 10_001 }, () => ({ chunk, mark: 'edit' as const }));
      await assert.rejects(set(many), { code: 'bad-input' });
    } finally {
      await session.close();
      removeFolder(place.root);
      removeFolder(place.dataDir);
    }
  });
});

describe('marks for an issue that is not in the history', () => {
  it('are refused with a reason', async () => {
    const place = workplace();
    try {
      const client = connect(place.session);
      const { id: repository } = await client.call('repository.open', { root: place.root });
      const marks = [{ chunk: 'shop/cart.py::Cart', mark: 'edit' as const }];
      await assert.rejects(client.call('marks.set', { repository, issue: randomUUID(), marks }), {
        code: 'not-found',
        message: 'The issue of these marks is not in the history.',
      });
    } finally {
      await place.done();
    }
  });
});

describe('a folder that is replaced by another one', () => {
  it('is opened as what it is now; what was indexed can be searched until then', async () => {
    const place = workplace();
    const away = `${place.root}-away`;
    try {
      const client = connect(place.session);
      const done = indexed(client);
      const { id: repository } = await client.call('repository.open', { root: place.root });
      await done;
      const best = async (issue: string) => {
        const { results } = await client.call('search', { repository, request: { issue } });
        return results[0]?.address;
      };
      const failed = () =>
        waitFor(client, 'indexing', ({ state }) => state.phase === 'failed').then(
          ({ state }) => state.failure?.code,
        );

      const gone = failed();
      renameSync(place.root, away);
      assert.equal(await gone, 'bad-repository');
      const still = failed();
      await client.call('index.resume', { repository });
      assert.equal(await still, 'bad-repository');
      assert.equal(await best('`parse_cookie`'), 'shop/cookies.py::parse_cookie');

      // A folder without git this time.
      writeFiles(place.root, { 'shop/crumbs.py': 'def sweep_crumbs():\n    pass\n' });
      const again = indexed(client);
      await client.call('index.resume', { repository });
      await again;
      assert.equal(await best('`sweep_crumbs`'), 'shop/crumbs.py::sweep_crumbs');
      const { files } = await client.call('status', { repository, request: {} });
      assert.equal(files, 1);
    } finally {
      await place.done();
      removeFolder(away);
    }
  });

  it('is indexed again by itself once its folder is back', async () => {
    const place = workplace();
    const away = `${place.root}-away`;
    try {
      const client = connect(place.session);
      const done = indexed(client);
      await client.call('repository.open', { root: place.root });
      await done;
      const gone = waitFor(client, 'indexing', ({ state }) => state.phase === 'failed');
      renameSync(place.root, away);
      await gone;
      const again = indexed(client);
      renameSync(away, place.root);
      await again;
    } finally {
      await place.done();
      removeFolder(away);
    }
  });

  it('is followed as a plain folder, and says so, once its repository is gone', async () => {
    const place = workplace();
    try {
      const client = connect(place.session);
      const done = indexed(client);
      const { id: repository } = await client.call('repository.open', { root: place.root });
      await done;
      const warned = waitFor(client, 'indexing', ({ state }) => state.warning !== null);
      const updated = waitFor(client, 'updated', ({ update }) =>
        update.changed.includes('shop/crumbs.py'),
      );
      removeFolder(join(place.root, '.git'));
      writeFiles(place.root, { 'shop/crumbs.py': 'def sweep_crumbs():\n    pass\n' });
      const { state } = await warned;
      assert.equal(state.phase, 'current');
      assert.match(state.warning?.message ?? '', /no longer in a git repository/);
      await updated;
      const { files } = await client.call('status', { repository, request: {} });
      assert.equal(files, 3);
    } finally {
      await place.done();
    }
  });
});

describe('while indexing', () => {
  it('search answers at once, and indexing can be paused and resumed', async () => {
    const place = workplace(syntheticPackage(400));
    try {
      const client = connect(place.session);
      const parsing = waitFor(
        client,
        'indexing',
        ({ state }) =>
          (state.progress?.phase === 'parse' && state.progress.done > 0) ||
          state.phase === 'current',
      );
      const { id: repository } = await client.call('repository.open', { root: place.root });
      await parsing;
      const { partial } = await client.call('search', { repository, request: { issue: 'cookie' } });
      assert.notEqual(partial, null);
      await client.call('index.pause', { repository });
      const paused = await client.call('repository.open', { root: place.root });
      assert.equal(paused.indexing.phase, 'paused');
      const done = indexed(client);
      await client.call('index.resume', { repository });
      const { state } = await done;
      assert.equal(state.report?.files, 401);
      const whole = await client.call('search', { repository, request: { issue: 'cookie' } });
      assert.equal(whole.partial, null);
    } finally {
      await place.done();
    }
  });
});

describe('lists', () => {
  it('leave with marks and notes, and come back', async () => {
    const place = workplace();
    try {
      const client = connect(place.session);
      const done = indexed(client);
      const { id: repository } = await client.call('repository.open', { root: place.root });
      await done;
      const issue = randomUUID();
      const text = '# Empty cookies\n`parse_cookie` fails';
      await client.call('issues.save', { repository, issue, text });
      const chunk = 'shop/cookies.py::parse_cookie';
      const marks = [{ chunk, mark: 'edit' as const, note: 'check length' }];
      await client.call('marks.set', { repository, issue, marks });
      const exported = await client.call('list.export', {
        repository,
        issue,
        format: 'json',
        request: { issue: text },
        shown: [
          { chunk, rank: 7 },
          { chunk: 'shop/gone.py::gone', rank: 8 },
        ],
      });
      assert.equal(exported.fileName, 'empty-cookies.json');
      assert.deepEqual(exported.missing, ['shop/gone.py::gone']);
      const list = { repository, name: exported.fileName, text: exported.text };
      const { entries, issue: about } = await client.call('list.import', list);
      assert.equal(about.title, 'Empty cookies');
      assert.deepEqual(
        entries.map(({ rank, state, mark, note, now }) => [rank, state, mark, note, now?.address]),
        [[7, 'same', 'edit', 'check length', chunk]],
      );

      // The search that another format could reuse is not reused after an edit.
      const updated = waitFor(client, 'updated', ({ update }) =>
        update.changed.includes('shop/empty.py'),
      );
      writeFileSync(
        join(place.root, 'shop/empty.py'),
        'def is_empty_cookie(text):\n    return not text\n',
      );
      await updated;
      const csv = { repository, format: 'csv' as const, request: { issue: text } };
      assert.match((await client.call('list.export', csv)).text, /is_empty_cookie/);
    } finally {
      await place.done();
    }
  });
});

describe('a damaged app.db', () => {
  it('is quarantined, and the user is notified', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(
      join(dataDir, 'app.db'),
      'not a database, but long enough to look at it\n'.repeat(99),
    );
    const session = startSession({ dataDir });
    try {
      const client = connect(session);
      const { text } = await waitFor(client, 'note');
      assert.match(text, /damaged file was moved to .*app\.db\.damaged-\d+/);
      assert.deepEqual(await client.call('recent.list', {}), []);
    } finally {
      await session.close();
      removeFolder(dataDir);
    }
  });
});

describe('a latest-only queue', () => {
  it('has at most one running and one waiting task', async () => {
    const queue = new LatestOnly();
    let running = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const first = queue.run(task);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = Array.from({ length: 9 }, () => queue.run(task));
    const outcomes = await Promise.allSettled([first, ...rest]);
    assert.equal(most, 1);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [...Array(9).fill('rejected'), 'fulfilled'],
    );
  });

  it('aborts the running task when a newer one arrives', async () => {
    const queue = new LatestOnly();
    const older = queue.run(
      (superseded) => new Promise((resolve) => superseded.addEventListener('abort', resolve)),
    );
    await sleep(10);
    const newer = queue.run(async (superseded) => superseded.aborted);
    await assert.rejects(older, { code: 'cancelled' });
    assert.equal(await newer, false);
  });
});

describe('the sample', () => {
  it('has its history, and so its answer first', async () => {
    const place = workplace();
    try {
      const client: Client = connect(place.session, place.root);
      const { sample } = await waitFor(client, 'welcome');
      assert.ok(sample);
      const done = indexed(client);
      const { id: repository } = await client.call('repository.open', { root: sample.root });
      await done;
      const request = { issue: sample.issue };
      const { results } = await client.call('search', { repository, request });
      assert.equal(results[0]?.address, 'tasklane/retry.py::RetryPolicy.backoff');
      assert.ok(results.some(({ evidence }) => evidence.historyFile ?? evidence.churnFile));
    } finally {
      await place.done();
    }
  });
});
