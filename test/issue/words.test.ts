/** Finds names in an issue's code by language, and the words to search for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getSearchedText } from '../../src/engine/issue/sections.ts';
import { getIssueSyntaxes, getLanguages } from '../../src/engine/languages/index.ts';
import { resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from '../search/support.ts';

/** Creates an index of one file with functions of these names. */
const createIndex = (path: string, ...names: string[]) =>
  new MemoryIndex({ [path]: names.map((name, n) => ({ name, lines: [n + 1, n + 1] })) });

function findNames(text: string, index: MemoryIndex): string[] {
  const issue = readIssue(text, getIssueSyntaxes(index.getLanguages()));
  return resolveIssue(issue, index).names.map(({ name }) => name);
}

const fence = (info: string, code: string) => `T\n\`\`\`${info}\n${code}\n\`\`\`\n`;

test('treats keywords as names only if they are written as names', () => {
  const of: Record<string, [path: string, keywords: string[]]> = {
    javascript: ['a.js', ['async', 'try', 'catch', 'this', 'null', 'new', 'function', 'default']],
    typescript: ['a.ts', ['is', 'type', 'as', 'keyof', 'string']],
    java: ['A.java', ['try', 'record', 'synchronized', 'null', 'String']],
    kotlin: ['a.kt', ['fun', 'val', 'const', 'object', 'Int']],
    go: ['a.go', ['error', 'func', 'range', 'string', 'make']],
    rust: ['a.rs', ['match', 'default', 'str', 'String', 'Option']],
    c: ['a.c', ['struct', 'static', 'new', 'register', 'size_t']],
    cpp: ['a.cc', ['class', 'template', 'this', 'union']],
    csharp: ['A.cs', ['async', 'var', 'await', 'string']],
    php: ['a.php', ['echo', 'list', 'function', 'array']],
    ruby: ['a.rb', ['begin', 'rescue', 'loop', 'self']],
  };
  for (const [language, [path, keywords]] of Object.entries(of)) {
    const index = createIndex(path, ...keywords, 'total');
    const bare = keywords.join(' ');
    assert.deepEqual(
      findNames(`${fence('', `${bare}\ntotal`)}\`${bare}\``, index),
      ['total'],
      language,
    );
    const called = keywords.map((word) => `${word}(1)`).join(' ');
    assert.deepEqual(findNames(`T\n${called}\n${fence('', called)}`, index), [], language);
    const meant = keywords.map((word) => `\`${word}()\``).join(' ');
    assert.deepEqual(findNames(`T\n${meant}`, index), keywords, language);
  }
  assert.deepEqual(
    findNames('T\nshop.default and this.catch(1)', createIndex('a.js', 'default', 'catch', 'this')),
    ['shop.default', 'this.catch'],
  );
});

test('has keywords for every language except the one that rankers were trained with', () => {
  for (const { name, issue, monaco } of getLanguages()) {
    assert.equal(issue.words === null, monaco === 'python', name);
    if (issue.words) assert.match(monaco, issue.words.fence, name);
  }
});

test('treats any word of Python code as a possible name', () => {
  const index = new MemoryIndex({
    'a.py': [{ name: 'async' }, { name: 'x' }, { name: 'key' }],
    'b.js': [{ name: 'async' }, { name: 'x' }, { name: 'key' }],
  });
  const issue = readIssue(fence('', 'async x {key: 1}'), getIssueSyntaxes(index.getLanguages()));
  const { names } = resolveIssue(issue, index);
  assert.deepEqual(
    names.map(({ name, slots }) => [name, slots.map((slot) => index.getChunk(slot).path)]),
    [
      ['async', ['a.py']],
      ['x', ['a.py']],
      ['key', ['a.py']],
    ],
  );
});

test('does not treat keys, parameters and attributes as names', () => {
  const js = createIndex('a.js', 'total', 'count', 'onError');
  assert.deepEqual(findNames(fence('js', '{ count: 1, onError: f, total }'), js), ['total']);
  assert.deepEqual(findNames(fence('ts', '(count?: number) => total(count)'), js), [
    'total',
    'count',
  ]);
  assert.deepEqual(findNames('T\nset `count: 0`', js), []);
  assert.deepEqual(findNames('T\n<Cart count="3">\n\n    <Cart count="3">', js), []);
  const c = createIndex('a.c', 'jv_dump');
  assert.deepEqual(findNames(fence('', 'jq: a.c:3: jv_dump: Assertion failed'), c), ['jv_dump']);
});

test('does not treat single letters and words with hyphens as names', () => {
  const js = createIndex('a.js', 'a', 'f', 'Type', 'report', 'type', 'color', 'text');
  assert.deepEqual(findNames(fence('js', 'f(a)'), js), []);
  assert.deepEqual(findNames('T\n`lib.f(a)`', js), ['lib.f']);
  const hyphenated = 'Content-Type, --color, `report-issue`, `-f`, `text/plain`, `a-type`';
  assert.deepEqual(findNames(`T\n${hyphenated}`, js), []);
  assert.deepEqual(findNames('T\nthe `report`-like', js), ['report']);
});

test('finds names only by their form in blocks of other languages', () => {
  const kotlin = createIndex('a.kt', 'active', 'MagicNumber', 'totalOf', 'run');
  const text = 'style:\n  MagicNumber:\n    active # totalOf';
  assert.deepEqual(findNames(fence('yaml', text), kotlin), ['MagicNumber', 'totalOf']);
  assert.deepEqual(findNames(fence('kotlin', 'active'), kotlin), ['active']);
  assert.deepEqual(findNames(fence('diff', '+ active'), kotlin), ['active']);
  assert.deepEqual(findNames(fence('sh', 'run --active\n$ run()'), kotlin), ['run']);
  const c = createIndex('a.c', 'process');
  const trace = '#0 0x5613e8b415a6 in process a.y:4\n    #1 0x5613e8b415a6 in process a.y:4';
  assert.deepEqual(findNames(fence('sh', trace), c), ['process']);
});

test('does not treat packages, threads and labels of compilers as names', () => {
  const java = createIndex('A.java', 'com', 'shop', 'main', 'Cart');
  const text = 'T\nException in thread "main" com.shop.Cart: com.shop.Cart.main()\n';
  assert.deepEqual(findNames(text, java), ['shop.Cart', 'Cart.main']);
  assert.deepEqual(findNames(fence('java', 'package com.shop;\nimport com.shop.Cart;'), java), [
    'shop.Cart',
  ]);
  const rust = createIndex('a.rs', 'error', 'main', 'total');
  const said = "error[E0277]: no `total`\nthread 'main' panicked";
  assert.deepEqual(findNames(fence('', said), rust), ['total']);
});

test('ignores names that many tests and no source files define', () => {
  const files = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${folder}/${n}.go`, [{ name: 'handler' }]]),
    );
  assert.deepEqual(findNames('T\n`handler`', new MemoryIndex(files('examples', 3))), ['handler']);
  assert.deepEqual(findNames('T\n`handler`', new MemoryIndex(files('examples', 4))), []);
  const index = new MemoryIndex({ ...files('examples', 4), ...files('src', 1) });
  assert.deepEqual(findNames('T\n`handler`', index), ['handler']);
});

test('counts the parts of a type in one file as one definition', () => {
  const index = new MemoryIndex({
    'src/a.rs': [
      { name: 'Client', kind: 'class', lines: [1, 3] },
      { name: 'Client', kind: 'class', lines: [4, 9] },
    ],
    'src/b.rs': [{ name: 'Client', kind: 'class', lines: [1, 3] }],
  });
  const [client] = resolveIssue(
    readIssue('T\n`Client`', getIssueSyntaxes(new Set(['rust']))),
    index,
  ).names;
  assert.deepEqual([client?.slots.length, client?.definitions], [3, 2]);
});

test('does not search for keywords of code', () => {
  const searched = (text: string, ...names: string[]) => {
    const syntaxes = getIssueSyntaxes(new Set(names));
    return getSearchedText(readIssue(text, syntaxes).sections, syntaxes)
      .split(/[\s`]+/)
      .filter(Boolean);
  };
  const code = 'return new Total(isNew)';
  assert.deepEqual(searched(fence('js', code), 'javascript'), ['T', 'Total(isNew)']);
  assert.deepEqual(searched(fence('', code), 'javascript'), ['T', 'Total(isNew)']);
  assert.deepEqual(searched(`T\n\n    ${code}\n`, 'javascript'), ['T', 'Total(isNew)']);
  // Without an info string, a keyword must be one in all languages; with one, only in that language.
  assert.deepEqual(searched(fence('', code), 'javascript', 'rust'), ['T', 'new', 'Total(isNew)']);
  assert.deepEqual(searched(fence('js', code), 'javascript', 'python'), ['T', 'Total(isNew)']);
  for (const info of ['', 'python', 'text']) {
    const all = ['T', 'return', 'new', 'Total(isNew)'];
    assert.deepEqual(searched(fence(info, code), 'python'), all);
    assert.deepEqual(searched(fence(info, code), 'python', 'javascript'), all);
  }
  assert.deepEqual(searched(`T\n${code}, in prose`, 'javascript').slice(0, 3), [
    'T',
    'return',
    'new',
  ]);
});

test('does not treat headings, labels and branches as names', () => {
  const js = createIndex(
    'a.js',
    ...['Add', 'Bug', 'Description', 'Error', 'GET', 'Install', 'Kernel', 'Save', 'error', 'main'],
  );
  const ordinary = [
    '**Description**\n\n**Describe the Bug**\n\n**Bug**: none',
    '## Error Message\n\n(Add what you see)\n\n- **Install** it\n- [Add] it',
    'How To Install Then Save Bug Reports',
    'it prints the error(s)\n\n// Add it',
    'we click Save, press the **Save** button, choose "Install", and open the Install tab',
    'open File > Save > Install',
    'on the branch `main`, on `main`, the `main` branch, and latest "main"\n\n    git pull origin main',
    'allows GET on Darwin Kernel Version 16.7.0 and Kernel 16.7',
  ];
  for (const text of ordinary) assert.deepEqual(findNames(`T\n\n${text}`, js), [], text);
  const meant = [
    ['the Description is lost, as **Install** is', 'Description', 'Install'],
    ['## Changes of `Error` and Bug', 'Error', 'Bug'],
    ['`main` fails; it stops in `main`', 'main'],
    ['click `Save`, or call Save()', 'Save'],
  ];
  for (const [text, ...names] of meant) assert.deepEqual(findNames(`T\n\n${text}`, js), names);
});

test('does not treat the words of a sanitizer as names', () => {
  const c = createIndex('a.c', 'address', 'at', 'by', 'main', 'of', 'read', 'size', 'thread');
  const report = [
    '==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x4f',
    'READ of size 4 at 0x602000000014 thread T0',
    '    #0 0x4f2a1b in read a.c:3',
    '0x602000000014 is located 0 bytes to the right of 4-byte region',
    'allocated by thread T0 here:',
    '==7== Invalid read of size 4',
    '==7==    at 0x10919D: main (a.c:3)',
    '==7==    by 0x10919D: main (a.c:9)',
    '==7==  Address 0x0 is not at a thread of this size',
  ];
  assert.deepEqual(findNames(fence('', report.join('\n')), c), ['read', 'main']);
  assert.deepEqual(findNames(fence('', 'size = at'), c), ['size', 'at']);
});

test('does not treat the words of messages and comments in code as names', () => {
  const py = createIndex('a.py', 'call', 'File', 'at', 'number', 'of', 'open', 'path', 'total');
  const messages = [
    'Traceback (most recent call last):',
    '  File "a.py", line 3, in path',
    'OSError: Could not open the path of a file',
    '    at open (a.js:3:9)',
    'Maximum number of clients reached, and one more',
    '# Set the total of this number',
  ];
  assert.deepEqual(findNames(fence('', messages.join('\n')), py), ['path', 'open']);
  const code =
    "x = total if number else path\nmap(of, a)\nraise KeyError('the total of all of it')";
  assert.deepEqual(findNames(fence('', code), py), ['total', 'number', 'path', 'of']);
});
