import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';

/** Returns the blocks of code and output in these lines. */
function findBlocks(...lines: string[]): string[] {
  const text = lines.join('\n');
  return readIssue(text).blocks.map(({ start, end }) => text.slice(start, end));
}

test('includes the fences or braces of a block, which reaches to the end if it is not closed', () => {
  assert.deepEqual(findBlocks('Title', '```py', 'x = 1', '```', 'and'), ['```py\nx = 1\n```']);
  assert.deepEqual(findBlocks('Title', '{{{', 'x', '}}}', '', 'and'), ['{{{\nx\n}}}']);
  assert.deepEqual(findBlocks('Title', '```', 'x', '', 'y'), ['```\nx\n\ny']);
});

test('treats indented lines and input at a prompt as code, without blank lines around them', () => {
  assert.deepEqual(findBlocks('Text', '', '    x', '', '\ty', '', 'text'), ['    x\n\n\ty']);
  assert.deepEqual(findBlocks('Text', '>>> a()', 'It fails.', '$ make'), ['>>> a()', '$ make']);
});

test('ends a traceback with the exception', () => {
  const traceback = [
    'Traceback (most recent call last):',
    '  File "a.py", line 1',
    'ValueError: x',
  ];
  assert.deepEqual(findBlocks('Title', ...traceback, 'So it is'), [traceback.join('\n')]);
});

test('includes fenced lists of versions', () => {
  const listed = ['```', 'numpy 1.2.3', '```'];
  assert.deepEqual(findBlocks('Title', '### Versions', ...listed), [listed.join('\n')]);
});

test('finds no blocks in an empty text, and all blocks in a very long one', () => {
  assert.deepEqual(findBlocks(''), []);
  const code = '\n    x';
  const left = `Title${code}\n${'a line\n'.repeat(40_000)}${code}\n${'a line\n'.repeat(40_000)}`;
  assert.deepEqual(
    readIssue(left).blocks.map(({ start, end }) => left.slice(start, end)),
    ['    x', '    x'],
  );
});

test('does not treat a fence that is closed in its line as a block', () => {
  assert.deepEqual(findBlocks('Title', '``` echo x | jq . ```', 'and so on'), []);
  assert.deepEqual(findBlocks('Title', '~~~ `x`', 'y', '~~~'), ['~~~ `x`\ny\n~~~']);
});
