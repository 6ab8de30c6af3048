/** Patterns of hostile ignore files and requests neither throw nor take long, whatever the path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { scopeOf } from '../../src/engine/search/filters.ts';
import { linesOf, matcherOf } from '../../src/engine/source/gitignore.ts';
import { rounds, SEED, uniform } from '../support/effort.ts';

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
/** No honest pattern takes a hundredth of it. */
const DEADLINE_MS = 4_000;

const hooks = globalThis as unknown as { gitignoreRun?: () => unknown };

function assertSoon(patterns: readonly string[]): void {
  hooks.gitignoreRun = () => {
    const matcher = matcherOf(patterns);
    for (const path of PATHS) matcher.test(path);
  };
  const message = `${JSON.stringify(patterns)} (seed ${SEED})`;
  assert.doesNotThrow(() => runInThisContext('gitignoreRun()', { timeout: DEADLINE_MS }), message);
}

test('patterns that were made to be slow', () => {
  for (const piece of PIECES) {
    for (const times of [3, 12, 60, 300, 5000])
      assertSoon([piece.repeat(times), `${piece.repeat(times)}x`]);
  }
  assertSoon(['a/**/a/**/a/**/b', '**/*a*/**/*a*/**/b', '/**/*a*/**/*a*/**/b', '*a'.repeat(400)]);
  assertSoon([`${'a/**/'.repeat(12)}b`, `${'**/*a*/'.repeat(8)}b`]);
  assertSoon(linesOf('*a'.repeat(1_000_000)));
});

test('random patterns', () => {
  const random = uniform();
  const pattern = () =>
    Array.from(
      { length: 1 + Math.floor(random() * 12) },
      () => PIECES[Math.floor(random() * PIECES.length)],
    ).join('');
  for (let i = rounds(1500); i > 0; i--) assertSoon([pattern(), pattern()]);
});

test('a request with a pattern that would take long is refused', () => {
  for (const glob of ['a/**/'.repeat(4), 'a'.repeat(1001)]) {
    assert.throws(() => scopeOf({ paths: [glob] }), { code: 'bad-input' });
  }
  const { eligible } = scopeOf({ paths: ['src/**/a/**/*.py'] });
  const chunk = { path: 'src/x/a/y/z.py', kind: 'function', role: 'source' } as never;
  assert.ok(eligible(chunk));
});
