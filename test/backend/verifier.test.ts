import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { VERIFIER_DEFAULTS } from '../../src/shared/verifier.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { type FakeEndpoint, fakeEndpoint, finds } from '../verify/fake-endpoint.ts';
import { connect, indexed, workplace } from './support.ts';

await keepThreads('auto');

const request = { issue: 'quote_value should keep the cookie value' };

describe('a window that verifies', () => {
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
  const settings = () => ({ ...VERIFIER_DEFAULTS, address: model.address, model: 'tiny' });

  it('has to be set up first', async () => {
    const { client, id } = await window();
    await assert.rejects(
      client.call('verifier.run', { repository: id, run: randomUUID(), request }),
      {
        code: 'bad-input',
        message: 'No verifier is set up.',
      },
    );
  });

  it('gets the model’s order, and hears how far it is', async () => {
    const { client, id } = await window();
    await client.call('settings.set', { verifier: settings() });
    const run = randomUUID();
    const heard: string[] = [];
    client.on('verifying', (event) => heard.push(event.run));
    const plan = await client.call('verifier.plan', { repository: id, request });
    assert.equal(plan.expected.requests, 1);
    assert.equal(model.asked.length, 0);
    const done = await client.call('verifier.run', { repository: id, run, request });
    assert.equal(done.chunks[0].address, 'shop/cookies.py::parse_cookie');
    assert.equal(done.chunks[0].verdict, 'edit');
    assert.deepEqual(heard, [run]);
    assert.match(model.asked[0].text, /Split a Cookie header/);
  });

  it('can cancel', async () => {
    const { client, id } = await window();
    const silent = await fakeEndpoint(() => controller.abort());
    const controller = new AbortController();
    await client.call('settings.set', { verifier: { ...settings(), address: silent.address } });
    const params = { repository: id, run: randomUUID(), request };
    await assert.rejects(client.call('verifier.run', params, { signal: controller.signal }), {
      code: 'cancelled',
    });
    await silent.close();
  });

  it('may send to another machine once that is agreed to, and never sees the key again', async () => {
    const { client, id } = await window();
    const address = 'https://models.example/v1';
    await client.call('settings.set', { verifier: { ...settings(), address } });
    const planned = () => client.call('verifier.plan', { repository: id, request });
    assert.equal((await planned()).agreed, false);
    await assert.rejects(
      client.call('verifier.run', { repository: id, run: randomUUID(), request }),
      {
        message: /You have not agreed yet/,
      },
    );
    await client.call('verifier.agree', { repository: id, address });
    assert.equal((await planned()).agreed, true);
    assert.equal((await client.call('verifier.withdraw', { address })).agreed.length, 0);
    assert.equal((await planned()).agreed, false);

    const state = await client.call('verifier.key', { address, key: 'sk-secret' });
    assert.equal(state.key, 'stored');
    const said = JSON.stringify([
      state,
      await planned(),
      await client.call('verifier.state', { address }),
      await client.call('settings.get', {}),
    ]);
    assert.ok(!said.includes('sk-secret'));
    await assert.rejects(client.call('verifier.key', { address, key: 'two\nlines' }), {
      message: /not an API key/,
    });
  });
});
