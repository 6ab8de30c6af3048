/** Issues are cut into an encoder's fields alike when it is trained (Python) and when it is used, in linear time. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureProgram } from '../../scripts/debian.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';
import { rounds, SEED, uniform } from '../support/effort.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');
const PROGRAM = `
import json, sys
from issue_fields import CODE, TEXT, TITLE, TRACE, split_issue
fields = [split_issue(issue) for issue in json.load(sys.stdin)]
json.dump([[one[field] for field in (TITLE, TEXT, CODE, TRACE)] for one in fields], sys.stdout)
`;

/** What frames, prompts and blocks are made of, and what comes near. */
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

function split(issues: readonly string[]): string[][] {
  const python = ensureProgram('python3');
  const input = JSON.stringify(issues);
  const output = execFileSync(python, ['-c', PROGRAM], {
    cwd: SCRIPTS,
    input,
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  return JSON.parse(output.toString());
}

function assertAlike(issues: readonly string[]): void {
  for (const [i, [title, text, code, trace]] of split(issues).entries()) {
    const message = `${JSON.stringify(issues[i].slice(0, 500))} (seed ${SEED})`;
    assert.deepEqual(queryOf(issues[i]).fields, { title, text, code, trace }, message);
  }
}

test('training and engine cut random issues alike', () => {
  const random = uniform();
  const drawn = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)];
  const line = () => Array.from({ length: Math.floor(random() * 6) }, () => drawn(PIECES)).join('');
  const issue = () => Array.from({ length: 1 + Math.floor(random() * 12) }, line).join('\n');
  assertAlike(Array.from({ length: rounds(3000) }, issue));
});

test('training and engine cut long lines alike, and soon', () => {
  assertAlike(PIECES.map((piece) => `title\n${piece.repeat(200_000 / piece.length)}`));
});
