import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFailure } from '../../src/shared/errors.ts';

test('what went wrong and what to do are a sentence each, however they are written', () => {
  const message = '/src/shop does not exist';
  for (const remedy of ['give another folder', 'Give another folder.'])
    assert.equal(formatFailure({ message, remedy }), `${message}. Give another folder.`);
});
