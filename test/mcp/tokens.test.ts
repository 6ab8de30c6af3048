import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens, cutSentence, measureText, takeFitting } from '../../src/mcp/answer.ts';

describe('tokens', () => {
  it('are estimated from the length', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('x'.repeat(35)), 10);
  });

  it('limit a list to its first items that fit', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`);
    for (const budget of [0, 1, 7, 8, 100, 1000]) {
      const kept = takeFitting(lines, measureText, budget);
      assert.deepEqual(kept, lines.slice(0, kept.length));
      const measure = (count: number) => lines.slice(0, count).join('\n').length + 1;
      assert.ok(kept.length === 0 || measure(kept.length) <= budget);
      assert.ok(kept.length === lines.length || measure(kept.length + 1) > budget);
    }
    assert.deepEqual(takeFitting(['x'.repeat(99), 'y'], measureText, 10), []);
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
