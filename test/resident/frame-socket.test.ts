/** Messages over a socket arrive whole, in order, and within limits. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { FrameSocket } from '../../src/base/frame-socket.ts';

/** Returns frames, and a function that lets bytes arrive. */
function receiving(maxBytes = 100) {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  socket.on('error', () => {});
  const frames = new FrameSocket(socket as Socket, maxBytes);
  return { frames, socket, arrive: (bytes: Buffer) => socket.push(bytes) };
}

function encode(...messages: unknown[]): Buffer {
  return Buffer.concat(
    messages.map((message) => {
      const text = Buffer.from(JSON.stringify(message));
      const header = Buffer.alloc(4);
      header.writeUInt32BE(text.length);
      return Buffer.concat([header, text]);
    }),
  );
}

test('messages arrive in order, however the bytes are divided', async () => {
  const messages = [{ a: 'äß€' }, [1, 2], 'text', null, { b: 'x'.repeat(60) }];
  const bytes = encode(...messages);
  for (const size of [1, 2, 3, 7, 64, bytes.length]) {
    const { frames, arrive } = receiving();
    const { promise, resolve } = Promise.withResolvers<unknown[]>();
    const got: unknown[] = [];
    frames.onMessage((message) => got.push(message) === messages.length && resolve(got));
    for (let at = 0; at < bytes.length; at += size) arrive(bytes.subarray(at, at + size));
    assert.deepEqual(await promise, messages, `${size} bytes at a time`);
  }
});

test('messages that arrive together wait for who asks for them', async () => {
  const { frames, arrive } = receiving();
  arrive(encode(1, 2, 3));
  assert.equal(await frames.next(), 1);
  assert.equal(await frames.next(), 2);
  const { promise, resolve } = Promise.withResolvers();
  frames.onMessage(resolve);
  assert.equal(await promise, 3);
});

for (const [what, bytes] of Object.entries({
  'is too large': Buffer.from([255, 255, 255, 255, 1]),
  'is no JSON': Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('{]')]),
  'is empty': Buffer.from([0, 0, 0, 0]),
}))
  test(`a message that ${what} ends the connection`, async () => {
    const { frames, socket, arrive } = receiving();
    const next = frames.next();
    arrive(bytes);
    await assert.rejects(next, /ended/);
    assert.ok(socket.destroyed);
    await assert.rejects(frames.next(), /ended/);
  });
