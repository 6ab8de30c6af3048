import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startSession } from '../../src/backend/engine-host.ts';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import { describeChanged } from '../../src/shared/checked-order.ts';
import { type FakeEndpoint, fakeEndpoint, finds } from '../check/fake-endpoint.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { connect, indexed, waitFor, workplace } from './support.ts';

await keepThreads('auto');

const request = { issue: 'quote_value should keep the cookie value' };

describe('a window that checks lists', () => {
  let place: ReturnType<typeof workplace>;
  let model: FakeEndpoint;

  beforeEach(async () => {
    place = workplace();
    model = await fakeEndpoint(finds('parse_cookie'));
  });
  afterEach(async () => {
    await place.done();
    await model.close();
  });

  async function window() {
    const client = connect(place.session);
    const done = indexed(client);
    const { id } = await client.call('repository.open', { root: place.root });
    await done;
    return { client, id };
  }
  const settings = () => ({ ...CHECK_DEFAULTS, address: model.address, model: 'tiny' });

  it('has to be set up first', async () => {
    const { client, id } = await window();
    await assert.rejects(client.call('check.run', { repository: id, run: randomUUID(), request }), {
      code: 'bad-input',
      message: 'No model is set up.',
    });
  });

  it('gets the model’s order, and hears how far it is', async () => {
    const { client, id } = await window();
    await client.call('settings.set', { check: settings() });
    const run = randomUUID();
    const heard: string[] = [];
    client.on('checking', (event) => heard.push(event.run));
    const plan = await client.call('check.plan', { repository: id, request });
    assert.equal(plan.expected.requests, 1);
    assert.equal(model.asked.length, 0);
    const done = await client.call('check.run', { repository: id, run, request });
    assert.equal(done.chunks[0].address, 'shop/cookies.py::parse_cookie');
    assert.equal(done.chunks[0].isEdit, true);
    assert.deepEqual(heard, [run]);
    assert.match(model.asked[0].text, /Split a Cookie header/);
  });

  it('finds the check again after a restart, and learns what has changed since', async () => {
    const { client, id: repository } = await window();
    await client.call('settings.set', { check: settings() });
    const stored = (issue = request.issue) => client.call('check.stored', { repository, issue });
    assert.equal(await stored(), null);
    const done = await client.call('check.run', { repository, run: randomUUID(), request });
    // The weight of the model's order is not stored.
    const { fusion: _, ...kept } = {
      ...done,
      notes: [],
      asked: done.chunks.map(({ address }) => address),
    };
    assert.deepEqual(await stored(), kept);
    assert.deepEqual(await stored(`\n${request.issue}\n`), kept);
    assert.equal(await stored('another issue'), null);
    const known = await client.call('check.run', { repository, run: randomUUID(), request });
    assert.deepEqual([known.used.requests, known.checkedAt], [0, done.checkedAt]);
    assert.equal((await stored())?.checkedAt, done.checkedAt);

    await place.session.close();
    place.session = startSession({ dataDir: place.dataDir });
    const { client: again } = await window();
    const find = () => again.call('check.stored', { repository, issue: request.issue });
    assert.deepEqual((await find())?.chunks, done.chunks);
    assert.equal(model.asked.length, 1);

    const changed = waitFor(again, 'updated', ({ update }) => update.changed.length > 0);
    const path = join(place.root, 'shop/cookies.py');
    const moved = readFileSync(path, 'utf8').replace('"=", 1', '"=", 2');
    writeFileSync(path, `\n\n${moved}`);
    await changed;
    const old = await find();
    assert.deepEqual(
      old?.chunks.filter(({ isChanged }) => isChanged).map(({ address }) => address),
      ['shop/cookies.py::parse_cookie'],
    );
    assert.match(
      describeChanged(old!) ?? '',
      /^Older than the code: 1 of \d+ functions has changed/,
    );
    await again.call('check.forget', { repository, issue: request.issue });
    assert.equal(await find(), null);
  });

  it('keeps the check before if a later one fails', async () => {
    const { client, id: repository } = await window();
    await client.call('settings.set', { check: settings() });
    const check = () => client.call('check.run', { repository, run: randomUUID(), request });
    const first = await check();
    await model.close();
    await client.call('settings.set', { check: { ...settings(), model: 'other' } });
    assert.notEqual((await check()).failure, null);
    const stored = await client.call('check.stored', { repository, issue: request.issue });
    assert.deepEqual(stored?.chunks, first.chunks);
  });

  it('exports the check as it is shown, and imports it as text', async () => {
    const { client, id: repository } = await window();
    await client.call('settings.set', { check: settings() });
    const { failure: _, ...outcome } = await client.call('check.run', {
      ...{ repository, run: randomUUID(), request },
    });
    const shown = outcome.chunks.map(({ address, to }) => ({ chunk: address, rank: to }));
    const { model: by, place, checkedAt, chunks } = outcome;
    const { text } = await client.call('list.export', {
      ...{ repository, format: 'json', request, shown },
      check: { model: by, place, checkedAt, isApplied: true, chunks },
    });
    const list = await client.call('list.import', { repository, name: 'list.json', text });
    assert.deepEqual(list.check, { model: by, place, checkedAt, order: 'checked' });
    const [first] = list.entries;
    assert.deepEqual([first?.rank, first?.was.qualifiedName], [1, 'parse_cookie']);
    assert.deepEqual(first?.check, {
      ...{ edit: true, reason: 'It splits the header.', rankBefore: chunks[0]!.from },
    });
  });

  it('tells the model nothing about marks, whose notes are the user’s', async () => {
    const { client, id: repository } = await window();
    await client.call('settings.set', { check: settings() });
    const issue = randomUUID();
    await client.call('issues.save', { repository, issue, text: request.issue });
    const chunk = 'shop/cookies.py::quote_value';
    const marks = [{ chunk, mark: 'edit' as const, note: 'only Ann knows this' }];
    await client.call('marks.set', { repository, issue, marks });
    const feedback = { edit: [chunk], irrelevant: ['shop/cart.py::Cart.total'] };
    const marked = { ...request, feedback };
    await client.call('check.run', { repository, run: randomUUID(), request: marked });
    assert.doesNotMatch(model.asked[0].text, /Ann|mark(ed)?\b.*edit|irrelevant|relevant/i);
  });

  it('can cancel', async () => {
    const { client, id } = await window();
    const silent = await fakeEndpoint(() => controller.abort());
    const controller = new AbortController();
    await client.call('settings.set', { check: { ...settings(), address: silent.address } });
    const params = { repository: id, run: randomUUID(), request };
    await assert.rejects(client.call('check.run', params, { signal: controller.signal }), {
      code: 'cancelled',
    });
    await silent.close();
  });

  it('may send to another machine once that is agreed to, and never sees the key again', async () => {
    const { client, id } = await window();
    const address = 'https://models.example/v1';
    await client.call('settings.set', { check: { ...settings(), address } });
    const planned = () => client.call('check.plan', { repository: id, request });
    assert.equal((await planned()).agreed, false);
    await assert.rejects(client.call('check.run', { repository: id, run: randomUUID(), request }), {
      message: /You have not agreed yet/,
    });
    await client.call('check.agree', { repository: id, address });
    assert.equal((await planned()).agreed, true);
    assert.equal((await client.call('check.withdraw', { address })).agreed.length, 0);
    assert.equal((await planned()).agreed, false);

    const state = await client.call('check.key', { address, key: 'sk-secret' });
    assert.equal(state.key, 'stored');
    const said = JSON.stringify([
      state,
      await planned(),
      await client.call('check.state', { address }),
      await client.call('settings.get', {}),
    ]);
    assert.ok(!said.includes('sk-secret'));
    await assert.rejects(client.call('check.key', { address, key: 'two\nlines' }), {
      message: /not an API key/,
    });
  });
});
