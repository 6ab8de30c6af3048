import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { LineSplitter, LineTransport, MAX_MESSAGE_BYTES } from '../../src/mcp/line-transport.ts';
import { SEED, scaleRounds } from '../support/effort.ts';

/** Transport between streams of the test, with the messages that it passed on and wrote. */
async function connect(t: TestContext) {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output);
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => received.push(message);
  await transport.start();
  t.after(() => transport.close());
  const settle = async () => {
    for (let n = 0; n < 5; n++) await turn();
  };
  return {
    transport,
    input,
    output,
    received,
    send: async (...messages: object[]) => {
      for (const message of messages)
        input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      await settle();
    },
    /** Lines written so far. */
    written: async () => {
      await settle();
      return String(output.read() ?? '')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    },
    settle,
  };
}

const request = (id: number) => ({ id, method: 'ping' });
const ids = (messages: JSONRPCMessage[]) =>
  messages.map((message) => ('id' in message ? message.id : undefined));

describe('LineSplitter', () => {
  it('finds the same lines however the bytes are split, even within characters', () => {
    const text = ['', 'a', 'ä€😀'.repeat(9), '', 'x'.repeat(50), 'last, without an end'].join('\n');
    const bytes = Buffer.from(text);
    const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: bytes.length });
    fc.assert(
      fc.property(cuts, (at) => {
        const splitter = new LineSplitter(1000);
        const ends = [...at.sort((a, b) => a - b), bytes.length];
        const lines = ends.flatMap((end, i) => {
          const piece = bytes.subarray(ends[i - 1] ?? 0, end);
          return Array.from(splitter.split(piece), String);
        });
        assert.deepEqual(lines, text.split('\n').slice(0, -1));
      }),
      { seed: SEED, numRuns: scaleRounds(200) },
    );
  });

  it('counts the bytes of a long line and continues', () => {
    const splitter = new LineSplitter(5);
    const split = (text: string) => [...splitter.split(Buffer.from(text))].map(String);
    assert.deepEqual(split('12345\n123456\nab'), ['12345', '6']);
    assert.deepEqual(split('cdefg'), []);
    assert.deepEqual(split('hij\nk\n'), ['10', 'k']);
  });
});

describe('LineTransport', () => {
  it('answers invalid messages, with their id if they have one, and continues', async (t) => {
    const { input, received, written, send } = await connect(t);
    const parse = -32_700;
    const invalid = -32_600;
    const lines: [line: string | Buffer, code: number, id: unknown][] = [
      ['this is no JSON', parse, null],
      [Buffer.from([0, 1, 0xff, 0xfe, 0x80, 0x1b]), parse, null],
      [Buffer.from([0x22, 0xe2, 0x82]), parse, null],
      ['{"jsonrpc":"2.0","id":1', parse, null],
      [`${'['.repeat(100_000)}`, parse, null],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, invalid, null],
      ['[]', invalid, null],
      ['null', invalid, null],
      ['7', invalid, null],
      ['{"jsonrpc":"2.0"}', invalid, null],
      ['{"jsonrpc":"1.0","id":"x","method":"ping"}', invalid, 'x'],
      ['{"jsonrpc":"2.0","id":5}', invalid, 5],
      ...['null', '1.5', '1e300', 'true', '{}', '[1]'].map((id): [string, number, unknown] => [
        `{"jsonrpc":"2.0","id":${id},"method":"ping"}`,
        invalid,
        null,
      ]),
    ];
    for (const [line] of lines) {
      input.write(line);
      input.write('\n');
    }
    await send(request(1));
    assert.deepEqual(
      (await written()).map(({ error, id }) => [error.code, id]),
      lines.map(([, code, id]) => [code, id]),
    );
    assert.deepEqual(ids(received), [1]);
    input.write('\r\n \n{"jsonrpc":"2.0","id":"","method":"ping"}\r\n');
    await send({ id: -3, method: 'ping' });
    assert.deepEqual(ids(received), [1, '', -3]);
    assert.deepEqual(await written(), []);
  });

  it('reports the size of a message that is too large, and continues', async (t) => {
    const { input, received, written, send } = await connect(t);
    const part = Buffer.alloc(1_000_000, 'x');
    for (let n = 0; n < 100; n++) if (!input.write(part)) await once(input, 'drain');
    assert.deepEqual(await written(), []);
    input.write('\n');
    await send(request(1));
    const [refusal, ...more] = await written();
    assert.equal(refusal.id, null);
    assert.match(refusal.error.message, new RegExp(`100000000 bytes.* ${MAX_MESSAGE_BYTES}\\.`));
    assert.deepEqual([more, ids(received)], [[], [1]]);
  });

  it('accepts thousands of tiny messages at once, in their order', async (t) => {
    const { transport, input, output, received, settle } = await connect(t);
    output.resume();
    transport.onmessage = (message) => {
      received.push(message);
      if ('id' in message && message.id !== undefined) {
        void transport.send({ jsonrpc: '2.0', id: message.id, result: {} });
      }
    };
    const count = 5_000;
    for (let id = 0; id < count; id++)
      input.write(`${JSON.stringify({ jsonrpc: '2.0', ...request(id) })}\n`);
    while (received.length < count) await settle();
    assert.deepEqual(
      ids(received),
      Array.from({ length: count }, (_, id) => id),
    );
  });

  it('limits the requests in progress, but still receives responses and cancellations', async (t) => {
    const { transport, received, send, settle } = await connect(t);
    await send(...Array.from({ length: 40 }, (_, id) => request(id)));
    const first = received.length;
    assert.ok(first > 1 && first < 40, `${first} requests at a time`);
    const cancelled = (requestId: number) => ({
      method: 'notifications/cancelled',
      params: { requestId },
    });
    await send({ id: 'roots', result: {} }, cancelled(first));
    assert.deepEqual(ids(received).slice(first), ['roots']);
    // Cancelling a running request makes room for another; a waiting one is dropped.
    await send(cancelled(0));
    assert.deepEqual(ids(received).slice(first), ['roots', undefined, first + 1]);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await settle();
    assert.equal(ids(received).at(-1), first + 2);
  });

  it('continues to read only if its answers are read', async (t) => {
    const { transport, input, output, received, send, settle } = await connect(t);
    await send(request(0));
    const large = 'x'.repeat(2_000_000);
    const sent = transport.send({ jsonrpc: '2.0', id: 0, result: { large } });
    await send(request(1), request(2));
    assert.deepEqual(ids(received), [0]);
    assert.ok(input.isPaused());
    output.resume();
    await sent;
    await settle();
    assert.deepEqual(ids(received), [0, 1, 2]);
    assert.ok(!input.isPaused());
  });

  it('closes once when its input ends in the middle of a message', async (t) => {
    const { transport, input, received, written } = await connect(t);
    let closed = 0;
    transport.onclose = () => closed++;
    input.end('{"jsonrpc":"2.0","id":1,"meth');
    await once(input, 'end');
    await transport.close();
    assert.deepEqual([closed, received, await written()], [1, [], []]);
  });
});
