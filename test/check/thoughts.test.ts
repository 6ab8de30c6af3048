import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { CheckUsage } from '../../src/shared/check.ts';
import { delta, endpoints, stream, streamOf } from './fake-endpoint.ts';
import { checkAt, engineOrder, namesOf, ranking } from './sample.ts';

const ANSWER = { edit: [{ id: 3, reason: 'It splits the header.' }], order: [3, 5], missing: [] };
const CHECKED = ['f3', 'f5', 'f1', 'f2', 'f4'];

describe('the answer of a reasoning model', () => {
  const endpoint = endpoints();

  /** Checks five functions with a server that answers as `respond` says, and returns the outcome. */
  async function askAndOrder(respond: (response: ServerResponse) => void) {
    const model = await endpoint((_, response) => respond(response));
    const used: CheckUsage[] = [];
    const done = await checkAt(model, ranking(5), { onProgress: (now) => used.push(now) });
    return { used, done };
  }

  it('is separated from its thoughts', async () => {
    const answer = JSON.stringify(ANSWER);
    const thoughts = 'Perhaps [1] > [2], or {"edit": [{"id": 4}], "order": [4]}.';
    const whole = (content: string) => [delta({ content }), delta({}, 'stop')];
    const variants: Record<string, string[]> = {
      'in `reasoning_content`': [delta({ reasoning_content: thoughts }), ...whole(answer)],
      'in `reasoning`': [delta({ reasoning: thoughts, content: null }), ...whole(answer)],
      'in both': [delta({ reasoning: thoughts, reasoning_content: thoughts }), ...whole(answer)],
      'in marks': whole(`<think>${thoughts}</think>\n${answer}`),
      'without the first mark': whole(`${thoughts}\n</think>${answer}`),
      'in brackets': whole(`[THINK]${thoughts}[/THINK]${answer}`),
      'in channels': whole(
        `<|channel|>analysis<|message|>${thoughts}<|end|><|start|>assistant<|channel|>final<|message|>${answer}`,
      ),
      'in parts': [
        delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thoughts }] }] }),
        delta({ content: [{ type: 'text', text: answer }] }, 'stop'),
      ],
      'taken for thoughts by the server': [delta({ reasoning_content: answer }, 'stop')],
    };
    for (const [name, events] of Object.entries(variants)) {
      const { done, used } = await askAndOrder((response) => stream(response, events));
      assert.deepEqual(namesOf(done), CHECKED, name);
      assert.ok(
        used.some(({ received = 0 }) => received > 0),
        name,
      );
    }
  });

  it('is missing if its thoughts have no end', async () => {
    const { done } = await askAndOrder((response) =>
      stream(response, [delta({ content: '<think>[4] > [3] {"order": [4]}' })]),
    );
    assert.deepEqual([namesOf(done), done.used.requests], [engineOrder(5), 3]);
    assert.match(done.failure?.message ?? '', /was cut off/);
  });

  it('that reaches a limit of tokens in its thoughts is requested without the limit', async () => {
    const limits: unknown[] = [];
    const model = await endpoint(({ parameters }, response) => {
      limits.push(parameters.max_tokens);
      const isCut = parameters.max_tokens !== undefined;
      stream(response, isCut ? [delta({ reasoning: 'Hm.' }, 'length')] : streamOf(ANSWER));
    });
    assert.deepEqual(namesOf(await checkAt(model, ranking(5))), CHECKED);
    await checkAt(model, ranking(5));
    assert.deepEqual(limits, [4096, undefined, undefined]);
  });

  it('that always reaches a limit is reported', async () => {
    const { done } = await askAndOrder((response) =>
      stream(response, [delta({ reasoning: 'Hm.' }, 'length')]),
    );
    assert.match(done.failure?.message ?? '', /cut off at its limit of tokens/);
    assert.equal(done.used.requests, 2);
  });

  it('in plain JSON that reaches a limit is used as far as it is complete', async () => {
    const { done } = await askAndOrder((response) => {
      const message = { content: '{"edit": [], "order": [3, 5, 1' };
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'length' }] }));
    });
    assert.deepEqual(namesOf(done), CHECKED);
    assert.match(done.notes.join(), /limit of tokens\. The order uses/);
  });
});
