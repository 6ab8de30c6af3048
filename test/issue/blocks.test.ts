import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

/** Code and output of these lines, block by block. */
function blocks(...lines: string[]): string[] {
  const text = lines.join('\n');
  return readIssue(text).blocks.map(({ start, end }) => text.slice(start, end));
}

test('a block between fences or braces has its marks, to the end where it is not closed', () => {
  assert.deepEqual(blocks('Title', '```py', 'x = 1', '```', 'and'), ['```py\nx = 1\n```']);
  assert.deepEqual(blocks('Title', '{{{', 'x', '}}}', '', 'and'), ['{{{\nx\n}}}']);
  assert.deepEqual(blocks('Title', '```', 'x', '', 'y'), ['```\nx\n\ny']);
});

test('lines that are indented or typed at a prompt are code, without blank lines around them', () => {
  assert.deepEqual(blocks('Text', '', '    x', '', '\ty', '', 'text'), ['    x\n\n\ty']);
  assert.deepEqual(blocks('Text', '>>> a()', 'It fails.', '$ make'), ['>>> a()', '$ make']);
});

test('a traceback ends with the exception', () => {
  const traceback = [
    'Traceback (most recent call last):',
    '  File "a.py", line 1',
    'ValueError: x',
  ];
  assert.deepEqual(blocks('Title', ...traceback, 'So it is'), [traceback.join('\n')]);
});

test('what a list of versions has between fences is a block, too', () => {
  const listed = ['```', 'numpy 1.2.3', '```'];
  assert.deepEqual(blocks('Title', '### Versions', ...listed), [listed.join('\n')]);
});

test('there is none in an empty text, or in what is not read', () => {
  assert.deepEqual(blocks(''), []);
  const code = '\n    x';
  const left = `Title${code}\n${'a line\n'.repeat(40_000)}${code}`;
  assert.deepEqual(
    readIssue(left).blocks.map(({ start, end }) => left.slice(start, end)),
    ['    x', '    x'],
  );
});

test('what opens and ends in one line is no block', () => {
  assert.deepEqual(blocks('Title', '``` echo x | jq . ```', 'and so on'), []);
  assert.deepEqual(blocks('Title', '~~~ `x`', 'y', '~~~'), ['~~~ `x`\ny\n~~~']);
});
