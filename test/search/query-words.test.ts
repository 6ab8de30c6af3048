import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { buildQueryWords } from '../../src/engine/search/gather/query.ts';
import { MemoryIndex } from './support.ts';

const index = new MemoryIndex({
  'net/retry.py': [
    { name: 'retry', text: 'when the server has no answer, this will retry with a delay' },
    { name: 'use', text: 'use http' },
  ],
});
const wordsOf = (issue: string) =>
  buildQueryWords(resolveIssue(readIssue(issue), index), index.lexical);

test('filler words are left out of a query', () => {
  const { issue, title } = wordsOf(
    'The retry has no delay\n\nIt will use this when the server is up.',
  );
  assert.deepEqual(title.terms.toSorted(), ['delay', 'retry']);
  assert.deepEqual(issue.terms.toSorted(), ['delay', 'retry', 'server']);
});

test('an issue with only filler words, or words that no chunk has, is searched with all its words', () => {
  assert.deepEqual(wordsOf('use http').issue.terms.toSorted(), ['http', 'use']);
  assert.deepEqual(wordsOf('use kerberos').issue.terms, ['use']);
});
