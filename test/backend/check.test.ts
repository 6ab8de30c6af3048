import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CHECK_DEFAULTS } from '../../src/shared/check.ts';
import { type FakeEndpoint, fakeEndpoint, finds } from '../check/fake-endpoint.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { connect, indexed, workplace } from './support.ts';

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
