import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import {
  createIssueQuery,
  createProseQuery,
  createTextQuery,
} from '../../src/engine/issue/queries.ts';

test('splits an issue into title, prose, code and tracebacks', () => {
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
  assert.deepEqual(createTextQuery(issue).fields, {
    title: 'Cart total is wrong',
    text: 'It fails:\nVersions: 3',
    code: 'cart.total()\nTypeError: no price\n>>> cart.clear()\n    indented()',
    trace:
      'Traceback (most recent call last):\n  File "shop/cart.py", line 3, in total\n    return price',
  });
});

test('recognizes tracebacks of pytest and IPython', () => {
  const { trace } = createTextQuery(
    't\nshop/cart.py:3: TypeError\n~/shop/cart.py in total(self)\n----> 3 raise\n  4 end\nrest',
  ).fields;
  assert.equal(trace.split('\n').length, 4);
});

test('reads an issue of one line as a title', () => {
  assert.deepEqual(createTextQuery('title').fields, {
    title: 'title',
    text: '',
    code: '',
    trace: '',
  });
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

test('creates a query without noise', () => {
  const query = createIssueQuery(readIssue(ISSUE).sections);
  assert.deepEqual(query.fields, {
    title: '# Cart total is wrong',
    text: '\nIt is too high.\n\ncart.total()\n\n',
    code: '',
    trace: 'Traceback (most recent call last):\n  File "shop/cart.py", line 3, in total',
  });
  assert.deepEqual(createTextQuery(query.text), query);
});

test('creates a query from the title and the prose', () => {
  const query = createProseQuery(readIssue(ISSUE).sections);
  assert.equal(query.text, '# Cart total is wrong\nIt is too high.\n');
  assert.deepEqual(createTextQuery(query.text), query);
  assert.equal(createProseQuery(readIssue('Title\n```\nx\n```').sections).text, 'Title\n');
});

test('keeps a title that is cut on its own line', () => {
  const title = 'x'.repeat(30_000);
  const { fields } = createProseQuery(readIssue(`${title}\nIt fails.`).sections);
  assert.deepEqual([fields.title.length, fields.text], [20_000, 'It fails.']);
});
