import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { combineStates } from '../../src/services/keeper/workspace.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import type { IndexingState } from '../../src/shared/indexing.ts';
import type { OpenedRepository } from '../../src/shared/repository.ts';
import { encodeWorkspace } from '../../src/shared/workspace.ts';
import { endpoints, finds } from '../check/fake-endpoint.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { gitRepository, removeFolder } from '../support/repository.ts';
import { type Client, connect, SHOP, waitFor, workplace } from './support.ts';

await keepThreads('auto');

const LEDGER = {
  'ledger.py': `class Ledger:
    """All bookings of a year."""

    def balance(self):
        return sum(booking.amount for booking in self.bookings)
`,
};

describe('a workspace of a window', () => {
  const place = workplace();
  let other: string;
  let gone: string;
  let client: Client;
  let opened: OpenedRepository;

  before(async () => {
    other = gitRepository(LEDGER);
    gone = join(other, 'is-not-there');
    client = connect(place.session);
    const done = waitFor(
      client,
      'indexing',
      ({ state, members }) => members !== undefined && state.phase === 'current',
    );
    const root = encodeWorkspace([place.root, other, gone]);
    opened = await client.call('repository.open', { root });
    await done;
  });
  after(async () => {
    await place.done();
    removeFolder(other);
  });

  const nameOf = (root: string) =>
    opened.members?.find((member) => member.root === root)?.name ?? '';
  const search = (issue: string) =>
    client.call('search', { repository: opened.id, request: { issue } });

  it('opens its members, and reports one that fails', () => {
    assert.equal(opened.members?.length, 3);
    const lost = opened.members?.find(({ root }) => root === gone);
    assert.equal(lost?.indexing.phase, 'failed');
    assert.match(lost?.indexing.failure?.message ?? '', /does not exist/);
  });

  it('is searched as one, and passes other queries to the right member', async () => {
    const { results, repositories } = await search('`parse_cookie` fails on an empty header');
    const address = `${nameOf(place.root)}/shop/cookies.py::parse_cookie`;
    assert.equal(results[0]?.address, address);
    assert.equal(repositories?.length, 3);
    const { id: repository } = opened;
    assert.match(
      (await client.call('show', { repository, request: { chunk: address } })).code,
      /^def/,
    );
    const path = `${nameOf(place.root)}/shop/cookies.py`;
    assert.equal(
      (await client.call('file', { repository, request: { path } })).text,
      SHOP['shop/cookies.py'],
    );
  });

  it('follow files in each of them', async () => {
    const member = opened.members?.find(({ root }) => root === other);
    // On a slow machine, the update arrives without embeddings first, and again with them.
    const updated = waitFor(
      client,
      'updated',
      ({ repository, update }) => repository === member?.id && update.chunksEncoded > 0,
    );
    writeFileSync(join(other, 'taxes.py'), 'def add_tax(price):\n    return price * 1.19\n');
    await updated;
    const { results } = await search('`add_tax`');
    assert.equal(results[0]?.address, `${nameOf(other)}/taxes.py::add_tax`);
  });

  it('supersede a search in all of them', async () => {
    const outcomes = await Promise.allSettled([search('tax'), search('cookie')]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done')),
      ['cancelled', 'done'],
    );
  });

  it('keep issues and marks, export and import', async () => {
    const { id: repository } = opened;
    const issue = randomUUID();
    const text = 'The balance is wrong\n\n`Ledger.balance`';
    await client.call('issues.save', { repository, issue, text });
    const chunk = `${nameOf(other)}/ledger.py::Ledger.balance`;
    const marks = [{ chunk, mark: 'edit' as const, note: 'here' }];
    const { missing } = await client.call('marks.set', { repository, issue, marks });
    assert.deepEqual(missing, []);
    const [marked] = await client.call('marks.list', { repository, issue });
    assert.deepEqual([marked?.now?.address, marked?.mark, marked?.state], [chunk, 'edit', 'same']);
    const list = await client.call('list.export', {
      repository,
      format: 'json',
      request: { issue: text },
      issue,
    });
    const imported = await client.call('list.import', {
      repository,
      name: 'list.json',
      text: list.text,
    });
    assert.equal(imported.counts.same, list.count);
    const alone = await client.call('repository.open', { root: other });
    const there = await client.call('list.import', {
      repository: alone.id,
      name: 'list.json',
      text: list.text,
    });
    assert.ok(there.counts.moved > 0);
  });

  it('are remembered together, and opened again', async () => {
    const [latest] = (await client.call('recent.list', {})).filter(({ root }) =>
      root.startsWith('['),
    );
    assert.equal(latest?.root, opened.root);
    assert.equal(latest?.folder, 'there');
    const second = connect(place.session);
    const again = await second.call('repository.open', { root: latest?.root ?? '' });
    assert.equal(again.id, opened.id);
    assert.equal(again.lastIssue?.text.startsWith('The balance'), true);
    await second.call('repository.close', { repository: again.id });
    assert.ok((await search('`add_tax`')).results.length > 0);
  });

  const endpoint = endpoints();
  const checkIssue = 'parse_cookie loses the balance of a ledger';
  const check = (address: string) =>
    client.call('settings.set', { check: { ...CHECK_DEFAULTS, address, model: 'tiny' } });

  it('are checked as one list, which is stored for the workspace', async () => {
    const model = await endpoint(finds('Ledger.balance'));
    await check(model.address);
    const { id: repository } = opened;
    const request = { issue: checkIssue };
    const outcome = await client.call('check.run', { repository, run: randomUUID(), request });
    assert.equal(outcome.failure, null);
    const names = outcome.chunks.map(({ address }) => address.split('/')[0]);
    assert.deepEqual(new Set(names), new Set([nameOf(place.root), nameOf(other)]));
    assert.match(model.asked[0]!.text, /Split a Cookie header/);
    assert.match(model.asked[0]!.text, /sum\(booking\.amount/);
    const stored = await client.call('check.stored', { repository, issue: checkIssue });
    assert.deepEqual(stored?.chunks, outcome.chunks);
    const alone = await client.call('repository.open', { root: other });
    const elsewhere = { repository: alone.id, issue: checkIssue };
    assert.equal(await client.call('check.stored', elsewhere), null);
  });

  it('need consent of each whose code would be sent', async () => {
    const address = 'https://models.example/v1';
    await check(address);
    const { id: repository } = opened;
    const request = { issue: checkIssue };
    const plan = () => client.call('check.plan', { repository, request });
    const agree = (roots?: string[]) =>
      client.call('check.agree', { repository, address, ...(roots && { roots }) });
    const both = [place.root, other].sort();
    assert.deepEqual((await plan()).lacking.sort(), both);
    // Only what the user was asked about, and only members.
    await agree();
    await agree(['/', '/tmp']);
    assert.deepEqual((await plan()).lacking.sort(), both);
    await agree([other]);
    assert.deepEqual((await plan()).lacking, [place.root]);
    await assert.rejects(client.call('check.run', { repository, run: randomUUID(), request }), {
      message: `You have not agreed yet to send code of ${place.root} to models.example.`,
    });
    await agree([place.root]);
    assert.deepEqual([(await plan()).agreed, (await plan()).lacking], [true, []]);
    const { agreed } = await client.call('check.state', { address });
    assert.deepEqual(agreed.sort(), both);
  });

  it('are refused outside the allowed folder', async () => {
    const guest = connect(place.session, place.root);
    await assert.rejects(
      guest.call('folders.repositories', { path: other }),
      /Only folders in .* can be opened here/,
    );
    const some = await guest.call('repository.open', {
      root: encodeWorkspace([place.root, other]),
    });
    assert.equal(some.members?.find(({ root }) => root === other)?.id, null);
  });
});

it('the states of members are combined', () => {
  const state = (phase: IndexingState['phase'], done?: number): IndexingState => ({
    phase,
    progress:
      done === undefined
        ? null
        : { phase: 'parse', done, total: 10, rate: 2, secondsLeft: 10 - done },
    report: null,
    failure: phase === 'failed' ? { code: 'bad-store', message: 'full', remedy: 'free' } : null,
    warning: null,
  });
  const { progress, phase } = combineStates([
    state('indexing', 2),
    state('indexing', 5),
    state('current'),
  ]);
  assert.deepEqual(
    [phase, progress?.done, progress?.total, progress?.secondsLeft],
    ['indexing', 7, 20, 8],
  );
  const partly = combineStates([state('failed'), state('current')]);
  assert.deepEqual([partly.phase, partly.warning?.message], ['current', 'full']);
  assert.equal(combineStates([state('current'), state('current')]).warning, null);
  assert.equal(combineStates([state('failed'), state('opening')]).phase, 'opening');
  assert.equal(combineStates([state('failed'), state('failed')]).failure?.message, 'full');
  assert.equal(combineStates([state('paused'), state('current')]).phase, 'paused');
});
