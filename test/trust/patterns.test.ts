/**
 * No pattern of Locus takes more than linear time, whatever the text: every regular expression of the sources is found
 * by parsing them, and attacked.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rounds } from '../support/effort.ts';
import { growthOf } from '../support/growth.ts';
import { attacksOn, countMatches, textOf } from '../support/patterns/attacks.ts';
import { pumpsOf } from '../support/patterns/pumps.ts';
import { patternsOf } from '../support/patterns/sources.ts';

const root = join(import.meta.dirname, '../..');
const { literals, made } = patternsOf(root);
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Of the words that are guessed, every so many-th is tried; what `pumpsOf` finds always is. */
const EVERY = rounds(1) > 1 ? 1 : 12;

/** The attacks under which matching a pattern takes more than linear time. */
function slownessOf(pattern: RegExp): string[] {
  for (const attack of attacksOn(pattern, EVERY)) {
    const growth = growthOf(
      (size) => textOf(attack, size),
      (text) => countMatches(pattern, text),
    );
    if (growth) return [`${pattern} on ${JSON.stringify(attack)}: ${growth}`];
  }
  return [];
}

test('no regular expression of the sources takes more than linear time', () => {
  assert.ok(literals.length > 150, 'the literals are found');
  const slow = literals.flatMap(({ place, pattern }) =>
    slownessOf(pattern).map((how) => `${place}: ${how}`),
  );
  assert.deepEqual(slow, []);
});

test('neither do the patterns that are data, and there are no others', () => {
  assert.deepEqual(made.sort(), [
    // Bag models' words: WORD_PATTERN has a scanner of its own, and another model's comes with the model.
    "src/engine/encode/kinds/bag.ts: new RegExp(source, 'gu')",
    "src/engine/encode/words.ts: new RegExp(pattern, 'gu')",
  ]);
  const words = globSync('models/*/model.json', { cwd: root }).flatMap((path) => {
    const source = read(path).tokenizer.pattern;
    return source === undefined ? [] : [new RegExp(source, 'gu')];
  });
  assert.ok(words.length > 0);
  assert.deepEqual(words.flatMap(slownessOf), []);
});

test('the check finds what is slow, and nothing else', () => {
  const slow = [
    /\s+$/, // every place of a run is a beginning
    /^[ \t]*>?[ \t]*x/, // two loops share a run
    /^(a*)*b/, // exponential
    /^(a|a)*$/,
    /\(\S+\)/g,
    /a*?(?:a*b)?/g,
    /^\s*x/m,
    /```\s*\n([\s\S]*?)```/,
  ];
  for (const pattern of slow) {
    assert.notDeepEqual(pumpsOf(pattern), [], `${pattern} has a pump`);
  }
  assert.notDeepEqual(slownessOf(slow[0]), [], 'time tells it');
  const sound = [/\s+/g, /(?<!\s)\s+$/, /^[ \t]*x/m, /"[^"]*"/g, /\binstantiat\w*\b/, /a+b/y];
  for (const pattern of sound) {
    assert.deepEqual(pumpsOf(pattern), [], `${pattern} has no pump`);
    assert.deepEqual(slownessOf(pattern), [], `${pattern} is not slow`);
  }
});
