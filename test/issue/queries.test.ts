import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { issueQuery, proseQuery, queryOf } from '../../src/engine/issue/queries.ts';

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
  assert.deepEqual(queryOf(issue).fields, {
    title: 'Cart total is wrong',
    text: 'It fails:\nVersions: 3',
    code: 'cart.total()\nTypeError: no price\n>>> cart.clear()\n    indented()',
    trace:
      'Traceback (most recent call last):\n  File "shop/cart.py", line 3, in total\n    return price',
  });
});

test('frames of pytest and IPython are tracebacks', () => {
  const { trace } = queryOf(
    't\nshop/cart.py:3: TypeError\n~/shop/cart.py in total(self)\n----> 3 raise\n  4 end\nrest',
  ).fields;
  assert.equal(trace.split('\n').length, 4);
});

test('an issue of one line has a title only', () => {
  assert.deepEqual(queryOf('title').fields, { title: 'title', text: '', code: '', trace: '' });
});

const ISSUE = `\n# Cart total is wrong
### Describe the bug
It is too high.
\`\`\`
cart.total()
Traceback (most recent call last):
  File "shop/cart.py", line 3, in total
\`\`\`
### Versions
shop 1.2.3`;

test('an issue is asked with without its noise, and its fields are those of the text that is left', () => {
  const query = issueQuery(readIssue(ISSUE).sections);
  assert.deepEqual(query.fields, {
    title: '# Cart total is wrong',
    text: '\nIt is too high.\n\ncart.total()\n\n',
    code: '',
    trace: 'Traceback (most recent call last):\n  File "shop/cart.py", line 3, in total',
  });
  assert.deepEqual(queryOf(query.text), query);
});

test('its prose is asked with alone, under its title', () => {
  const query = proseQuery(readIssue(ISSUE).sections);
  assert.equal(query.text, '# Cart total is wrong\nIt is too high.\n');
  assert.deepEqual(queryOf(query.text), query);
  assert.equal(proseQuery(readIssue('Title\n```\nx\n```').sections).text, 'Title\n');
});

test('a title that is cut is a line of its own', () => {
  const title = 'x'.repeat(30_000);
  const { fields } = proseQuery(readIssue(`${title}\nIt fails.`).sections);
  assert.deepEqual([fields.title.length, fields.text], [20_000, 'It fails.']);
});
