/** Words that are related to the words of an issue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import table from '../../models/related-words-1/related-words.json' with { type: 'json' };
import { findRelatedWords } from '../../src/engine/search/gather/query.ts';
import { getRelatedWords } from '../../src/engine/search/gather/related-words.ts';
import { isConvincingPair } from '../../src/engine/search/rank/signals/related-pairs.ts';
import { type FileSpecs, MemoryIndex, search, WORDS_ALONE } from './support.ts';

test('related words are weighted by the relation and by the weight of the word', () => {
  const once = findRelatedWords(new Map([['delete', 1]]));
  assert.equal(once.get('remove')?.of, 'delete');
  const weight = once.get('remove')!.weight;
  assert.ok(weight > 0 && weight < 1);
  assert.equal(findRelatedWords(new Map([['delete', 2]])).get('remove')!.weight, 2 * weight);
});

test('words of the issue itself are not related words', () => {
  const related = findRelatedWords(
    new Map([
      ['delete', 1],
      ['remove', 1],
    ]),
  );
  assert.equal(related.has('remove'), false);
  assert.equal(related.has('delete'), false);
});

test('names of built-in JavaScript properties are ordinary words', () => {
  const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  assert.doesNotThrow(() => findRelatedWords(new Map(words.map((word) => [word, 1]))));
});

const FILES: FileSpecs = {
  'a.py': [
    { name: 'discard', text: 'remove the entry' },
    { name: 'keep', text: 'store the entry' },
  ],
};

test('code is found by words related to the title and prose', () => {
  const { results } = search(
    new MemoryIndex(FILES),
    null,
    { issue: 'Entry: cannot delete' },
    { ranker: WORDS_ALONE },
  );
  const { related } = results.find(({ name }) => name === 'discard')!.evidence;
  assert.deepEqual(
    related.words?.map(({ word, of }) => [word, of]),
    [['remove', 'delete']],
  );
  // 0.34 is too little for a sentence, which needs a pair that nobody doubts.
  assert.equal(related.sentence, null);
  assert.equal(results.find(({ name }) => name === 'keep')!.evidence.related, undefined);
});

test('only pairs that nobody doubts are in a sentence', () => {
  const isShown = (of: string, term: string, similarity = 0.5) =>
    isConvincingPair({ of, term, similarity });
  assert.ok(isShown('host', 'hostname', 0.39) && isShown('time', 'seconds', 0.38));
  assert.ok(!isShown('login', 'redirect', 0.34), 'too weak');
  assert.ok(!isShown('true', 'bool', 0.7) && !isShown('only', 'readonly'), 'without information');
  for (const [of, term] of [
    ['proxy', 'proxies'],
    ['failing', 'failed'],
    ['plot', 'plotting'],
    ['success', 'successfully'],
  ])
    assert.ok(!isShown(of!, term!), `${term} is a form of ${of}`);
  assert.ok(!isShown('passing', 'passwords') && !isShown('log', 'backlog'), 'similar in spelling');
});

test('every line of the table is found by its word, and has what the JSON has', () => {
  assert.ok(Object.keys(table.words).length > 3_000);
  for (const [word, related] of Object.entries(table.words))
    assert.deepEqual(getRelatedWords(word), related);
  for (const missing of ['', 'related-words-1', '__proto__'])
    assert.deepEqual(getRelatedWords(missing), []);
});
