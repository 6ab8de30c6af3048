import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Behaviour, complete, endpoints, fakeEndpoint, finds } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

describe('an endpoint that fails', () => {
  const endpoint = endpoints();

  /** Checks that the engine's order stays, and that the failure has a message and a remedy. */
  async function failsWith(behave: Behaviour, message: RegExp, remedy: RegExp, requests: number) {
    const model = await endpoint(behave);
    const done = await checkAt(model, ranking(15), { settings: { seconds: 1 } });
    assert.deepEqual(namesOf(done), engineOrder(15));
    assert.ok(done.chunks.every(({ from, to }) => from === to));
    assert.match(done.failure?.message ?? '', message);
    assert.match(done.failure?.remedy ?? '', remedy);
    assert.equal(model.asked.length, requests);
    assert.equal(done.used.requests, requests);
  }

  for (const status of [429, 503]) {
    it(`with ${status} is retried, and may then answer`, async () => {
      const model = await endpoint((asked, response, turn) => {
        if (turn > 0) return finds('f3')(asked, response, turn);
        response.writeHead(status, { 'retry-after': '0' }).end('later');
      });
      const done = await checkAt(model, ranking(5));
      assert.equal(done.failure, null);
      assert.equal(namesOf(done)[0], 'f3');
      assert.equal(done.used.requests, 2);
    });
  }

  it('with 429 forever is abandoned', () =>
    failsWith(
      (_, response) => response.writeHead(429).end('{}'),
      /too many requests \(status 429\)/,
      /later/,
      3,
    ));

  for (const wait of ['3600', '9'.repeat(20), '9'.repeat(400)]) {
    it(`and asks to wait ${wait.slice(0, 30)} seconds is abandoned at once`, () =>
      failsWith(
        (_, response) => response.writeHead(429, { 'retry-after': wait }).end(),
        /too many requests/,
        /later/,
        1,
      ));
  }

  it('by dropping the connection is retried, then abandoned', () =>
    failsWith((_, response) => response.destroy(), /connection to .* failed/, /server/, 3));

  it('by dropping one answer in the middle does no harm', async () => {
    const model = await endpoint((asked, response, turn) => {
      if (turn > 0) return finds('f2')(asked, response, turn);
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"choices":', () => response.destroy());
    });
    const done = await checkAt(model, ranking(5));
    assert.equal(done.failure, null);
    assert.equal(namesOf(done)[0], 'f2');
  });

  it('by not answering is abandoned after the time limit', () =>
    failsWith(() => {}, /did not answer within 1 second/, /more time/, 1));

  it('by never ending its answer is abandoned after the time limit', () =>
    failsWith(
      (_, response) => {
        response.writeHead(200);
        response.write('{"choices": [');
      },
      /did not answer within 1 second/,
      /more time/,
      1,
    ));

  it('with an endless answer is not read to the end', () =>
    failsWith(
      (_, response) => {
        const flood = () => {
          while (!response.destroyed && response.write('x'.repeat(100_000)));
        };
        response.writeHead(200).on('drain', flood);
        flood();
      },
      /larger than 2 MB/,
      /address/,
      1,
    ));

  it('with HTML is reported as such', () =>
    failsWith(
      (_, response) => response.writeHead(200).end('<!doctype html><h1>Welcome</h1>'),
      /did not answer with a chat completion/,
      /\/v1/,
      1,
    ));

  it('with prose instead of ids is asked once more', () =>
    failsWith(
      (_, response) => complete(response, 'I cannot help with that. {not json} (1, 2)'),
      /name none of the functions/,
      /another model/,
      2,
    ));

  it('by denying access is not retried', () =>
    failsWith(
      (_, response) => response.writeHead(401).end(),
      /denied access \(status 401\)/,
      /key/,
      1,
    ));

  it('by not knowing the model is reported with its own message', () =>
    failsWith(
      (_, response) =>
        response.writeHead(404).end(JSON.stringify({ error: { message: 'no model\n tiny' } })),
      /does not know this address or model: no model tiny\.$/,
      /“tiny”/,
      1,
    ));

  it('by redirecting is not followed to another host', async () => {
    const elsewhere = await endpoint(finds('f3'));
    await failsWith(
      (_, response) =>
        response.writeHead(307, { location: `${elsewhere.address}/chat/completions` }).end(),
      /redirects to another address/,
      /trust/,
      1,
    );
    assert.equal(elsewhere.asked.length, 0);
  });

  it('by not listening is reported', async () => {
    const gone = await fakeEndpoint(finds('f1'));
    await gone.close();
    const done = await checkAt(gone, ranking(5));
    assert.match(done.failure?.message ?? '', /Nothing answers at 127\.0\.0\.1/);
    assert.deepEqual(namesOf(done), engineOrder(5));
  });

  it('stops after four requests, whatever they were for', async () => {
    const model = await endpoint((asked, response, turn) => {
      if (asked.structured && turn === 1) response.writeHead(400).end('{}');
      else if (turn === 2) complete(response, 'no ids');
      else response.writeHead(500).end();
    });
    const done = await checkAt(model, ranking(5), { settings: { lookAgain: false } });
    assert.equal(model.asked.length, 4);
    assert.match(done.failure?.message ?? '', /budget of 4 requests/);
    assert.deepEqual(namesOf(done), engineOrder(5));
  });

  it('on `response_format` is asked without it from then on', async () => {
    const model = await endpoint((asked, response, turn) => {
      if (!asked.structured) return finds('f3')(asked, response, turn);
      response.writeHead(400).end('{"error": "response_format is not supported"}');
    });
    const done = await checkAt(model, ranking(15));
    assert.equal(done.failure, null);
    assert.deepEqual(
      model.asked.map(({ structured }) => structured),
      [true, false],
    );
  });

  it('can be cancelled at any moment', async () => {
    const controller = new AbortController();
    const model = await endpoint(() => controller.abort());
    await assert.rejects(checkAt(model, ranking(5), { signal: controller.signal }), {
      code: 'cancelled',
    });
    const waiting = new AbortController();
    const busy = await endpoint((_, response) => {
      response.writeHead(503, { 'retry-after': '20' }).end();
      setTimeout(() => waiting.abort(), 50);
    });
    await assert.rejects(checkAt(busy, ranking(5), { signal: waiting.signal }), {
      code: 'cancelled',
    });
  });
});
