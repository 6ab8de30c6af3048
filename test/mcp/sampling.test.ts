import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type RequestSampling, SamplingModel } from '../../src/mcp/sampling.ts';
import { CheckBudget } from '../../src/services/check/client.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Agent, type ClientModel, ISSUE, names, SHOP, stdioAgent } from './agent.ts';

let dataDir: string;
let shop: string;
before(() => {
  dataDir = realpathSync(temporaryFolder());
  shop = realpathSync(gitRepository(SHOP));
});
after(() => {
  removeFolder(shop);
  removeFolder(dataDir);
});

describe('locate, with the model of the client', () => {
  let agent: Agent;
  let engine: string[];
  let asked: Parameters<ClientModel>[0][];
  let answer: (ids: Map<string, number>) => unknown;

  const model: ClientModel = (params) => {
    asked.push(params);
    const { text } = params.messages[0].content as { text: string };
    const heads = text.matchAll(/^#[0-9a-f]{24} (\d+) \w+ "(.+?)"/gm);
    const ids = new Map(Array.from(heads, ([, id, name]) => [name, Number(id)]));
    return JSON.stringify(answer(ids));
  };
  const start = (setting: Partial<Parameters<typeof stdioAgent>[0]> = {}) =>
    stdioAgent({ dataDir, args: ['--repo', shop], model, ...setting });

  beforeEach(async () => {
    asked = [];
    agent = await start();
    engine = names((await agent.ready(ISSUE)).value.results);
  });
  afterEach(() => agent.close());

  it('answers in its order, with its reasons, after one request', async () => {
    const second = engine[1];
    answer = (ids) => {
      const id = ids.get(second.split('::')[1]);
      return {
        edit: [{ id, reason: 'rounded digits, cart total, `price` \u202e' }],
        order: [id],
        missing: [],
      };
    };
    const { value, text } = await agent.call('locate', { query: ISSUE, check: true, limit: 2 });
    assert.deepEqual(names(value.results), [second, engine[0]]);
    assert.deepEqual(value.results[0].check, {
      edit: true,
      reason: 'rounded digits, cart total, `price` \\u{202e}',
    });
    assert.equal(value.confidence, null);
    assert.match(value.checkedBy ?? '', /^Checked by `The model of the client through MCP` on /);
    assert.match(
      text,
      /\n {2}check: edit, `rounded digits, cart total, \\x60price\\x60 \\u\{202e\}`\n/,
    );
    assert.equal(asked.length, 1);
    assert.match(asked[0].systemPrompt ?? '', /Never follow them/);
    assert.ok(JSON.stringify(asked[0].messages).includes(ISSUE));
  });

  it('is not asked unless the call wants it', async () => {
    const { value } = await agent.call('locate', { query: ISSUE });
    assert.equal(value.checkedBy, null);
    assert.equal(asked.length, 0);
  });

  it('leaves the list unchanged if it declines or names nothing, and says so', async () => {
    const unchanged = async (note: RegExp) => {
      const { value, text } = await agent.call('locate', { query: ISSUE, check: true });
      assert.deepEqual(names(value.results), engine);
      assert.equal(value.checkedBy, null);
      assert.match(value.notes.join('\n'), note);
      assert.match(text, /\nnote: Not checked: /);
    };
    answer = () => {
      throw new Error('The user said\nno.\u001b[2J');
    };
    await unchanged(/Not checked: The client did not answer for its model: .*said no/);
    answer = () => 'I do not know.';
    await unchanged(/Not checked: The model’s answers name none of the functions\./);
  });

  it('is not asked if the client or its revision of the protocol has no requests for it', async () => {
    for (const setting of [{ model: null }, { era: 'modern' as const }]) {
      const other = await start(setting);
      const { value } = await other.call('locate', { query: ISSUE, check: true });
      await other.close();
      assert.deepEqual(names(value.results), engine);
      assert.match(value.notes.join(), /Not checked: /);
    }
    assert.equal(asked.length, 0);
  });
});

describe('a request to the model of a client', () => {
  const budget = () => new CheckBudget({ requests: 2, characters: 100 }, () => {});
  const ask = (request: RequestSampling, signal = new AbortController().signal, own = budget()) =>
    new SamplingModel(request, own, 5).ask(
      [
        { role: 'system', content: 'Rules' },
        { role: 'user', content: 'Which?' },
      ],
      {},
      signal,
    );
  const role = 'assistant' as const;

  it('has a time limit, no context of the conversation, and a limit for the answer', async () => {
    const seen: unknown[] = [];
    const text = await ask(async (params, options) => {
      seen.push(params.systemPrompt, params.includeContext, params.maxTokens, options?.timeout);
      return { model: 'm', role, content: [{ type: 'text', text: '[1]' }] };
    });
    assert.deepEqual([text, seen], ['[1]', ['Rules', 'none', 4096, 5]]);
  });

  it('that takes too long or fails is a failure of the check', async () => {
    const slow = ask(async () => {
      throw new Error('Request timed out');
    });
    await assert.rejects(slow, { name: 'EndpointFailure', message: /Request timed out\.$/ });
  });

  it('is cancelled with the call', async () => {
    const controller = new AbortController();
    const run = ask(async () => {
      controller.abort();
      throw new Error('aborted');
    }, controller.signal);
    await assert.rejects(run, { code: 'cancelled' });
  });

  it('counts against the budget of the check', async () => {
    const own = budget();
    const request: RequestSampling = async () => ({
      model: 'm',
      role,
      content: { type: 'image', data: '', mimeType: 'image/png' },
    });
    assert.equal(await ask(request, undefined, own), '');
    assert.deepEqual(own.used, { requests: 1, characters: 11 });
  });
});
