import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlain } from '../../lab/names/plain.ts';
import { readIssue } from '../../src/engine/issue/issue.ts';

/** Returns true if the first `word` of a text is written as an ordinary word. */
function isPlainIn(text: string, word: string): boolean {
  const start = text.indexOf(word);
  const span = { start, end: start + word.length, text: word };
  return isPlain(text, span, readIssue(text).blocks);
}

test('words are plain by their writing alone', () => {
  const block = (line: string) => `T\n\`\`\`\n${line}\n\`\`\`\n`;
  assert.ok(isPlainIn('the Cart fails', 'Cart'));
  assert.ok(isPlainIn('the branch `main`', 'main'));
  assert.ok(isPlainIn('some error(s)', 'error'));
  assert.ok(isPlainIn(block('READ of size 4 at 0x60'), 'size'));
  assert.ok(isPlainIn(block('could not open the cart'), 'open'));
  assert.ok(!isPlainIn('the `Cart` fails', 'Cart'));
  assert.ok(!isPlainIn('the Cart.total fails', 'Cart'));
  assert.ok(!isPlainIn('call total()', 'total'));
  assert.ok(!isPlainIn('set_total fails', 'set_total'));
  assert.ok(!isPlainIn(block('#1 0x4f2a in read a.c:3'), 'read'));
  assert.ok(!isPlainIn(block('x = open(cart)'), 'open'));
});
