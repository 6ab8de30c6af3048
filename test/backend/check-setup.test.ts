import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { endpoints, finds } from '../check/fake-endpoint.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { connect, indexed, workplace } from './support.ts';

await keepThreads('auto');

describe('a window that sets up checks', () => {
  let place: ReturnType<typeof workplace>;
  beforeEach(() => {
    place = workplace({ 'secret.py': 'def secret_backoff(): pass\n' });
  });
  afterEach(() => place.done());
  const endpoint = endpoints();
  const ANSWER = 'RetryPolicy.backoff';

  it('tries a model with the sample, and saves nothing', async () => {
    const model = await endpoint(finds(ANSWER));
    const client = connect(place.session);
    const done = indexed(client);
    await client.call('repository.open', { root: place.root });
    await done;
    const before = await client.call('settings.get', {});
    const { address } = model;
    const trial = await client.call('check.try', { address, model: 'tiny', key: 'sk-tried' });
    assert.deepEqual([trial.rank, trial.failure], [1, null]);
    assert.ok(trial.size.request > 1_000 && trial.size.answer > 10 && trial.tookMs >= 0);
    const [{ text, chunks, authorization, model: asked }] = model.asked as [
      (typeof model.asked)[0],
    ];
    assert.deepEqual([authorization, asked], ['Bearer sk-tried', 'tiny']);
    assert.match(text, /Failing jobs wait longer/);
    assert.doesNotMatch(text, /secret/);
    assert.ok(chunks.some(({ name }) => name === ANSWER) && chunks[0]?.name !== ANSWER);

    assert.deepEqual(await client.call('settings.get', {}), before);
    const state = await client.call('check.state', { address });
    assert.deepEqual(state, { key: 'none', agreed: [] });
    assert.deepEqual((await client.call('recent.list', {})).length, 1);
  });

  it('hears when the answer is wrong or of no use, and can ask again', async () => {
    const client = connect(place.session);
    const wrong = await endpoint(finds('Worker.run'));
    const sameOrder = await endpoint(({ chunks }, response) =>
      response.end(
        JSON.stringify({
          choices: [{ message: { content: chunks.map(({ id }) => `[${id}]`).join(' > ') } }],
        }),
      ),
    );
    const useless = await endpoint((_, response) => response.writeHead(404).end());
    const tryAt = ({ address }: { address: string }) =>
      client.call('check.try', { address, model: 'tiny', key: null });
    for (const model of [wrong, sameOrder]) {
      const trial = await tryAt(model);
      assert.equal(trial.failure, null);
      assert.ok(trial.rank !== null && trial.rank > 1);
    }
    const failed = await tryAt(useless);
    assert.equal(failed.rank, null);
    assert.match(failed.failure?.message ?? '', /does not know this address or model/);
    assert.ok(failed.failure?.remedy);
    await assert.rejects(tryAt({ address: 'models' }), { code: 'bad-input' });
  });

  it('leaves the sample open for a window that has it open', async () => {
    const model = await endpoint(finds(ANSWER));
    const client = connect(place.session);
    const sample = await new Promise<{ root: string } | null>((resolve) =>
      client.on('welcome', ({ sample }) => resolve(sample)),
    );
    const done = indexed(client);
    const { id } = await client.call('repository.open', { root: sample?.root ?? '' });
    await done;
    await client.call('check.try', { address: model.address, model: 'tiny', key: null });
    const { results } = await client.call('search', {
      repository: id,
      request: { issue: 'backoff', rerank: { count: 0 } },
    });
    assert.ok(results.length > 0);
  });

  it('can cancel', async () => {
    const controller = new AbortController();
    const silent = await endpoint(() => controller.abort());
    const client = connect(place.session);
    const params = { address: silent.address, model: 'tiny', key: null };
    await assert.rejects(client.call('check.try', params, { signal: controller.signal }), {
      code: 'cancelled',
    });
    await assert.rejects(client.call('check.try', { ...params, key: 'two\nlines' }), {
      message: /not an API key/,
    });
  });

  it('finds what runs on this machine', async () => {
    const model = await endpoint((_, response) => response.end('{"data": [{"id": "tiny"}]}'));
    const before = process.env.OLLAMA_HOST;
    process.env.OLLAMA_HOST = new URL(model.address).host;
    try {
      const { servers } = await connect(place.session).call('check.find', {});
      assert.deepEqual(servers[0], { title: 'Ollama', address: model.address, models: ['tiny'] });
    } finally {
      if (before === undefined) delete process.env.OLLAMA_HOST;
      else process.env.OLLAMA_HOST = before;
    }
  });
});
