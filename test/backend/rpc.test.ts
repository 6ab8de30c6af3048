import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { cancelled, LocusError } from '../../src/shared/errors.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import { type Channel, MAX_MESSAGE } from '../../src/shared/rpc/messages.ts';
import { serve } from '../../src/shared/rpc/server.ts';
import { channelPair } from './support.ts';

type TestMethods = {
  double: { params: { n: number }; result: number };
  wait: { params: object; result: string };
  fail: { params: object; result: null };
};
const schemas = {
  double: z.object({ n: z.number() }),
  wait: z.object({}),
  fail: z.object({}),
};

/** Serves on one end; `aborted` counts the requests that were cancelled. */
function engine(channel: Channel, name = 'first') {
  const seen = { aborted: 0, doubled: [] as number[] };
  const served = serve<typeof schemas, TestMethods>(channel, schemas, {
    double: ({ n }) => {
      seen.doubled.push(n);
      return n * 2;
    },
    wait: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.aborted++;
          reject(cancelled('The request'));
        });
      }),
    fail: () => {
      throw new TypeError('x is not a function');
    },
  });
  served.emit('welcome', { engine: name });
  return seen;
}

/** Posts raw text and gives the next answer. */
function exchange(channel: Channel, text: string): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    channel.onMessage((text) => {
      const answer = JSON.parse(text);
      if (!('event' in answer)) resolve(answer);
    });
    channel.post(text);
  });
}

describe('serve', () => {
  it('answers damaged and unknown messages with an error and goes on', async () => {
    const [here, there] = channelPair();
    engine(there);
    for (const [text, id, pattern] of [
      ['{"id": 1, "meth', null, /not JSON/],
      ['[]', null, /not a request/],
      ['{"id": 3}', 3, /not a request/],
      ['{"id": 4, "method": "toString"}', 4, /The method “toString” does not exist/],
      ['{"id": 5, "method": "double", "params": {"n": "two"}}', 5, /double\.n: /],
      ['{"id": 6, "method": "fail", "params": {}}', 6, /failed unexpectedly: `x is not/],
    ] as const) {
      const answer = (await exchange(here, text)) as { id: number; error: { message: string } };
      assert.equal(answer.id, id, text);
      assert.match(answer.error.message, pattern);
    }
    const { result } = await exchange(here, '{"id": 7, "method": "double", "params": {"n": 21}}');
    assert.equal(result, 42);
  });

  it('answers an oversized message without reading it, under its id', async () => {
    const [here, there] = channelPair();
    const seen = engine(there);
    const long = JSON.stringify({
      id: 9,
      method: 'double',
      params: { n: 1, x: 'x'.repeat(MAX_MESSAGE) },
    });
    const answer = (await exchange(here, long)) as { id: number; error: { message: string } };
    assert.equal(answer.id, 9);
    assert.match(answer.error.message, /too large: 320000\d\d of at most 32000000 characters/);
    assert.deepEqual(seen.doubled, []);
  });
});

describe('RpcClient', () => {
  it('cancels a request here and there', async () => {
    const [here, there] = channelPair();
    const seen = engine(there);
    const client = new RpcClient<TestMethods, object>();
    client.attach(here);
    const controller = new AbortController();
    const waiting = client.call('wait', {}, { signal: controller.signal });
    await client.call('double', { n: 1 });
    controller.abort();
    await assert.rejects(waiting, { code: 'cancelled' });
    await client.call('double', { n: 1 });
    assert.equal(seen.aborted, 1);
  });

  it('sends again what a lost connection left unanswered, after preparing the new one', async () => {
    const prepared: string[] = [];
    const client = new RpcClient<TestMethods, object>(async (welcome, ask) => {
      prepared.push(`${welcome.engine} ${await ask('double', { n: 100 })}`);
    });
    const [first, firstEngine] = channelPair();
    client.attach(first);
    engine(firstEngine);
    await client.call('double', { n: 1 });
    firstEngine.close();
    assert.equal(client.state, 'lost');

    const answer = client.call('double', { n: 4 });
    const [second, secondEngine] = channelPair();
    client.attach(second);
    const seen = engine(secondEngine, 'second');
    assert.equal(await answer, 8);
    assert.deepEqual(seen.doubled, [100, 4]);
    assert.deepEqual(prepared, ['first 200', 'second 200']);
  });

  it('sends again when the engine is another one on the same connection', async () => {
    const [here, there] = channelPair();
    const client = new RpcClient<TestMethods, object>();
    client.attach(here);
    engine(there, 'first');
    await client.call('double', { n: 1 });
    there.onMessage(() => {}); // It is gone, but the host keeps the connection.
    const answer = client.call('double', { n: 3 });
    await new Promise((resolve) => setImmediate(resolve));
    engine(there, 'second');
    assert.equal(await answer, 6);
  });

  it('asks again what a new engine got before it was prepared', async () => {
    const [here, there] = channelPair();
    const client = new RpcClient<TestMethods, object>(async (_welcome, ask) => {
      await ask('double', { n: 100 });
    });
    client.attach(here);
    engine(there, 'first');
    await client.call('double', { n: 1 });
    let prepared = false;
    const second = serve<typeof schemas, TestMethods>(there, schemas, {
      double: ({ n }) => {
        if (n === 100) prepared = true;
        if (!prepared) throw new LocusError('not-found', 'it is not open', 'open it');
        return n * 2;
      },
      wait: () => 'waited',
      fail: () => null,
    });
    second.emit('welcome', { engine: 'second' });
    // The welcome is in transit while this request is sent.
    assert.equal(await client.call('double', { n: 3 }), 6);
  });

  it('gives a request up that two engines ended with, and no other', async () => {
    const client = new RpcClient<TestMethods, object>();
    const deadly = client.call('wait', {});
    const rejected = assert.rejects(deadly, { code: 'crashed', message: /stopped twice/ });
    for (const name of ['first', 'second', 'third']) {
      const [here, there] = channelPair();
      client.attach(here);
      engine(there, name);
      await client.call('double', { n: 1 });
      there.close();
    }
    await rejected;
  });

  it('keeps a request through lost connections to an engine that lives', async () => {
    const client = new RpcClient<TestMethods, object>();
    const controller = new AbortController();
    const waiting = client.call('wait', {}, { signal: controller.signal });
    let gone = false;
    waiting.catch(() => {
      gone = true;
    });
    for (let i = 0; i < 4; i++) {
      const [here, there] = channelPair();
      client.attach(here);
      engine(there, 'same');
      await client.call('double', { n: 1 });
      there.close();
    }
    assert.equal(gone, false);
    controller.abort();
    await assert.rejects(waiting, { code: 'cancelled' });
  });
});
