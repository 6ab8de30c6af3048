import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { StoredAnswers } from '../../src/services/check/stored-answers.ts';
import type { CheckUsage } from '../../src/shared/check.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { complete, delta, endpoints, event, stream, streamOf } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

const ANSWER = { edit: [{ id: 3, reason: 'It splits the „header“.' }], order: [3, 5], missing: [] };
const CHECKED = ['f3', 'f5', 'f1', 'f2', 'f4'];

describe('a streamed answer', () => {
  const endpoint = endpoints();

  /** Checks five functions with a server that answers as `respond` says, and returns the outcome. */
  async function askAndOrder(respond: (response: ServerResponse, turn: number) => void) {
    const model = await endpoint((_, response, turn) => respond(response, turn));
    const used: CheckUsage[] = [];
    const done = await checkAt(model, ranking(5), { onProgress: (now) => used.push(now) });
    return { model, used, done };
  }

  it('is read to its last event, and says how far it is', async () => {
    const { model, used, done } = await askAndOrder((response) =>
      stream(response, streamOf(ANSWER)),
    );
    assert.deepEqual(namesOf(done), CHECKED);
    assert.equal(done.chunks[0].reason, 'It splits the „header“.');
    assert.deepEqual([done.failure, done.notes], [null, []]);
    const { stream: streamed, stream_options, temperature, seed } = model.asked[0].parameters;
    assert.deepEqual([streamed, temperature, seed], [true, 0, 1]);
    assert.deepEqual(stream_options, { include_usage: true });
    const received = used.flatMap(({ received }) => received ?? []);
    assert.ok(received.length > 0 && received.length <= JSON.stringify(ANSWER).length / 20);
    assert.deepEqual(
      received,
      received.toSorted((a, b) => a - b),
    );
    assert.deepEqual([done.used.tokens, done.used.received], [940, undefined]);
  });

  it('may be plain JSON, whatever the server says that it is', async () => {
    const { done } = await askAndOrder((response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write('\n\n \n');
      setTimeout(() => {
        const message = { role: 'assistant', content: JSON.stringify(ANSWER) };
        const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
        response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }));
      }, 20);
    });
    assert.deepEqual(namesOf(done), CHECKED);
    assert.equal(done.used.tokens, 12);
  });

  it('follows the standard of server-sent events', async () => {
    const text = streamOf(ANSWER).join('');
    const variants: Record<string, string> = {
      'with CRLF': text.replaceAll('\n', '\r\n'),
      'with CR': text.replaceAll('\n', '\r'),
      'with comments and unknown fields': text.replaceAll('data:', ': ping\nid: 4\nodd: 1\ndata:'),
      'with a byte order mark': `\ufeff${text}`,
      'without spaces': text.replaceAll('data: ', 'data:'),
      'with other events before': `event: ping\ndata: {}\n\nevent: x\ndata: not JSON\n\n${text}`,
      'in lines of data': text.replaceAll('"choices"', '\ndata: "choices"'),
      'without a last empty line': text.trimEnd(),
      'without [DONE]': text.replace('data: [DONE]\n\n', ''),
    };
    for (const [name, variant] of Object.entries(variants)) {
      const { done } = await askAndOrder((response) => stream(response, [variant]));
      assert.deepEqual([namesOf(done), done.notes, done.failure], [CHECKED, [], null], name);
      assert.equal(done.used.requests, 1, name);
    }
  });

  it('may be divided anywhere, also within a character', async () => {
    const bytes = Buffer.from(streamOf(ANSWER).join(''));
    const { done } = await askAndOrder(async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    assert.equal(done.chunks[0].reason, 'It splits the „header“.');
  });

  it('ends at [DONE], and the connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    const { done } = await askAndOrder((response) => {
      closed = once(response, 'close');
      for (const each of streamOf(ANSWER)) response.write(each);
    });
    assert.deepEqual(namesOf(done), CHECKED);
    await closed;
  });

  it('is used as far as it is complete if it is cut off, and not stored', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const text = JSON.stringify({ order: [5, 4, 3, 15], missing: [] });
    const head = text.slice(0, text.indexOf('15') + 1);
    let requests = 0;
    const model = await endpoint((_, response) => {
      requests++;
      response.write(delta({ content: head }), () => response.destroy());
    });
    const answers = new StoredAnswers(join(folder, 'answers.jsonl'));
    for (const count of [1, 2]) {
      const done = await checkAt(model, ranking(5), { answers });
      assert.deepEqual(namesOf(done), ['f5', 'f4', 'f3', 'f1', 'f2']);
      assert.match(done.notes.join(), /failed.*The order uses what had arrived\.$/);
      assert.deepEqual([done.failure, requests], [null, count]);
    }
  });

  it('that is cut off before it names a function is requested again', async () => {
    const { done } = await askAndOrder((response, turn) => {
      if (turn === 0) response.write(delta({ content: '{"edit": [{"i' }), () => response.destroy());
      else stream(response, streamOf(ANSWER));
    });
    assert.deepEqual([namesOf(done), done.notes, done.used.requests], [CHECKED, [], 2]);
  });

  it('that breaks off before its first word is retried, then reported', async () => {
    const { done } = await askAndOrder((response) => stream(response, [delta({ content: '' })]));
    assert.match(done.failure?.message ?? '', /The answer of 127\.0\.0\.1:\d+ was cut off\./);
    assert.deepEqual([namesOf(done), done.used.requests], [engineOrder(5), 3]);
  });

  it('that declines is reported in the model’s words', async () => {
    const { done } = await askAndOrder((response) =>
      stream(response, [delta({ refusal: 'I must\nnot ' }), delta({ refusal: 'say.' }, 'stop')]),
    );
    assert.match(done.failure?.message ?? '', /declined to answer: I must not say\.$/);
    assert.equal(done.used.requests, 1);
  });

  for (const [server, error] of [
    ['others', 'data: {"error": {"message": "out of memory", "code": 500}}\n\n'],
    ['llama.cpp', 'error: {"code":500,"message":"out of memory","type":"server_error"}\n\n'],
  ]) {
    it(`with an error of the server is retried, then reported, as ${server} send it`, async () => {
      const { done } = await askAndOrder((response) => stream(response, [error]));
      assert.match(done.failure?.message ?? '', /reported an error: out of memory\.$/);
      assert.equal(done.used.requests, 3);
      const late = await askAndOrder((response) =>
        stream(response, [delta({ content: '{"order": [4, 2,' }), error]),
      );
      assert.equal(namesOf(late.done)[0], 'f4');
      assert.match(late.done.notes.join(), /reported an error: out of memory\. The order uses/);
    });
  }

  it('closes the connection when it is cancelled in the middle', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const model = await endpoint((_, response) => {
      response.on('close', closed.resolve);
      response.write(delta({ content: 'x'.repeat(50) }));
    });
    const run = checkAt(model, ranking(5), {
      signal: controller.signal,
      onProgress: ({ received }) => received !== undefined && controller.abort(),
    });
    await assert.rejects(run, { code: 'cancelled' });
    await closed.promise;
  });

  it('that never comes to an end is cut at the time limit, and what arrived is used', async () => {
    const model = await endpoint((_, response) => {
      response.write(delta({ content: '{"order": [2, 1' }));
    });
    const done = await checkAt(model, ranking(5), { settings: { seconds: 1 } });
    assert.equal(namesOf(done)[0], 'f2');
    assert.match(done.notes.join(), /did not answer within 1 second\. The order uses/);
  });

  it('needs no events: plain answers are as before', async () => {
    const { done } = await askAndOrder((response) => complete(response, ANSWER));
    assert.deepEqual([namesOf(done), done.used.tokens], [CHECKED, undefined]);
  });

  it('counts no tokens from figures that are none', async () => {
    const { done } = await askAndOrder((response) =>
      stream(response, [
        event({ choices: [], usage: { prompt_tokens: -5, completion_tokens: 'many' } }),
        ...streamOf(ANSWER).filter((each) => !each.includes('usage')),
      ]),
    );
    assert.deepEqual([namesOf(done), done.used.tokens], [CHECKED, undefined]);
  });
});
