import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRareWords } from '../../src/engine/search/gather/words.ts';
import { MemoryIndex } from './support.ts';

/** Thirty functions: all have `value`, eight have `auth`, and one has `should_strip_auth`. */
const index = new MemoryIndex({
  'net/session.py': Array.from({ length: 30 }, (_, at) => ({
    name: `f${at}`,
    lines: [at + 1, at + 1] as [number, number],
    text: `def f${at}(value): ${at < 8 ? 'auth' : ''}${at === 3 ? ' should_strip_auth()' : ''}`,
  })),
});

test('rare words are those that few chunks have, the rarest first', () => {
  const issue =
    'The value of auth: should_strip_auth() does not keep the unheard_of header in session f3';
  assert.deepEqual(findRareWords(issue, index), ['f3', 'should_strip_auth', 'strip']);
});

test('an issue with no word of the repository has no rare words, and neither has an empty repository', () => {
  assert.deepEqual(findRareWords('nothing is known here', index), []);
  assert.deepEqual(findRareWords('should_strip_auth', new MemoryIndex()), []);
});
