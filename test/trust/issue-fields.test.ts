/** Issues are split into an encoder's fields in linear time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { SEED, scaleRounds, uniform } from '../support/effort.ts';

/** Pieces of frames, prompts and blocks, and similar texts. */
const PIECES = [
  ...[
    ' ',
    '    ',
    '\t',
    '\r',
    '>',
    '>>>',
    '...',
    'In [',
    ']:',
    '$ ',
    '-',
    '-->',
    '```',
    '~~~',
    '\u2028',
  ],
  ...[
    'File "',
    '", line ',
    '7',
    '.py',
    '.py:',
    '.py in ',
    'a',
    'shop/cart',
    'Traceback (most recent',
    '中',
    '😀',
  ],
];

const isFence = (line: string) => /^[ \t]*(?:```|~~~)/.test(line);

function assertCut(issue: string): void {
  const { title, text, code, trace } = createTextQuery(issue).fields;
  const message = `${JSON.stringify(issue.slice(0, 500))} (seed ${SEED})`;
  const [first, ...others] = issue.split('\n');
  assert.equal(title, first, message);
  const kept = others.filter((line) => !isFence(line));
  const cut = [text, code, trace]
    .filter((field) => field !== '')
    .flatMap((field) => field.split('\n'));
  const lines = (all: string[]) => all.filter(Boolean).sort();
  assert.deepEqual(lines(cut), lines(kept), message);
}

test('each line of a random issue is in exactly one field, except fences', () => {
  const random = uniform();
  const drawn = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const line = () => Array.from({ length: Math.floor(random() * 6) }, () => drawn(PIECES)).join('');
  const issue = () => Array.from({ length: 1 + Math.floor(random() * 12) }, line).join('\n');
  for (let i = 0; i < scaleRounds(3000); i++) assertCut(issue());
});

test('long lines are split fast', () => {
  for (const piece of PIECES) assertCut(`title\n${piece.repeat(200_000 / piece.length)}`);
});
