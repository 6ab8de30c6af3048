import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitIssue } from '../../src/engine/encode/kinds/issue-fields.ts';

test('an issue is its title, its prose, its code and its tracebacks', () => {
  const issue = `Cart total is wrong
It fails:
\`\`\`python
cart.total()
Traceback (most recent call last):
  File "shop/cart.py", line 3, in total
    return price
TypeError: no price
\`\`\`
>>> cart.clear()
    indented()
Versions: 3`;
  assert.deepEqual(splitIssue(issue), {
    title: 'Cart total is wrong',
    text: 'It fails:\nVersions: 3',
    code: 'cart.total()\nTypeError: no price\n>>> cart.clear()\n    indented()',
    trace:
      'Traceback (most recent call last):\n  File "shop/cart.py", line 3, in total\n    return price',
  });
});

test('frames of pytest and IPython are tracebacks', () => {
  const { trace } = splitIssue(
    't\nshop/cart.py:3: TypeError\n~/shop/cart.py in total(self)\n----> 3 raise\n  4 end\nrest',
  );
  assert.equal(trace.split('\n').length, 4);
});

test('an issue of one line has a title only', () => {
  assert.deepEqual(splitIssue('title'), { title: 'title', text: '', code: '', trace: '' });
});
