import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { createIssueQuery } from '../../src/engine/issue/queries.ts';

const readSections = (text: string) => readIssue(text).sections;
/** Returns the kind and first line of each section that is not blank. */
const readKinds = (text: string) =>
  readSections(text)
    .filter((section) => section.text.trim() !== '')
    .map(({ kind, text }) => [kind, text.trim().split('\n', 1)[0]]);

test('classifies a report in Markdown', () => {
  const issue = `Cookies are lost
<!-- Thanks for
your report! -->
### Describe the bug
A redirect drops them.

**To Reproduce**
\`\`\`python
import shop
shop.get('/')
\`\`\`
#### Actual results
\`\`\`
Traceback (most recent call last):
  File "shop/cart.py", line 3, in total
    return x
re.error: bad escape
\`\`\`
- [x] I searched for it
### Versions
Linux, whatever
numpy 1.13.1
## Why it matters
Orders fail.`;
  assert.deepEqual(readKinds(issue), [
    ['title', 'Cookies are lost'],
    ['noise', '<!-- Thanks for'],
    ['prose', 'A redirect drops them.'],
    ['noise', '**To Reproduce**'],
    ['code', 'import shop'],
    ['noise', '```'],
    ['traceback', 'Traceback (most recent call last):'],
    ['noise', '```'],
    ['prose', '## Why it matters'],
  ]);
});

test('leaves out user, host and folder of a shell prompt', () => {
  const issue = `The cart is empty
ann@desk:~/shop-of-ann (main)$ shop total
[root@host shop-of-ann]# shop list
(env) ann@10.0.0.1:/tmp/shop-of-ann# shop clear
$ shop help
ann@example.com: it costs 5$ or so
Ask ann@desk:~/shop $ now`;
  assert.deepEqual(readKinds(issue), [
    ['title', 'The cart is empty'],
    ['code', '$ shop total'],
    ['prose', 'ann@example.com: it costs 5$ or so'],
  ]);
  const [, code] = readSections(issue);
  const typed = code?.text.split('\n').map((line) => line.trim());
  assert.deepEqual(typed, ['$ shop total', '$ shop list', '$ shop clear', '$ shop help', '']);
  assert.equal(code?.text.length, issue.indexOf('ann@example') - issue.indexOf('ann@desk'));
});

test('treats keys, certificates and other encoded bytes as noise', () => {
  const line = 'MIIFWTCCA0GgAwIBAgIUW4b6bPPPyRAm0DrDKKJJ8YlSqOkwDQYJKoZIhvcNAQEL';
  const issue = `The certificate is lost
\`\`\`
-----BEGIN CERTIFICATE-----
Proc-Type: 4,ENCRYPTED

${line}
h5BvtLZEjAtAP6q1Al0=
-----END CERTIFICATE-----
load(certificate)
\`\`\`
> ${line}
ATestOfAVeryLongNameThatIsNoKeyAndHasNoMoreThanTwo2Digits1AtAll
-----BEGIN KEY-----
This is a sentence.
AbCdEf12`;
  assert.deepEqual(readKinds(issue), [
    ['title', 'The certificate is lost'],
    ['noise', '```'],
    ['code', 'load(certificate)'],
    ['noise', '```'],
    ['prose', 'ATestOfAVeryLongNameThatIsNoKeyAndHasNoMoreThanTwo2Digits1AtAll'],
    ['noise', '-----BEGIN KEY-----'],
    ['prose', 'This is a sentence.'],
  ]);
});

test("treats headings of GitHub's templates and questions about the machine as noise", () => {
  const issue = `Carts of two shops
**Is your feature request related to a problem? Please describe.**
Totals differ.
**Describe the solution you'd like**
One total.
**Describe alternatives you’ve considered**
Two carts.
### Observed behavior
They differ.
### Error messages
No total.
#### Which version of the shop are you using (\`shop --version\`)?
1.2.3, where taxes are lost.
#### What operating system (Linux, Windows, …) and version?
The last one.
#### Environment
Linux
#### If something does not add up, such as taxes: can you show what the till says, and all that was bought?
The till says 3.
#### Which version of the total is right?
The first.`;
  assert.deepEqual(
    readKinds(issue).filter(([kind]) => kind !== 'noise'),
    [
      ['title', 'Carts of two shops'],
      ['prose', 'Totals differ.'],
      ['prose', 'One total.'],
      ['prose', 'Two carts.'],
      ['prose', 'They differ.'],
      ['prose', 'No total.'],
      ['prose', '1.2.3, where taxes are lost.'],
      ['prose', 'The last one.'],
      [
        'prose',
        '#### If something does not add up, such as taxes: can you show what the till says, and all that was bought?',
      ],
    ],
  );
});

test('classifies a Trac ticket without markup', () => {
  const issue = `Total is rounded
Description
\t
\t\t(last modified by A. Person)
With a discount it is wrong:
from shop import Cart
class Mine(Cart):
\tsize = 3
>>> Cart(1).total
...
Traceback (most recent call last):
 File "shop/cart.py", line 3, in total
\treturn x
ValueError: not a price
This should not happen.`;
  assert.deepEqual(readKinds(issue), [
    ['title', 'Total is rounded'],
    ['noise', 'Description'],
    ['noise', '(last modified by A. Person)'],
    ['prose', 'With a discount it is wrong:'],
    ['code', 'from shop import Cart'],
    ['traceback', 'Traceback (most recent call last):'],
    ['prose', 'This should not happen.'],
  ]);
});

test('keeps a heading with words that are not from a template', () => {
  assert.deepEqual(readKinds('T\n## Steps\n## Cart.total is rounded\nExpected behavior:\n')[2], [
    'prose',
    '## Cart.total is rounded',
  ]);
});

test('treats placeholders of a template as noise, but not answers', () => {
  for (const line of [
    'A clear and concise description of what the bug is.',
    '*A clear and concise description of what you expected to happen.*',
    "> A clear and concise description of what the problem is. Ex. I'm always frustrated when [...]",
    'A clear and concise description of any alternative solutions or features you’ve considered.\r',
    'If applicable, add screenshots to help explain your problem.',
    'Add any other context or screenshots about the feature request here.',
  ])
    assert.deepEqual(readKinds(`T\n${line}\n`)[1]?.[0], 'noise', line);
  for (const line of [
    'A clear and concise description of what the bug is. Totals are rounded.',
    'If applicable, add screenshots to the total.',
  ])
    assert.deepEqual(readKinds(`T\n${line}\n`)[1]?.[0], 'prose', line);
});

test('does not treat a report in one line as a list of versions', () => {
  const report =
    'The first field is selected, and when one deletes the selection the next one is not. '.repeat(
      2,
    );
  for (const begin of ['Version: 3.2.0 Build id: I20060602-1317', 'OS: Linux', 'Java: 11'])
    assert.deepEqual(readKinds(`T\n${begin} ${report}`)[1]?.[0], 'prose', begin);
  const machine =
    'Platform: Linux 9000119697 4.15.0-36-generic #39-Ubuntu SMP Mon Sep 24 16:19:09 UTC 2018 x86_64';
  assert.deepEqual(readKinds(`T\n${machine}\n`)[1], ['noise', machine]);
});

test('recognizes a traceback below the heading of an environment', () => {
  const trace = 'Traceback (most recent call last):';
  const issue = `T\n### Environment\nPython 3.9\n\`\`\`\n${trace}\n  File "shop/cart.py", line 3, in total\n\`\`\`\n`;
  assert.deepEqual(readKinds(issue).find(([kind]) => kind === 'traceback')?.[1], trace);
});

test('ends a comment of a template even in a very long line', () => {
  const comment = `<!-- ${'Please search first. '.repeat(20)}-->`;
  const issue = `T\n${comment}\nThe total is wrong.`;
  assert.deepEqual(readKinds(issue).at(-1), ['prose', 'The total is wrong.']);
});

test('ignores names in comments of a template', () => {
  const issue =
    'T\n<!--\nRun `shop.show_versions()`, see `docs/help.py`\n-->\n<!-- `Cart.help` --> `Cart.total` fails.\n';
  const { names, paths } = readIssue(issue).mentions;
  assert.deepEqual(
    names.map(({ span }) => span.text),
    ['Cart', 'Cart.total'],
  );
  assert.deepEqual(new Set(paths.map(({ span }) => span.text)), new Set(['Cart.total']));
  for (const { span } of names) assert.equal(issue.slice(span.start, span.end), span.text);
});

test('covers all text that is read with sections at the right positions', () => {
  const issue = 'A\n\n```\ncode\n```\n\tx = 1\nprose';
  assert.equal(
    readSections(issue)
      .map(({ text }) => text)
      .join(''),
    issue,
  );
  for (const { start, text } of readSections(issue)) {
    assert.equal(issue.slice(start, start + text.length), text);
  }
});

test('leaves templates and versions out of the query of an encoder', () => {
  const issue = '\n\nTitle\n### Expected behavior\nIt works.\n### Environment\nLinux';
  const { text } = createIssueQuery(readSections(issue));
  assert.deepEqual(text.split('\n').filter(Boolean), ['Title', 'It works.']);
  assert.equal(createIssueQuery(readSections('')).text, '');
});
