/**
 * No regular expression of Locus takes more than linear time for any text. They are found by parsing the sources, and
 * attacked.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { taggedLanguages } from '../../src/engine/languages/tagged/index.ts';
import { templateLanguages } from '../../src/engine/languages/templates/index.ts';
import { scaleRounds } from '../support/effort.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';
import { countMatches, listAttacks, writeAttack } from '../support/patterns/attacks.ts';
import { findPumps } from '../support/patterns/pumps.ts';
import { findPatterns } from '../support/patterns/sources.ts';

const root = join(import.meta.dirname, '../..');
const { literals, made } = findPatterns(root);
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Every n-th guessed attack is tried. The pumps that `findPumps` finds are all tried. */
const EVERY = scaleRounds(1) > 1 ? 1 : 12;

/** Returns the attacks for which matching a pattern takes more than linear time. */
function findSlowAttacks(pattern: RegExp): string[] {
  for (const attack of listAttacks(pattern, EVERY)) {
    const growth = findSuperlinearGrowth(
      (size) => writeAttack(attack, size),
      (text) => countMatches(pattern, text),
    );
    if (growth) return [`${pattern} on ${JSON.stringify(attack)}: ${growth}`];
  }
  return [];
}

test('no regular expression of the sources takes more than linear time', () => {
  assert.ok(literals.length > 150, 'literals are found');
  const slow = literals.flatMap(({ place, pattern }) =>
    findSlowAttacks(pattern).map((how) => `${place}: ${how}`),
  );
  assert.deepEqual(slow, []);
});

test('patterns in data files take linear time too, and there are no others', () => {
  assert.deepEqual(made.sort(), [
    // Words of bag models. WORD_PATTERN has its own scanner, and other models bring their own pattern.
    "src/engine/encode/kinds/bag-manifest.ts: new RegExp(source, 'gu')",
    "src/engine/encode/words.ts: new RegExp(pattern, 'gu')",
    // Words of the rows of languages, escaped.
    'src/engine/languages/tagged/patterns.ts: new RegExp(source, flags)',
    // Conditions in the queries of languages.
    "src/engine/parse/query-predicates.ts: new RegExp(texts[0] ?? '')",
    // Names between two marks, each escaped.
    "src/services/bench/query.ts: new RegExp(pattern, 'gu')",
  ]);
  const conditions = globSync('src/engine/languages/**/*.scm', { cwd: root }).flatMap((path) =>
    Array.from(
      readFileSync(join(root, path), 'utf8').matchAll(/match\? @[\w.]+ ("(?:[^"\\]|\\.)*")/g),
      ([, quoted = '']) => new RegExp(JSON.parse(quoted)),
    ),
  );
  assert.ok(conditions.length > 10);
  assert.deepEqual(conditions.flatMap(findSlowAttacks), []);
  const words = globSync('models/*/model.json', { cwd: root }).flatMap((path) => {
    const source = read(path).tokenizer.pattern;
    return source === undefined ? [] : [new RegExp(source, 'gu')];
  });
  assert.ok(words.length > 0);
  assert.deepEqual(words.flatMap(findSlowAttacks), []);
});

test('patterns made from the rows of languages take linear time', () => {
  const patterns = [...taggedLanguages, ...templateLanguages].flatMap(({ files, text, issue }) => [
    ...[files.tests, files.testMarks, files.testFolders, files.generated],
    ...[...text.headers, ...issue.frames, issue.words?.fence, issue.sourceFile],
  ]);
  const distinct = new Map(patterns.flatMap((one) => (one ? [[String(one), one]] : [])));
  assert.deepEqual([...distinct.values()].flatMap(findSlowAttacks), []);
});

test('the check finds slow patterns and nothing else', () => {
  const slow = [
    /\s+$/, // a match can start anywhere in a run
    /^[ \t]*>?[ \t]*x/, // two loops share a run
    /^(a*)*b/, // exponential
    /^(a|a)*$/,
    /\(\S+\)/g,
    /a*?(?:a*b)?/g,
    /^\s*x/m,
    /```\s*\n([\s\S]*?)```/,
  ];
  for (const pattern of slow) {
    assert.notDeepEqual(findPumps(pattern), [], `${pattern} has a pump`);
  }
  assert.notDeepEqual(findSlowAttacks(slow[0]), [], 'the time shows it');
  const sound = [/\s+/g, /(?<!\s)\s+$/, /^[ \t]*x/m, /"[^"]*"/g, /\binstantiat\w*\b/, /a+b/y];
  for (const pattern of sound) {
    assert.deepEqual(findPumps(pattern), [], `${pattern} has no pump`);
    assert.deepEqual(findSlowAttacks(pattern), [], `${pattern} is not slow`);
  }
});
