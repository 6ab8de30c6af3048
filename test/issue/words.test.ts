/** What of an issue's code is no name, by language, and which of its words are searched for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { searchedText } from '../../src/engine/issue/sections.ts';
import { issueSyntaxes, languages } from '../../src/engine/languages/index.ts';
import { resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from '../search/support.ts';

/** A repository of one file with functions of these names. */
const having = (path: string, ...names: string[]) =>
  new MemoryIndex({ [path]: names.map((name, n) => ({ name, lines: [n + 1, n + 1] })) });

function namesOf(text: string, index: MemoryIndex): string[] {
  const issue = readIssue(text, issueSyntaxes(index.languages()));
  return resolveIssue(issue, index).names.map(({ name }) => name);
}

const fenced = (info: string, code: string) => `T\n\`\`\`${info}\n${code}\n\`\`\`\n`;

test('keywords are names only where they are written as one', () => {
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
    const index = having(path, ...keywords, 'total');
    const bare = keywords.join(' ');
    assert.deepEqual(
      namesOf(`${fenced('', `${bare}\ntotal`)}\`${bare}\``, index),
      ['total'],
      language,
    );
    const called = keywords.map((word) => `${word}(1)`).join(' ');
    assert.deepEqual(namesOf(`T\n${called}\n${fenced('', called)}`, index), [], language);
    const meant = keywords.map((word) => `\`${word}()\``).join(' ');
    assert.deepEqual(namesOf(`T\n${meant}`, index), keywords, language);
  }
  assert.deepEqual(
    namesOf('T\nshop.default and this.catch(1)', having('a.js', 'default', 'catch', 'this')),
    ['shop.default', 'this.catch'],
  );
});

test('every language but the one that rankers learned from has its words', () => {
  for (const { name, issue, monaco } of languages()) {
    assert.equal(issue.words === null, name === 'python', name);
    if (issue.words) assert.match(monaco, issue.words.fence, name);
  }
});

test('any word of Python code may be a name, whatever other languages say', () => {
  const index = new MemoryIndex({
    'a.py': [{ name: 'async' }, { name: 'x' }, { name: 'key' }],
    'b.js': [{ name: 'async' }, { name: 'x' }, { name: 'key' }],
  });
  const issue = readIssue(fenced('', 'async x {key: 1}'), issueSyntaxes(index.languages()));
  const { names } = resolveIssue(issue, index);
  assert.deepEqual(
    names.map(({ name, slots }) => [name, slots.map((slot) => index.chunk(slot).path)]),
    [
      ['async', ['a.py']],
      ['x', ['a.py']],
      ['key', ['a.py']],
    ],
  );
});

test('keys, parameters and attributes are no uses', () => {
  const js = having('a.js', 'total', 'count', 'onError');
  assert.deepEqual(namesOf(fenced('js', '{ count: 1, onError: f, total }'), js), ['total']);
  assert.deepEqual(namesOf(fenced('ts', '(count?: number) => total(count)'), js), [
    'total',
    'count',
  ]);
  assert.deepEqual(namesOf('T\nset `count: 0`', js), []);
  assert.deepEqual(namesOf('T\n<Cart count="3">\n\n    <Cart count="3">', js), []);
  const c = having('a.c', 'jv_dump');
  assert.deepEqual(namesOf(fenced('', 'jq: a.c:3: jv_dump: Assertion failed'), c), ['jv_dump']);
});

test('single letters and words with hyphens are no names', () => {
  const js = having('a.js', 'a', 'f', 'Type', 'report', 'type', 'color', 'text');
  assert.deepEqual(namesOf(fenced('js', 'f(a)'), js), []);
  assert.deepEqual(namesOf('T\n`lib.f(a)`', js), ['lib.f']);
  const hyphenated = 'Content-Type, --color, `report-issue`, `-f`, `text/plain`, `a-type`';
  assert.deepEqual(namesOf(`T\n${hyphenated}`, js), []);
  assert.deepEqual(namesOf('T\nthe `report`-like', js), ['report']);
});

test('a block of what is no code of the repository has names by their form alone', () => {
  const kotlin = having('a.kt', 'active', 'MagicNumber', 'totalOf', 'run');
  const text = 'style:\n  MagicNumber:\n    active # totalOf';
  assert.deepEqual(namesOf(fenced('yaml', text), kotlin), ['MagicNumber', 'totalOf']);
  assert.deepEqual(namesOf(fenced('kotlin', 'active'), kotlin), ['active']);
  assert.deepEqual(namesOf(fenced('diff', '+ active'), kotlin), ['active']);
  assert.deepEqual(namesOf(fenced('sh', 'run --active\n$ run()'), kotlin), ['run']);
  const c = having('a.c', 'process');
  const trace = '#0 0x5613e8b415a6 in process a.y:4\n    #1 0x5613e8b415a6 in process a.y:4';
  assert.deepEqual(namesOf(fenced('sh', trace), c), ['process']);
});

test('packages of classes, threads and marks of compilers are no names', () => {
  const java = having('A.java', 'com', 'shop', 'main', 'Cart');
  const text = 'T\nException in thread "main" com.shop.Cart: com.shop.Cart.main()\n';
  assert.deepEqual(namesOf(text, java), ['shop.Cart', 'Cart.main']);
  assert.deepEqual(namesOf(fenced('java', 'package com.shop;\nimport com.shop.Cart;'), java), [
    'shop.Cart',
  ]);
  const rust = having('a.rs', 'error', 'main', 'total');
  const said = "error[E0277]: no `total`\nthread 'main' panicked";
  assert.deepEqual(namesOf(fenced('', said), rust), ['total']);
});

test('what many tests and no source define is no name', () => {
  const files = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`${folder}/${n}.go`, [{ name: 'handler' }]]),
    );
  assert.deepEqual(namesOf('T\n`handler`', new MemoryIndex(files('examples', 3))), ['handler']);
  assert.deepEqual(namesOf('T\n`handler`', new MemoryIndex(files('examples', 4))), []);
  const index = new MemoryIndex({ ...files('examples', 4), ...files('src', 1) });
  assert.deepEqual(namesOf('T\n`handler`', index), ['handler']);
});

test('the parts of one type are one definition', () => {
  const index = new MemoryIndex({
    'src/a.rs': [
      { name: 'Client', kind: 'class', lines: [1, 3] },
      { name: 'Client', kind: 'class', lines: [4, 9] },
    ],
    'src/b.rs': [{ name: 'Client', kind: 'class', lines: [1, 3] }],
  });
  const [client] = resolveIssue(
    readIssue('T\n`Client`', issueSyntaxes(new Set(['rust']))),
    index,
  ).names;
  assert.deepEqual([client?.slots.length, client?.definitions], [3, 2]);
});

test('keywords of code are not searched for', () => {
  const searched = (text: string, ...names: string[]) => {
    const syntaxes = issueSyntaxes(new Set(names));
    return searchedText(readIssue(text, syntaxes).sections, syntaxes)
      .split(/[\s`]+/)
      .filter(Boolean);
  };
  const code = 'return new Total(isNew)';
  assert.deepEqual(searched(fenced('js', code), 'javascript'), ['T', 'Total(isNew)']);
  assert.deepEqual(searched(fenced('', code), 'javascript'), ['T', 'Total(isNew)']);
  assert.deepEqual(searched(`T\n\n    ${code}\n`, 'javascript'), ['T', 'Total(isNew)']);
  // A keyword of all that it may be; where the block says what it is, of that.
  assert.deepEqual(searched(fenced('', code), 'javascript', 'rust'), ['T', 'new', 'Total(isNew)']);
  assert.deepEqual(searched(fenced('js', code), 'javascript', 'python'), ['T', 'Total(isNew)']);
  for (const info of ['', 'python', 'text']) {
    const all = ['T', 'return', 'new', 'Total(isNew)'];
    assert.deepEqual(searched(fenced(info, code), 'python'), all);
    assert.deepEqual(searched(fenced(info, code), 'python', 'javascript'), all);
  }
  assert.deepEqual(searched(`T\n${code}, in prose`, 'javascript').slice(0, 3), [
    'T',
    'return',
    'new',
  ]);
});
