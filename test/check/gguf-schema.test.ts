import assert from 'node:assert/strict';
import { it } from 'node:test';
import { boundSchema } from '../../src/services/check/gguf-schema.ts';
import { buildAnswerSchema } from '../../src/services/check/prompt.ts';

it('the schema of an answer is bounded, so that a model comes to an end', () => {
  const id = { enum: [1, 2, 3] };
  const text = { type: 'string', maxLength: 80 };
  assert.deepEqual(boundSchema(buildAnswerSchema(3)), {
    type: 'object',
    properties: {
      edit: {
        type: 'array',
        items: { type: 'object', properties: { id, reason: text } },
        minItems: 0,
        maxItems: 5,
      },
      order: { type: 'array', items: id, minItems: 1, maxItems: 15 },
      missing: { type: 'array', items: text, minItems: 0, maxItems: 15 },
    },
  });
});

it('only short ranges of integers are listed', () => {
  assert.deepEqual(boundSchema({ type: 'integer', minimum: 1, maximum: 1000 }), {
    type: 'integer',
  });
  assert.deepEqual(boundSchema({ type: 'integer' }), { type: 'integer' });
});
