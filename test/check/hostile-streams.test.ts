import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChatClient } from '../../src/services/check/chat-client.ts';
import { CheckBudget } from '../../src/services/check/client.ts';
import { parseEndpoint } from '../../src/shared/check-endpoint.ts';
import { scaleRounds, uniform } from '../support/effort.ts';
import { delta, endpoints, event, type FakeEndpoint, stream, streamOf } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

describe('a hostile stream', () => {
  const endpoint = endpoints();

  /** Sends parts until the connection is closed, and returns how many bytes were written until then. */
  function flood(part: string, head = '') {
    let written = 0;
    const start = () =>
      endpoint((_, response) => {
        const write = () => {
          while (!response.destroyed) {
            written += part.length;
            if (!response.write(part)) return;
          }
        };
        response.writeHead(200, { 'content-type': 'text/event-stream' }).on('drain', write);
        response.write(head);
        write();
      });
    return { start, getWritten: () => written };
  }

  const floods: Record<string, string> = {
    'without end of a line': 'data: '.padEnd(60_000, 'x').replaceAll('\n', ''),
    'of lines of one event': 'data: x\n'.repeat(8_000),
    'of comments': ': still here\n'.repeat(5_000),
    'of empty events': 'data:\n\n'.repeat(8_000),
    'of words': delta({ content: 'x'.repeat(50_000) }),
    'of thoughts': delta({ reasoning_content: 'x'.repeat(50_000) }),
    'of empty lines': '\n'.repeat(60_000),
  };
  for (const [name, part] of Object.entries(floods)) {
    it(`${name} is not read to the end`, async () => {
      const { start, getWritten } = flood(part);
      const done = await checkAt(await start(), ranking(5));
      assert.match(done.failure?.message ?? '', /larger than 2 MB/);
      assert.deepEqual(namesOf(done), engineOrder(5));
      assert.equal(done.used.requests, name === 'of words' ? 2 : 1);
      assert.ok(getWritten() < 80_000_000, String(getWritten()));
    });
  }

  it('that goes on after an answer is cut, and the answer is used', async () => {
    const { start } = flood(
      delta({ content: ' '.repeat(50_000) }),
      delta({ content: '[4] > [2]' }),
    );
    const done = await checkAt(await start(), ranking(5));
    assert.deepEqual(namesOf(done).slice(0, 2), ['f4', 'f2']);
    assert.match(done.notes.join(), /larger than 2 MB\. The order uses what had arrived\./);
  });

  it('of odd JSON does no harm', async () => {
    const odd = [
      'null',
      '[]',
      '"x"',
      '{"choices": null}',
      '{"choices": [null]}',
      '{"choices": [{"delta": 7, "finish_reason": {}}]}',
      '{"choices": [{"delta": {"content": {"a": 1}, "reasoning": []}}]}',
      '{"choices": [{"delta": {"content": [null, 4, {"text": 5}]}}]}',
      '{"choices": [], "usage": {"prompt_tokens": 1e308, "completion_tokens": 0.5}}',
      '{"__proto__": {"choices": []}, "choices": [{"index": -1, "delta": {"__proto__": {}}}]}',
      '{"choices": [{"delta": {"content": "\\ud800"}}]}',
      `${'['.repeat(5_000)}`,
    ].map((text) => `data: ${text}\n\n`);
    const model = await endpoint((_, response) =>
      stream(response, [...odd, ...streamOf({ order: [4] })]),
    );
    const done = await checkAt(model, ranking(5));
    assert.deepEqual([namesOf(done)[0], done.failure], ['f4', null]);
  });

  it('with an error of any form is reported in one short line', async () => {
    for (const error of ['a\nb\u001b[2J', { message: 'c'.repeat(5_000) }, { message: 7 }, null]) {
      const model = await endpoint((_, response) => stream(response, [event({ error })]));
      const { failure } = await checkAt(model, ranking(5));
      assert.ok(failure && failure.message.length < 300 && !failure.message.includes('\n'));
    }
  });

  it('that repeats the key does not show it', async () => {
    const model = await endpoint((_, response) =>
      stream(response, [event({ error: { message: 'bad key sk-secret' } })]),
    );
    await assert.rejects(askDirectly(model, { key: 'sk-secret' }), {
      message: /reported an error: bad key …\.$/,
    });
  });

  it('that stalls in the middle ends, with what arrived', async () => {
    const model = await endpoint((_, response) => {
      response.write(delta({ content: '{"order": [2, 3, ' }));
    });
    await assert.rejects(askDirectly(model, { stallMs: 100 }), {
      message: /stopped in the middle of its answer: nothing arrived for 0\.1 seconds\.$/,
      partial: '{"order": [2, 3,',
    });
  });

  it('that stalls after its last word is complete', async () => {
    const model = await endpoint((_, response) => {
      response.write(delta({ content: '[2] > [3]' }, 'stop'));
    });
    assert.equal(await askDirectly(model, { stallMs: 100 }), '[2] > [3]');
  });

  it('may take its time before the first byte', async () => {
    const model = await endpoint((_, response) => {
      setTimeout(() => response.end(streamOf({ order: [4] }).join('')), 200);
    });
    assert.equal(await askDirectly(model, { stallMs: 50 }), '{"order":[4]}');
  });

  it('that breaks at a random byte leaves the list whole, checked or not', async () => {
    const random = uniform();
    const events = streamOf({ edit: [{ id: 3, reason: 'x' }], order: [3, 5, 1], missing: [] });
    const bytes = Buffer.from(events.join(''));
    for (let round = 0; round < scaleRounds(60); round++) {
      const at = Math.floor(random() * bytes.length);
      const model = await endpoint((_, response) => {
        response.write(bytes.subarray(0, at), () => {
          if (random() < 0.5) response.destroy();
          else response.end();
        });
      });
      const done = await checkAt(model, ranking(5));
      assert.deepEqual(namesOf(done).toSorted(), engineOrder(5), `after ${at} bytes`);
      if (done.failure) assert.deepEqual(namesOf(done), engineOrder(5));
      else assert.equal(namesOf(done)[0], 'f3');
    }
  });

  /** Asks without a check around it. */
  const askDirectly = (
    { address }: FakeEndpoint,
    options: { key?: string; stallMs?: number },
  ): Promise<string> =>
    new ChatClient({
      endpoint: parseEndpoint(address),
      model: 'tiny',
      key: null,
      budget: new CheckBudget({ requests: 9, characters: 1_000 }, () => {}),
      timeoutMs: 20_000,
      backoffMs: 1,
      ...options,
    }).ask([{ role: 'user', content: 'Which?' }], {}, new AbortController().signal);
});
