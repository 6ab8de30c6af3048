/** Patterns of hostile ignore files and requests neither throw nor take long, for any path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { createScope } from '../../src/engine/search/gather/scope.ts';
import { makeMatcher, splitLines } from '../../src/engine/source/gitignore.ts';
import { SEED, scaleRounds } from '../support/effort.ts';

const PIECES = [
  ...[
    '*',
    '**',
    '**/',
    '/**',
    '/',
    'a',
    'b',
    '?',
    '[a-z]',
    '[!a]',
    '[',
    ']',
    '\\',
    '!',
    '#',
    ' ',
    '.',
  ],
  ...['*a*/', '/**/', '(', '+', '$', '{', '|', '[z-a]', '[[:alpha:]]', '\\*', '中', '\ud800'],
];
const PATHS = [
  ...['a'.repeat(255), 'a/'.repeat(99).concat('a'), 'aa/'.repeat(99).concat('y'), 'a.'.repeat(127)],
  ...[
    'a/'.repeat(2000).concat('a'),
    'ab/'.repeat(50).concat('b'.repeat(200)),
    '中'.repeat(80),
    'a b/(c)+[d]',
  ],
];
/** Limit for one pattern. An ordinary pattern takes less than a hundredth of it. */
const DEADLINE_MS = 4_000;

const hooks = globalThis as unknown as { gitignoreRun?: () => unknown };

function assertFast(patterns: readonly string[]): void {
  hooks.gitignoreRun = () => {
    const matcher = makeMatcher(patterns);
    for (const path of PATHS) matcher.test(path);
  };
  const message = `${JSON.stringify(patterns)} (seed ${SEED})`;
  assert.doesNotThrow(() => runInThisContext('gitignoreRun()', { timeout: DEADLINE_MS }), message);
}

test('patterns that are designed to be slow are fast', () => {
  for (const piece of PIECES) {
    for (const times of [3, 12, 60, 300, 5000])
      assertFast([piece.repeat(times), `${piece.repeat(times)}x`]);
  }
  assertFast(['a/**/a/**/a/**/b', '**/*a*/**/*a*/**/b', '/**/*a*/**/*a*/**/b', '*a'.repeat(400)]);
  assertFast([`${'a/**/'.repeat(12)}b`, `${'**/*a*/'.repeat(8)}b`]);
  assertFast(splitLines('*a'.repeat(1_000_000)));
});

test('random patterns are fast and do not throw', () => {
  const pattern = fc.string({ unit: fc.constantFrom(...PIECES), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(pattern, pattern, (one, other) => assertFast([one, other])),
    { seed: SEED, numRuns: scaleRounds(1500) },
  );
});

test('a request with a slow pattern is refused', () => {
  for (const glob of ['a/**/'.repeat(4), 'a'.repeat(1001)]) {
    assert.throws(() => createScope({ paths: [glob] }), { code: 'bad-input' });
  }
  const { isEligible } = createScope({ paths: ['src/**/a/**/*.py'] });
  const chunk = { path: 'src/x/a/y/z.py', kind: 'function', role: 'source' } as never;
  assert.ok(isEligible(chunk));
});
