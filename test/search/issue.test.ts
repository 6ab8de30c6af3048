import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import {
  buildIssueReport,
  limitReportToIndexed,
  resolveIssue,
} from '../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from './support.ts';

const index = new MemoryIndex({
  'django/http/cookie.py': [
    { name: 'parse_cookie', lines: [7, 26] },
    { name: 'fetch', lines: [30, 40] },
  ],
  'django/http/response.py': [
    { name: 'HttpResponse', kind: 'class', lines: [10, 90] },
    { name: 'HttpResponse.set_cookie', lines: [20, 40] },
    { name: 'HttpResponse.close', lines: [50, 60] },
    { name: 'Field', kind: 'class', lines: [100, 120] },
  ],
  'django/http/__init__.py': [],
  'django/db/models/query.py': [
    { name: 'QuerySet', kind: 'class', lines: [1, 80] },
    { name: 'QuerySet.close', lines: [10, 20] },
    { name: 'QuerySet._fetch_all', lines: [30, 40] },
  ],
  'django/utils/query.py': [{ name: 'run', lines: [1, 9] }],
  'setup.py': [],
  'tests/http/test_cookie.py': [{ name: 'parse_cookie', lines: [1, 5] }],
});

/** Returns the report on an issue, after checking that every span quotes the issue. */
function report(text: string) {
  const found = buildIssueReport(
    resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index),
    index,
  );
  const { names, paths, frames } = found;
  for (const { start, end, text: quoted } of [...names, ...paths, ...frames]) {
    assert.equal(text.slice(start, end), quoted);
  }
  return found;
}

const names = (text: string) => report(text).names.map((name) => name.text);
const files = (text: string) => report(text).paths.map((path) => path.files);
const frames = (text: string) =>
  report(text).frames.map(({ line, name, address }) => [line, name, address]);

test('identifiers are recognized by their form', () => {
  assert.deepEqual(names('the parse_cookie of an HttpResponse'), ['parse_cookie', 'HttpResponse']);
  assert.deepEqual(names('see _fetch_all'), ['_fetch_all']);
  assert.deepEqual(names('unknown_name and UnknownName'), []);
});

test('English words are not names, unless they are written as code', () => {
  assert.deepEqual(names('we close the file and fetch and run it'), []);
  assert.deepEqual(names('we call `fetch` and run() it'), ['fetch', 'run']);
  assert.deepEqual(names("getattr(obj, 'close')"), ['close']);
  assert.deepEqual(names('```\nfetch\n```\nrun\n\n    close\n'), ['fetch', 'close']);
  assert.deepEqual(names('{{{\nfetch\n}}}\nrun {{{close}}}'), ['fetch', 'close']);
  assert.deepEqual(names('Field is broken. Field must not be. A Field is.'), ['Field']);
});

test('an owner makes a name more certain', () => {
  const [close] = report('call `close`').names;
  assert.equal(close.definitions, 2);
  const owned = report('HttpResponse.close fails').names;
  assert.deepEqual(
    owned.map(({ text, definitions }) => [text, definitions]),
    [
      ['HttpResponse', 1],
      ['HttpResponse.close', 1],
    ],
  );
  assert.equal(report('response.close fails').names[0].definitions, 2);
});

test('definitions in tests do not make a name less certain', () => {
  assert.equal(report('parse_cookie').names[0].definitions, 1);
});

test('paths are found in every notation', () => {
  const cookie = [['django/http/cookie.py']];
  for (const path of [
    'django/http/cookie.py',
    './django/http/cookie.py',
    'django\\http\\cookie.py',
    'C:\\env\\Lib\\site-packages\\django\\http\\cookie.py',
    '/usr/lib/python3/site-packages/django/http/cookie.py',
    'django/http/cookie.py:123',
    'django/http/cookie.py#L12-L20',
    'https://github.com/django/django/blob/main/django/http/cookie.py#L12',
    '(see django/http/cookie.py).',
    'a/django/http/cookie.py',
    'http/cookie.py',
    'cookie.py',
    'django.http.cookie',
    'django.http.cookie.parse_cookie',
  ]) {
    assert.deepEqual(files(path), cookie, path);
  }
  assert.deepEqual(files('from django.http import x'), [['django/http/__init__.py']]);
  assert.deepEqual(files('query.py'), [['django/db/models/query.py', 'django/utils/query.py']]);
  assert.deepEqual(files('models/query.py'), [['django/db/models/query.py']]);
  assert.deepEqual(files('setup.py'), [['setup.py']]);
});

const lines = (text: string) =>
  report(text).paths.flatMap(({ lines }) => {
    return lines ? [[lines.first, lines.last, ...lines.addresses]] : [];
  });

test('lines in an issue are resolved to a definition', () => {
  const close = 'django/http/response.py::HttpResponse.close';
  const link = 'https://github.com/django/django/blob/abc123/django/http/response.py';
  for (const text of [
    `${link}#L52`,
    `([here](${link}#L52)).`,
    `${link}?plain=1#L52C3-L52C9`,
    'https://gitlab.com/a/b/c/-/blob/feature/x/django/http/response.py#L52',
    'https://codeberg.org/a/b/src/branch/main/django/http/response.py#L52',
    'https://bitbucket.org/a/b/src/0123abc/django/http/response.py#lines-52',
    'https://git.corp/projects/A/repos/b/browse/django/http/response.py?at=main#52',
    '```\nsee response.py#L52\n```',
    'the `response.py`, line 52, is wrong',
    'on line 52 of the file `django/http/response.py`',
    'see http/response.py:52',
  ]) {
    assert.deepEqual(lines(text), [[52, 52, close]], text);
  }
  assert.deepEqual(lines(`${link}#L52-L55`), [[52, 55, close]]);
  assert.deepEqual(lines(`${link}#L55-52`), [[52, 55, close]]);
  assert.deepEqual(lines('response.py (lines 52 to 55)'), [[52, 55, close]]);
});

test('paths are found in any case, except a base name alone', () => {
  assert.deepEqual(files('c:\\work\\Django\\HTTP\\Cookie.py'), [['django/http/cookie.py']]);
  assert.deepEqual(files('Cookie.PY is for cookies, as Setup.py'), []);
  assert.deepEqual(lines('Response.py, line 52, is wrong')[0]?.slice(0, 2), [52, 52]);
  assert.deepEqual(frames('File "C:\\src\\DJANGO\\http\\Cookie.py", line 33, in fetch'), [
    [33, 'fetch', 'django/http/cookie.py::fetch'],
  ]);
  const both = new MemoryIndex({ 'shop/Cart.py': [], 'shop/cart.py': [] });
  const found = resolveIssue(readIssue('see shop/Cart.py', getIssueSyntaxes()), both);
  assert.deepEqual(found.paths[0]?.files, ['shop/Cart.py']);
});

test('lines mean the methods in them, or else the class or the file around them', () => {
  const link = 'https://github.com/django/django/blob/main/django/http/response.py';
  const at = (from: number, to: number) => lines(`${link}#L${from}-L${to}`)[0]?.slice(2);
  const inResponse = (name: string) => `django/http/response.py::${name}`;
  assert.deepEqual(at(15, 55), [
    inResponse('HttpResponse.set_cookie'),
    inResponse('HttpResponse.close'),
  ]);
  assert.deepEqual(at(45, 46), [inResponse('HttpResponse')]);
  assert.deepEqual(at(92, 95), [inResponse('<module>')]);
  assert.deepEqual(at(88, 105), [inResponse('HttpResponse'), inResponse('Field')]);
  assert.deepEqual(at(500, 510), []);
  assert.deepEqual(at(1, 9_999_999)?.length, 2);
});

test('a link to a file at the root is resolved', () => {
  const link = 'https://github.com/django/django/blob/main/setup.py#L1';
  assert.deepEqual(files(link), [['setup.py']]);
  assert.deepEqual(lines(link), [[1, 1, 'setup.py::<module>']]);
});

test('lines of running programs, of other repositories, or in one of several files are not resolved', () => {
  for (const text of [
    'https://github.com/other/app/blob/main/lib/http/response.py#L52',
    'it fails\n\n```\nhttp/response.py:52: warning\n```',
    'at Response (response.py:52)',
    'response.py:52:7: error',
    'query.py#L12',
    'response.py lines up',
    'response.py 52',
    'response.py#fragment',
  ]) {
    assert.deepEqual(lines(text), [], text);
  }
});

test('a file of the same name in another folder is not a file of the repository', () => {
  assert.deepEqual(files('myproject/shop/cookie.py'), []);
  assert.deepEqual(files('nothing.py 1.2 e.g. v1.0/x'), []);
});

test('words of paths and links are not names', () => {
  assert.deepEqual(names('https://example.org/HttpResponse/parse_cookie.html'), []);
  assert.deepEqual(names('lib/parse_cookie/HttpResponse.py'), []);
});

test('Python tracebacks are read', () => {
  const traceback = `
Traceback (most recent call last):
  File "/home/me/app.py", line 3, in <module>
    main()
  File "/env/lib/python3.12/site-packages/django/http/response.py", line 56, in close
    self.fetch()
  File "django/http/cookie.py", line 33, in <listcomp>
  File "django/db/models/query.py", line 500, in _fetch_all
  File "django/db/models/query.py", line 15
ValueError: no`;
  assert.deepEqual(frames(traceback), [
    [3, '<module>', null],
    [56, 'close', 'django/http/response.py::HttpResponse.close'],
    [33, '<listcomp>', 'django/http/cookie.py::fetch'],
    [500, '_fetch_all', 'django/db/models/query.py::QuerySet._fetch_all'],
    [15, '', 'django/db/models/query.py::QuerySet.close'],
  ]);
});

test('quoted tracebacks, and frames of pdb and AutoGraph are read', () => {
  const text = `
File “/env/lib/python3.7/site-packages/django/http/response.py”, line 56, in close
> /env/lib/python3.6/site-packages/django/http/cookie.py(33)fetch()
-> return x
    /env/lib/python3.8/site-packages/django/db/models/query.py:500 _fetch_all  *
        self.run()
See cookie.py(33)x and django/http/cookie.py:12 again.`;
  assert.deepEqual(frames(text), [
    [56, 'close', 'django/http/response.py::HttpResponse.close'],
    [33, 'fetch', 'django/http/cookie.py::fetch'],
    [500, '_fetch_all', 'django/db/models/query.py::QuerySet._fetch_all'],
  ]);
});

test('the name decides between files if only the base name is given', () => {
  assert.deepEqual(frames('File "query.py", line 4, in run'), [
    [4, 'run', 'django/utils/query.py::run'],
  ]);
  assert.deepEqual(frames('File "query.py", line 4, in other'), [[4, 'other', null]]);
  assert.deepEqual(frames('File "shop/query.py", line 4, in run'), [[4, 'run', null]]);
});

test('pytest tracebacks are read', () => {
  const traceback =
    'tests/x.py:1: in test_x\n    go()\ndjango/http/cookie.py:9: in parse_cookie\ndjango/http/cookie.py:33: ValueError\n';
  assert.deepEqual(frames(traceback), [
    [1, 'test_x', null],
    [9, 'parse_cookie', 'django/http/cookie.py::parse_cookie'],
    [33, '', 'django/http/cookie.py::fetch'],
  ]);
});

test('IPython tracebacks are read, old and new ones', () => {
  const old =
    '~/env/django/http/cookie.py in parse_cookie(cookie)\n      7 def parse\n----> 8   raise\n';
  assert.deepEqual(frames(old), [[8, 'parse_cookie', 'django/http/cookie.py::parse_cookie']]);
  const recent = 'File ~/env/django/http/cookie.py:31, in fetch(x)\n     30 def\n---> 31 raise\n';
  assert.deepEqual(frames(recent), [[31, 'fetch', 'django/http/cookie.py::fetch']]);
});

test('the title is the first line that is not blank', () => {
  assert.equal(report('\n\n## Cookies are lost\nbody').title, 'Cookies are lost');
  assert.equal(report('').title, '');
});

test('notes report problems with an issue', () => {
  assert.deepEqual(report('').notes, ['The issue is empty.']);
  assert.deepEqual(report(' \n\t').notes, ['The issue is empty.']);
  assert.deepEqual(report('parse_cookie fails').notes, []);
  assert.match(report('it fails').notes[0], /^No function or file names recognized\.$/);
  assert.match(report('\u0000\u0001\ufffd'.repeat(50)).notes[0], /binary/);
  assert.match(report('File "/x/y.py", line 1, in f').notes[0], /No frame/);
});

test('an issue without words says what it has instead, and its address is not searched for', () => {
  const attachment = 'https://github.com/user-attachments/assets/0b1c-cookie';
  const link = 'https://example.org/cookies/HttpResponse?set_cookie';
  for (const [text, only] of [
    [attachment, 'picture'],
    [`![Cookie](${attachment})\n`, 'picture'],
    [`### Describe the bug\n\n<img width="300" alt="cookie" src="${attachment}" />`, 'picture'],
    [`[![cookie](https://example.org/cookie.png)](${link})`, 'picture'],
    [`<!-- Search first. -->\n${link}`, 'link'],
    [`- <${link}>\n- ${link}`, 'link'],
    ['https://github.com/django/django/issues/12', 'link'],
  ] as const) {
    const { notes, title, rare, names } = report(text);
    assert.deepEqual(
      { notes, title, rare, names },
      {
        notes: [`The issue has only a ${only}. Describe the problem in words.`],
        title: '',
        rare: [],
        names: [],
      },
      text,
    );
  }
  assert.doesNotMatch(report(`Cookies vanish\n![](${attachment})`).notes.join(), /only a/);
});

test('a permalink alone is a mention', () => {
  const path = 'django/http/cookie.py';
  const { notes, title, paths } = report(`https://github.com/django/django/blob/main/${path}#L7`);
  assert.deepEqual(notes, []);
  assert.equal(title, path);
  assert.deepEqual(paths[0]?.lines?.addresses, [`${path}::parse_cookie`]);
});

test('of a very long issue, all is searched for names, and the beginning and the end for words', () => {
  const log = Array.from({ length: 10_000 }, (_, n) => `w${n.toString(36)}x is well\n`).join('');
  const found = report(`parse_cookie\n${log}HttpResponse\n${log}set_cookie`);
  assert.deepEqual(
    found.names.map(({ text }) => text),
    ['parse_cookie', 'HttpResponse', 'set_cookie'],
  );
  assert.deepEqual(found.notes, []);
  const words = Array.from({ length: 60_000 }, (_, n) => `w${n.toString(36)}x\n`).join('');
  assert.match(report(words).notes[0], /150,000 and the last 50,000/);
});

test('of a very long line, the beginning is used for words, and all for names', () => {
  const data = `"${'x '.repeat(30_000)} HttpResponse"`;
  const text = `set_cookie fails\n\`\`\`\n${data}\ncookie\n\`\`\`\n${data}\nparse_cookie`;
  const found = report(text);
  assert.deepEqual(
    found.names.map((name) => name.text),
    ['set_cookie', 'HttpResponse', 'HttpResponse', 'parse_cookie'],
  );
  assert.match(found.notes[0], /^2 lines .* longer than 20,000 .* only for names/);
  assert.doesNotMatch(report('short\nlines').notes.join(), /longer/);
  assert.deepEqual(
    found.blocks.map(({ end }) => text.slice(end - 10, end)),
    ['cookie\n```'],
    'a block goes on after a very long line',
  );
});

test('unusual issues are read in reasonable time', () => {
  const units = [
    'a',
    'A',
    '_',
    '.',
    '/',
    '\\',
    '`',
    '{{{',
    '"',
    "'",
    'a.',
    'a/',
    'a\\',
    './',
    '//',
    'File "',
    'File a',
    '> ',
    'E ',
    'a.py:1: ',
    'a.py in f(\n',
    'http://',
    '\n',
    '\n\t',
    '    ',
    '```\n',
    '文',
    '\ud83d',
    '\u0000',
    '-->',
    '1',
    'x.py',
    'from a import ',
    'from a import b, ',
    'import a, ',
    'x = a(',
    'Error: ',
    '<!--',
    '# a ',
    '**a',
    'a: 1.2',
    '>>> a.b(\n',
  ];
  for (const unit of units) {
    const text = unit.repeat(200_000 / unit.length);
    assert.equal(report(text).length, text.length);
  }
});

test('while indexing, the note on missing names says how many files are indexed', () => {
  const notes = (text: string) => limitReportToIndexed(report(text), { read: 714, of: 2100 }).notes;
  assert.deepEqual(notes('Nothing of this is anywhere'), [
    'No function or file names recognized in the 714 of 2,100 files indexed so far.',
  ]);
  assert.deepEqual(notes('`parse_cookie` is wrong'), []);
  // The frame's file, and marked functions, may only be missing so far.
  assert.deepEqual(notes('`parse_cookie` is wrong\n  File "/x/y.py", line 3, in z\n'), []);
});

test('files and lines that the repository does not have are said', () => {
  const doubts = (text: string) =>
    report(text).notes.filter((note) => note.endsWith('another version.'));
  assert.deepEqual(doubts('parse_cookie in http/biscuit.py and in `http/cookie.py:900`'), [
    '`http/biscuit.py` is not in this repository. The issue may be about another version.',
    'No definition in `django/http/cookie.py` contains line 900. The issue may be about another version.',
  ]);
  for (const text of [
    'see http/cookie.py:8',
    'see biscuit.py',
    'see requests/biscuit.py',
    'see /usr/lib/python3/http/biscuit.py',
    'see https://example.test/http/biscuit.py',
    'see docs/biscuit.png',
    '```\nFile "http/biscuit.py", line 3\n```',
  ])
    assert.deepEqual(doubts(text), [], text);
});
