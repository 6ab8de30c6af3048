import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAsciiReader,
  createPatternReader,
  fnv1a32,
  Vocabulary,
  WORD_PATTERN,
  type WordReader,
} from '../../src/engine/encode/words.ts';

const vocabulary = new Vocabulary(['parse', 'http', 'header', 'a', 'x', '2', '42', 'é']);

/** Returns id, hash and end of each word that a reader finds in a text. */
function wordsOf(read: WordReader, text: string, limit = Number.POSITIVE_INFINITY) {
  const found: number[][] = [];
  const count = read(text, limit, (id, hash, end) => found.push([id, hash, end]));
  assert.equal(count, found.length);
  return found;
}

test('words are split at case changes, underscores and digits', () => {
  const ids = wordsOf(createAsciiReader(vocabulary), 'parseHTTPHeader_2 parse(A42)').map(
    ([id]) => id,
  );
  assert.deepEqual(ids, [0, 1, 2, 5, 0, 3, 6]);
});

test('a word outside the vocabulary has id -1 and the hash of its lower case', () => {
  assert.deepEqual(wordsOf(createAsciiReader(vocabulary), 'Zebra'), [[-1, fnv1a32('zebra'), 5]]);
});

test('no more words are read than the limit', () => {
  assert.equal(wordsOf(createAsciiReader(vocabulary), 'a a a a', 3).length, 3);
  assert.equal(
    wordsOf(createPatternReader(vocabulary, WORD_PATTERN, true), 'a a a a', 3).length,
    3,
  );
});

test('the scanner finds the same words as the regular expression, in random text', () => {
  const scan = createAsciiReader(vocabulary);
  const match = createPatternReader(vocabulary, WORD_PATTERN, true);
  const alphabet = [
    'a',
    'x',
    'B',
    'H',
    'T',
    '2',
    '4',
    '_',
    ' ',
    '\n',
    'é',
    'K',
    '😀',
    'İ',
    'parse',
  ];
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 3000; round++) {
    const length = random(30);
    const text = Array.from({ length }, () => alphabet[random(alphabet.length)]).join('');
    assert.deepEqual(wordsOf(scan, text), wordsOf(match, text), JSON.stringify(text));
  }
});

test('another pattern finds other words', () => {
  const read = createPatternReader(vocabulary, '\\p{L}+', false);
  assert.deepEqual(
    wordsOf(read, 'é Parse parse').map(([id]) => id),
    [7, -1, 0],
  );
});

test('every word of a large vocabulary is found', () => {
  const words = Array.from({ length: 5000 }, (_, i) => `w${i.toString(36)}`.replace(/\d/g, 'z'));
  const distinct = [...new Set(words)];
  const large = new Vocabulary(distinct);
  distinct.forEach((word, id) => {
    assert.equal(large.id(word), id);
    assert.equal(large.find(`(${word.toUpperCase()})`, 1, word.length + 1, fnv1a32(word)), id);
  });
  assert.equal(large.id('absent'), -1);
});

test('fnv1a32 returns the published values', () => {
  assert.equal(fnv1a32(''), 0x811c9dc5);
  assert.equal(fnv1a32('a'), 0xe40c292c);
  assert.equal(fnv1a32('foobar'), 0xbf9cf968);
});
