import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Asked, endpoints, finds } from './fake-endpoint.ts';
import { checkAt, namesOf, ranking } from './sample.ts';

/** Parameters that a model may refuse. */
const ALL = ['stream', 'stream_options', 'temperature', 'seed', 'max_tokens', 'response_format'];

const listSent = ({ parameters }: Asked) =>
  Object.keys(parameters).filter((name) => name !== 'model');

describe('a server that refuses a parameter', () => {
  const endpoint = endpoints();

  /** Starts a server that answers only if `refuse` returns nothing for the parameters of a request, else with its words. */
  const startRefusing = (refuse: (sent: string[]) => object | undefined, status = 400) =>
    endpoint((asked, response, turn) => {
      const words = refuse(listSent(asked));
      if (words === undefined) finds('f3')(asked, response, turn);
      else response.writeHead(status).end(JSON.stringify(words));
    });

  it('is asked with all of them first', async () => {
    const model = await startRefusing(() => undefined);
    await checkAt(model, ranking(5));
    assert.deepEqual(listSent(model.asked[0]), ALL);
  });

  const refusals: Record<string, [name: string, words: object, status?: number]> = {
    'OpenAI, for its reasoning models': [
      'temperature',
      {
        error: {
          message:
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
          type: 'invalid_request_error',
          param: 'temperature',
          code: 'unsupported_value',
        },
      },
    ],
    'OpenAI, for schemas': [
      'response_format',
      {
        error: {
          message:
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
          param: null,
        },
      },
    ],
    'OpenAI, for organizations that are not verified': [
      'stream',
      {
        error: {
          message: 'Your organization must be verified to stream this model.',
          param: 'stream',
          code: 'unsupported_value',
        },
      },
    ],
    'Gemini, in a list': [
      'seed',
      [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
          },
        },
      ],
    ],
    Mistral: [
      'stream_options',
      {
        detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }],
      },
      422,
    ],
    vLLM: [
      'max_tokens',
      {
        object: 'error',
        message:
          "'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens.",
        code: 400,
      },
    ],
  };
  for (const [server, [name, words, status]] of Object.entries(refusals)) {
    it(`such as ${name} by ${server}, is asked without it from then on`, async () => {
      const model = await startRefusing(
        (sent) => (sent.includes(name) ? words : undefined),
        status,
      );
      for (const _ of [1, 2]) {
        const done = await checkAt(model, ranking(5));
        assert.deepEqual([done.failure, namesOf(done)[0]], [null, 'f3']);
      }
      const kept = ALL.filter(
        (each) => each !== name && !(name === 'stream' && each === 'stream_options'),
      );
      assert.deepEqual(model.asked.map(listSent), [ALL, kept, kept]);
    });
  }

  it('and names another one for it is asked with that', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const model = await startRefusing((sent) =>
      sent.includes('max_tokens') ? { error: { message, param: 'max_tokens' } } : undefined,
    );
    await checkAt(model, ranking(5));
    assert.deepEqual(
      model.asked.map(({ parameters }) => [
        parameters.max_tokens,
        parameters.max_completion_tokens,
      ]),
      [
        [4096, undefined],
        [undefined, 4096],
      ],
    );
  });

  it('without naming it is asked without all of them', async () => {
    const model = await startRefusing((sent) =>
      sent.includes('seed') ? { error: 'bad request' } : undefined,
    );
    await checkAt(model, ranking(5));
    await checkAt(model, ranking(5));
    assert.deepEqual(model.asked.map(listSent), [ALL, [], []]);
  });

  it('and then every request is asked with the others again', async () => {
    const model = await startRefusing(() => ({ error: 'bad request' }));
    const done = await checkAt(model, ranking(5));
    assert.match(done.failure?.message ?? '', /rejected the request \(status 400\): bad request/);
    await checkAt(model, ranking(5));
    assert.deepEqual(model.asked.map(listSent), [ALL, [], ALL, []]);
  });

  it('one after another stays within the budget, and goes on where it ended', async () => {
    const refused = ['temperature', 'seed', 'response_format', 'stream'];
    const model = await startRefusing((sent) => {
      const name = refused.find((each) => sent.includes(each));
      return name === undefined ? name : { error: { message: `${name} is not supported` } };
    });
    const once = { settings: { lookAgain: false } };
    const first = await checkAt(model, ranking(5), once);
    assert.match(first.failure?.message ?? '', /stream is not supported/);
    assert.equal(first.used.requests, 4);
    const second = await checkAt(model, ranking(5), once);
    assert.deepEqual([second.failure, second.used.requests], [null, 1]);
  });

  it('is remembered by model', async () => {
    const model = await endpoint((asked, response, turn) => {
      if (asked.model === 'thinker' && 'temperature' in asked.parameters)
        response.writeHead(400).end('{"error": "no temperature"}');
      else finds('f3')(asked, response, turn);
    });
    for (const name of ['thinker', 'tiny', 'thinker'])
      await checkAt(model, ranking(5), { settings: { model: name } });
    assert.deepEqual(
      model.asked.map(({ parameters }) => 'temperature' in parameters),
      [true, false, true, false],
    );
  });
});
