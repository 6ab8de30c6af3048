import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens, cutCode, cutSentence } from '../../src/mcp/answer.ts';

describe('tokens', () => {
  it('are estimated from the length', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('x'.repeat(35)), 10);
  });

  it('limit code as it is quoted, and all omitted lines are counted', () => {
    assert.deepEqual(cutCode('a\nb', 10), { text: 'a\nb', tokens: 3, left: 0 });
    assert.deepEqual(cutCode(`${'x'.repeat(99)}\n`, 10), { text: '', tokens: 0, left: 1 });
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    for (const budget of [0, 1, 2, 10, 100, 1000]) {
      const { text: first, tokens, left } = cutCode(text, budget);
      const kept = first === '' ? [] : first.split('\n');
      assert.ok(tokens <= budget);
      assert.equal(tokens, countTokens(kept.map((line) => `| ${line}\n`).join('')));
      assert.ok(text.startsWith(first));
      assert.equal(kept.length + left, 100);
    }
  });

  it('does not cut characters in two', () => {
    assert.equal(cutSentence('short', 5), 'short');
    assert.equal(cutSentence('longer', 4), 'lon…');
    assert.equal(cutSentence('ab\u{1f600}cd', 4), 'ab…');
  });

  it('closes a quotation after cutting it', () => {
    const sentence = 'has `one two`, `three`';
    for (let length = 3; length <= sentence.length; length++) {
      const part = cutSentence(sentence, length);
      assert.ok(part.length <= length);
      assert.equal(part.split('`').length % 2, 1, part);
    }
    assert.equal(cutSentence(sentence, 10), 'has `one…`');
  });
});
