/** Neither a command nor an engine tells anything to a peer that does not know the key. */
import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { FrameSocket } from '../../src/base/frame-socket.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import { greetCommand, greetEngine } from '../../src/services/resident/handshake.ts';
import { type EnginePlace, preparePlace } from '../../src/services/resident/place.ts';
import { dataDirectory, ended, greet, NAME, serve } from './support.ts';

const KEY = Buffer.alloc(32, 1);
const hex = 'b'.repeat(64);

/** Answers of something that made the socket first. Returns what a command told it. */
async function impersonate(
  t: TestContext,
  answer: (socket: Socket, place: EnginePlace) => void,
): Promise<{ data: string; told: () => string }> {
  const data = dataDirectory(t);
  const place = preparePlace(data, NAME);
  rmSync(place.address, { force: true });
  const chunks: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    answer(socket, place);
  });
  t.after(() => server.close());
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(place.address, resolve);
  await listening;
  chmodSync(place.address, 0o600);
  return { data, told: () => Buffer.concat(chunks).toString('latin1') };
}

const HOSTILE: Record<string, (socket: Socket, place: EnginePlace) => void> = {
  'sends garbage': (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  'announces a huge message': (socket) => void socket.write(Buffer.alloc(64, 255)),
  'never answers': () => {},
  'closes at once': (socket) => void socket.destroy(),
  'sends no proof': (socket) => new FrameSocket(socket, 999).send({ nonce: hex }),
  'sends a wrong proof': (socket) => new FrameSocket(socket, 999).send({ nonce: hex, proof: hex }),
  'sends a short proof': (socket) => new FrameSocket(socket, 999).send({ nonce: hex, proof: 'ab' }),
  'sends what it got': (socket) => void socket.on('data', (chunk) => socket.write(chunk)),
  'knows another key': (socket, { address }) => {
    greetCommand(new FrameSocket(socket, 999), { address, key: KEY }, 1_000).catch(() => {});
  },
  'proves another address': (socket, { key }) => {
    greetCommand(new FrameSocket(socket, 999), { address: '/else', key }, 1_000).catch(() => {});
  },
};

for (const [what, answer] of Object.entries(HOSTILE))
  test(`a command learns that the peer ${what}, and tells it nothing`, async (t) => {
    const { data, told } = await impersonate(t, answer);
    assert.equal(await connectEngine(data, NAME, 200), null);
    assert.match(told(), /^(.{4}\{"nonce":"[0-9a-f]{64}"\})?$/s);
  });

test('an engine answers nobody with another key', async (t) => {
  const serving = await serve(t);
  const { address } = serving.endpoint;
  const { connect } = await import('node:net');
  const socket = connect(address);
  socket.on('error', () => {});
  const frames = new FrameSocket(socket, 999);
  await assert.rejects(greetEngine(frames, { address, key: KEY }), /key/);
  // A proof that was made without the key.
  const other = connect(address);
  other.on('error', () => {});
  const guessing = new FrameSocket(other, 999);
  guessing.send({ nonce: hex });
  await guessing.next();
  guessing.send({ proof: hex });
  guessing.send({ id: 1, method: 'describe', params: null });
  await ended(guessing);
});

test('what one command sent opens no other connection', async (t) => {
  const serving = await serve(t);
  const { connect } = await import('node:net');
  const sent: Buffer[] = [];
  const relay = createServer((socket) => {
    const up = connect(serving.endpoint.address);
    socket.on('data', (chunk) => sent.push(chunk));
    socket.pipe(up).pipe(socket);
    socket.on('error', () => {});
    up.on('error', () => {});
  });
  t.after(() => relay.close());
  const path = `${serving.endpoint.address}.relay`;
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  relay.listen(path, resolve);
  await listening;
  const place = preparePlace(serving.data, NAME);
  const relayed = connect(path);
  const frames = new FrameSocket(relayed, 999_999);
  await greetEngine(frames, place);
  frames.send({ id: 0, method: 'describe', params: null });
  assert.deepEqual(await frames.next(), { id: 0, result: { pid: 1, roots: [] } });
  relayed.destroy();
  const replay = connect(serving.endpoint.address);
  replay.on('error', () => {});
  replay.write(Buffer.concat(sent));
  const replies = new FrameSocket(replay, 999_999);
  // The greeting is answered, the proof for the earlier connection is refused.
  assert.deepEqual(Object.keys((await replies.next()) as object), ['nonce', 'proof']);
  await ended(replies);
  const late = await greet(serving);
  late.send({ id: 1, method: 'describe', params: null });
  assert.deepEqual(await late.next(), { id: 1, result: { pid: 1, roots: [] } });
  late.socket.destroy();
});
