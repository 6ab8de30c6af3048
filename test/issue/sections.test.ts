import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { issueQuery } from '../../src/engine/issue/queries.ts';

const sections = (text: string) => readIssue(text).sections;
/** Kind and first line of each section that is more than blank. */
const kinds = (text: string) =>
  sections(text)
    .filter((section) => section.text.trim() !== '')
    .map(({ kind, text }) => [kind, text.trim().split('\n', 1)[0]]);

test('a report in Markdown', () => {
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
  assert.deepEqual(kinds(issue), [
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

test("a shell's prompt is who typed, not what", () => {
  const issue = `The cart is empty
ann@desk:~/shop-of-ann (main)$ shop total
[root@host shop-of-ann]# shop list
(env) ann@10.0.0.1:/tmp/shop-of-ann# shop clear
$ shop help
ann@example.com: it costs 5$ or so
Ask ann@desk:~/shop $ now`;
  assert.deepEqual(kinds(issue), [
    ['title', 'The cart is empty'],
    ['code', '$ shop total'],
    ['prose', 'ann@example.com: it costs 5$ or so'],
  ]);
  const [, code] = sections(issue);
  const typed = code?.text.split('\n').map((line) => line.trim());
  assert.deepEqual(typed, ['$ shop total', '$ shop list', '$ shop clear', '$ shop help', '']);
  assert.equal(code?.text.length, issue.indexOf('ann@example') - issue.indexOf('ann@desk'));
});

test('keys, certificates and other encoded bytes', () => {
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
  assert.deepEqual(kinds(issue), [
    ['title', 'The certificate is lost'],
    ['noise', '```'],
    ['code', 'load(certificate)'],
    ['noise', '```'],
    ['prose', 'ATestOfAVeryLongNameThatIsNoKeyAndHasNoMoreThanTwo2Digits1AtAll'],
    ['noise', '-----BEGIN KEY-----'],
    ['prose', 'This is a sentence.'],
  ]);
});

test("headings of GitHub's own templates, and questions about the machine", () => {
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
    kinds(issue).filter(([kind]) => kind !== 'noise'),
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

test('a ticket without marks, as Trac has it', () => {
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
  assert.deepEqual(kinds(issue), [
    ['title', 'Total is rounded'],
    ['noise', 'Description'],
    ['noise', '(last modified by A. Person)'],
    ['prose', 'With a discount it is wrong:'],
    ['code', 'from shop import Cart'],
    ['traceback', 'Traceback (most recent call last):'],
    ['prose', 'This should not happen.'],
  ]);
});

test('a heading with words of its own stays', () => {
  assert.deepEqual(kinds('T\n## Steps\n## Cart.total is rounded\nExpected behavior:\n')[2], [
    'prose',
    '## Cart.total is rounded',
  ]);
});

test('what a template has where an answer is to stand is noise, and an answer is none', () => {
  for (const line of [
    'A clear and concise description of what the bug is.',
    '*A clear and concise description of what you expected to happen.*',
    "> A clear and concise description of what the problem is. Ex. I'm always frustrated when [...]",
    'A clear and concise description of any alternative solutions or features you’ve considered.\r',
    'If applicable, add screenshots to help explain your problem.',
    'Add any other context or screenshots about the feature request here.',
  ])
    assert.deepEqual(kinds(`T\n${line}\n`)[1]?.[0], 'noise', line);
  for (const line of [
    'A clear and concise description of what the bug is. Totals are rounded.',
    'If applicable, add screenshots to the total.',
  ])
    assert.deepEqual(kinds(`T\n${line}\n`)[1]?.[0], 'prose', line);
});

test('a report in one line is no list of versions, whatever it begins with', () => {
  const report =
    'The first field is selected, and when one deletes the selection the next one is not. '.repeat(
      2,
    );
  for (const begin of ['Version: 3.2.0 Build id: I20060602-1317', 'OS: Linux', 'Java: 11'])
    assert.deepEqual(kinds(`T\n${begin} ${report}`)[1]?.[0], 'prose', begin);
  const machine =
    'Platform: Linux 9000119697 4.15.0-36-generic #39-Ubuntu SMP Mon Sep 24 16:19:09 UTC 2018 x86_64';
  assert.deepEqual(kinds(`T\n${machine}\n`)[1], ['noise', machine]);
});

test('a traceback is one below the heading of an environment too', () => {
  const trace = 'Traceback (most recent call last):';
  const issue = `T\n### Environment\nPython 3.9\n\`\`\`\n${trace}\n  File "shop/cart.py", line 3, in total\n\`\`\`\n`;
  assert.deepEqual(kinds(issue).find(([kind]) => kind === 'traceback')?.[1], trace);
});

test('a comment of a template ends where it ends, however long its line is', () => {
  const comment = `<!-- ${'Please search first. '.repeat(20)}-->`;
  const issue = `T\n${comment}\nThe total is wrong.`;
  assert.deepEqual(kinds(issue).at(-1), ['prose', 'The total is wrong.']);
});

test('what a comment of a template names is not named', () => {
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

test('sections are all of the text that is read, each where it says', () => {
  const issue = 'A\n\n```\ncode\n```\n\tx = 1\nprose';
  assert.equal(
    sections(issue)
      .map(({ text }) => text)
      .join(''),
    issue,
  );
  for (const { start, text } of sections(issue)) {
    assert.equal(issue.slice(start, start + text.length), text);
  }
});

test('an encoder is given neither templates nor versions, and the title first', () => {
  const issue = '\n\nTitle\n### Expected behavior\nIt works.\n### Environment\nLinux';
  const { text } = issueQuery(sections(issue));
  assert.deepEqual(text.split('\n').filter(Boolean), ['Title', 'It works.']);
  assert.equal(issueQuery(sections('')).text, '');
});
