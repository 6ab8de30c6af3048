/*
 * Tests the parts that words share with others: stems, and the common words that rarer ones are composed of.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPython } from '../../scripts/python.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');

/** Makes a vocabulary in which the first words are common and the last ones are rare. */
function vocabulary(common: string[], rare: string[]): string[] {
  const between = Array.from({ length: 5_000 }, (_, i) => `q${i.toString(36).padStart(3, 'z')}`);
  return [...common, ...between, ...rare];
}

/** Returns the number of parts that each pair of words shares. */
function shared(python: string, words: string[], pairs: [string, string][]): number[] {
  const program = `
import json, sys
from parts import shared_parts
words, pairs = json.load(sys.stdin)
parts = shared_parts(words, len(words) + 3)
assert parts.shape == (len(words) + 3, 3) and not parts[len(words):].any()
line = {word: i for i, word in enumerate(words)}
print(json.dumps([len(set(parts[line[a]]) & set(parts[line[b]]) - {0}) for a, b in pairs]))
`;
  const input = JSON.stringify([words, pairs]);
  return JSON.parse(
    execFileSync(python, ['-c', program], { cwd: SCRIPTS, input, encoding: 'utf8' }),
  );
}

test('words share stems, and rare words share the common words they are composed of', () => {
  const python = findPython();
  const common = ['data', 'frame', 'load', 'format', 'for', 'mat', 'serialize', 'query', 'set'];
  const rare = ['dataframes', 'preload', 'serializers', 'querysets', '1234567', 'unheardof'];
  const words = vocabulary(common, rare);
  const cases: Record<string, [string, string, number]> = {
    'a form of a word': ['serialize', 'serializers', 1],
    'the first half': ['data', 'dataframes', 0],
    'a prefix': ['load', 'preload', 1],
    'common words are not taken apart': ['format', 'for', 0],
    'numbers have no parts': ['1234567', 'data', 0],
    'a word like no other': ['unheardof', 'query', 0],
  };
  const made = shared(
    python,
    words,
    Object.values(cases).map(([a, b]) => [a, b]),
  );
  for (const [i, [name, [, , expected]]] of Object.entries(cases).entries()) {
    assert.equal(made[i], expected, name);
  }
  // `frame` is among the common words. `frames` is not, so that `dataframes` above is one word.
  const halves = shared(python, vocabulary(common, ['dataframe']), [
    ['data', 'dataframe'],
    ['frame', 'dataframe'],
    ['data', 'frame'],
  ]);
  assert.deepEqual(halves, [1, 1, 0]);
});
