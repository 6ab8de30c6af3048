/** Commands get answers from an engine, and nobody can harm it or them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { FrameSocket } from '../../src/base/frame-socket.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import { EngineEndpoint } from '../../src/services/resident/endpoint.ts';
import { badInput, LocusError } from '../../src/shared/errors.ts';
import { ask, dataDirectory, ended, fakeMethods, greet, NAME, REPORT, serve } from './support.ts';

const root = '/repository';

test('an engine answers, with progress and errors', async (t) => {
  const progress = { phase: 'scan', done: 1, total: 2, rate: 1, secondsLeft: null } as const;
  const { data } = await serve(
    t,
    fakeMethods({
      index: async (_params, { send }) => {
        send(progress);
        return REPORT;
      },
      query: async () => {
        throw badInput('No such function.', 'Name another one.');
      },
    }),
  );
  const { client } = await ask(t, data);
  const parts: unknown[] = [];
  const onPart = (part: unknown) => parts.push(part);
  assert.deepEqual(await client.call('index', { root }, { onPart }), REPORT);
  assert.deepEqual(parts, [progress]);
  await assert.rejects(client.call('query', { root, name: 'show', request: {} }), (error) => {
    assert.ok(error instanceof LocusError);
    assert.equal(error.message, 'No such function.');
    return error.code === 'bad-input';
  });
});

for (const how of ['cancels', 'disconnects'] as const)
  test(`work ends when a command ${how}`, async (t) => {
    const started = Promise.withResolvers<AbortSignal>();
    const { data } = await serve(
      t,
      fakeMethods({
        query: (_params, { signal }) => {
          started.resolve(signal);
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
      }),
    );
    const { client, close } = await ask(t, data);
    const cancelling = new AbortController();
    const query = { root, name: 'search', request: {} } as const;
    const answer = client.call('query', query, { signal: cancelling.signal });
    answer.catch(() => {});
    const signal = await started.promise;
    const aborted = signal.aborted || once(signal, 'abort');
    if (how === 'cancels') cancelling.abort();
    else close();
    await aborted;
    await assert.rejects(answer);
  });

test('one process answers at a place, and another replaces it when it has ended', async (t) => {
  const data = dataDirectory(t);
  const both = await Promise.all([1, 2].map(() => EngineEndpoint.open(data, NAME, fakeMethods())));
  const [first, ...others] = both.filter((endpoint) => endpoint !== null);
  assert.equal(others.length, 0);
  assert.equal(await EngineEndpoint.open(data, NAME, fakeMethods()), null);
  first?.close();
  assert.equal(await connectEngine(data, NAME), null);
  const next = await EngineEndpoint.open(data, NAME, fakeMethods());
  t.after(() => next?.close());
  assert.ok(await ask(t, data));
});

test('messages that no command sends end the connection, and no other', async (t) => {
  const serving = await serve(t);
  const { client } = await ask(t, serving.data);
  const hostile: unknown[] = [
    null,
    'stop',
    [],
    {},
    { id: 'x', method: 'describe' },
    { id: 1, method: 'constructor' },
    { id: 1, method: '__proto__' },
    { cancel: {} },
    { close: true },
  ];
  for (const message of hostile) {
    const frames = await greet(serving);
    frames.send(message);
    await ended(frames);
  }
  const unknown = await greet(serving);
  unknown.send({ cancel: 77 });
  unknown.send({ id: 1, method: 'describe', params: null });
  assert.deepEqual(await unknown.next(), { id: 1, result: { pid: 1, roots: [] } });
  unknown.socket.destroy();
  assert.deepEqual(await client.call('describe', null), { pid: 1, roots: [] });
});

test('a command that asks for too much at a time is disconnected', async (t) => {
  let asked = 0;
  const serving = await serve(
    t,
    fakeMethods({
      query: () => {
        asked++;
        return new Promise(() => {});
      },
    }),
  );
  const frames = await greet(serving);
  for (let id = 0; id < 100; id++)
    frames.send({ id, method: 'query', params: { root, name: 'find', request: {} } });
  await ended(frames);
  assert.ok(asked <= 8, `${asked} requests ran`);
});

test('a reader that takes nothing is sent no more than some answers', async (t) => {
  let answered = 0;
  const text = 'x'.repeat(5_000_000);
  const methods = fakeMethods({
    query: async () => {
      answered++;
      return text;
    },
  });
  const serving = await serve(t, methods);
  const frames = await greet(serving);
  frames.socket.pause();
  const query = (id: number) =>
    frames.send({ id, method: 'query', params: { root, name: 'find', request: {} } });
  const { client } = await ask(t, serving.data);
  for (let id = 0; id < 30; id++) {
    query(id);
    // Gives the engine time to answer before the next request.
    await client.call('describe', null);
  }
  await ended(frames);
  assert.ok(answered <= 8, `${answered} answers wait`);
});

test('floods, resets and half-open connections do no harm', async (t) => {
  const serving = await serve(t, fakeMethods(), 200);
  const open = () => {
    const socket = connect(serving.endpoint.address);
    socket.on('error', () => {});
    return socket;
  };
  const flood: Socket[] = Array.from({ length: 300 }, open);
  await Promise.all(
    flood.map((socket) => once(socket, 'close', { signal: t.signal }).catch(() => {})),
  );
  for (let i = 0; i < 100; i++) {
    const socket = open();
    await once(socket, 'connect');
    if (i % 2) socket.write('garbage');
    socket.destroy();
  }
  const { client } = await ask(t, serving.data);
  assert.deepEqual(await client.call('describe', null), { pid: 1, roots: [] });
});

test('a greeting that is not followed by a proof ends', async (t) => {
  const serving = await serve(t, fakeMethods(), 50);
  const socket = connect(serving.endpoint.address);
  socket.on('error', () => {});
  const frames = new FrameSocket(socket, 1_000);
  frames.send({ nonce: 'a'.repeat(64) });
  const reply = (await frames.next()) as object;
  assert.deepEqual(Object.keys(reply).sort(), ['nonce', 'proof']);
  await ended(frames);
});
