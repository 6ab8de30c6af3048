import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cut, firstLines, tokensOf } from '../../src/mcp/tokens.ts';

describe('tokens', () => {
  it('are estimated from the length, never too few lines are said to be left out', () => {
    assert.equal(tokensOf(''), 0);
    assert.equal(tokensOf('x'.repeat(35)), 10);
    assert.deepEqual(firstLines('a\nb', 10), { text: 'a\nb', left: 0 });
    assert.deepEqual(firstLines(`${'x'.repeat(99)}\n`, 10), { text: '', left: 1 });
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n');
    for (const budget of [0, 1, 2, 10, 100, 1000]) {
      const first = firstLines(text, budget);
      assert.ok(tokensOf(first.text) <= budget);
      assert.ok(text.startsWith(first.text));
      const kept = first.text === '' ? 0 : first.text.split('\n').length;
      assert.equal(kept + first.left, 100);
    }
  });

  it('cuts no character in two', () => {
    assert.equal(cut('short', 5), 'short');
    assert.equal(cut('longer', 4), 'lon…');
    assert.equal(cut('ab\u{1f600}cd', 4), 'ab…');
  });
});
