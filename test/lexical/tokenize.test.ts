import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countQueryTerms,
  countTerms,
  FIELD_NAMES,
  type TermCounts,
} from '../../src/engine/lexical/tokenize.ts';
import type { ParsedChunk } from '../../src/engine/parse/types.ts';

const listTerms = (text: string) => [...countQueryTerms(text).keys()];

test('splits an identifier into its parts and itself', () => {
  assert.deepEqual(listTerms('parse_http_date'), ['parse', 'http', 'date', 'parse_http_date']);
  assert.deepEqual(listTerms('HttpResponse'), ['http', 'response', 'httpresponse']);
  assert.deepEqual(listTerms('HTTPResponse'), ['http', 'response', 'httpresponse']);
  assert.deepEqual(listTerms('getURL2path'), ['get', 'url', '2', 'path', 'geturl2path']);
  assert.deepEqual(listTerms('a.bC.d'), ['a', 'b', 'c', 'bc', 'd']);
});

test('returns one term for a plain word, whatever its case and underscores', () => {
  assert.deepEqual(listTerms('cookie Cookie COOKIE _cookie __cookie__'), ['cookie']);
  assert.equal(countQueryTerms('cookie Cookie COOKIE').get('cookie'), 3);
});

test('recognizes words in other scripts', () => {
  assert.deepEqual(listTerms('naïve Größe_É Ошибка 文字列 e\u0301tude'), [
    'naïve',
    'größe',
    'é',
    'größe_é',
    'ошибка',
    '文字',
    '字列',
    '文字列',
    'e\u0301tude',
  ]);
});

test('splits runs of Chinese, Japanese and Korean into bigrams, and adds short runs', () => {
  assert.deepEqual(listTerms('寻路服务'), ['寻路', '路服', '服务', '寻路服务']);
  assert.deepEqual(listTerms('ユーザー登録'), [
    'ユー',
    'ーザ',
    'ザー',
    'ー登',
    '登録',
    'ユーザー登録',
  ]);
  assert.deepEqual(listTerms('경로탐색'), ['경로', '로탐', '탐색', '경로탐색']);
  assert.deepEqual(listTerms('件 日本'), ['件', '日本']);
  assert.deepEqual(listTerms('get用户List'), ['get', '用户', 'list', 'get用户list']);
  const sentence = '大地图上的寻路服务在没有路径的时候不返回任何结果';
  assert.ok(!listTerms(sentence).includes(sentence), 'a sentence is not a name');
});

test('finds names of Chinese, Japanese and Korean in sentences without spaces', () => {
  for (const [name, sentence] of [
    ['寻路服务', '大地图上寻路服务不返回结果，请修复。'],
    ['ユーザー登録', '空のメールアドレスでユーザー登録を行うと例外が発生します。'],
    ['경로탐색서비스', '지도가 크면 경로탐색서비스가 실패합니다.'],
  ] as const) {
    const terms = new Set(listTerms(sentence));
    const bigrams = listTerms(name).filter(({ length }) => length === 2);
    assert.ok(bigrams.length >= 3, name);
    assert.deepEqual(
      bigrams.filter((term) => !terms.has(term)),
      [],
      name,
    );
  }
});

test('reads sentences without spaces of any length', () => {
  const terms = listTerms(`${'长'.repeat(1000)}寻路服务`);
  assert.deepEqual(terms, ['长长', '长寻', '寻路', '路服', '服务']);
});

test('leaves out numbers, addresses and encoded data', () => {
  assert.deepEqual(listTerms('123456 1234567 0x7ffee4 0x'), ['123456', '0', 'x', '0x']);
  assert.deepEqual(listTerms('QUJD'.repeat(100)), []);
  assert.deepEqual(listTerms(`${'very_long_name_'.repeat(6)}end`), ['very', 'long', 'name', 'end']);
});

test('returns no terms for text without words', () => {
  assert.deepEqual(listTerms(''), []);
  assert.deepEqual(listTerms('___ \n\t () 😀 \u0000\ud800'), []);
});

test('limits counts to 255', () => {
  assert.equal(countQueryTerms('x '.repeat(1000)).get('x'), 255);
});

test('distinguishes many terms', () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `w${i}w`).join(' ');
  const found = countQueryTerms(text);
  for (let i = 0; i < 20_000; i++) assert.equal(found.get(`w${i}w`), 1);
});

test('counts the terms of each chunk by field', () => {
  const header = 'class Jar:\n    def put(self, cookie):\n';
  const doc = '        """Store a cookie."""\n';
  const method = createChunk(
    'Jar.put',
    'method',
    `${header}${doc}        self.items[cookie.name] = cookie\n`,
    {
      signatureEnd: header.length,
      doc: [header.length, header.length + doc.length],
    },
  );
  const counts = countTerms('http/cookie_jar.py', [
    createChunk('<module>', 'module', 'import os\n'),
    method,
  ]);
  assert.deepEqual(readCounts(counts, 0), {
    path: { http: 1, cookie: 1, jar: 1, cookie_jar: 1 },
    body: { import: 1, os: 1 },
  });
  assert.deepEqual(readCounts(counts, 1), {
    path: { http: 1, cookie: 1, jar: 1, cookie_jar: 1 },
    name: { jar: 1, put: 1 },
    signature: { class: 1, jar: 1, def: 1, put: 1, self: 1, cookie: 1 },
    docstring: { store: 1, a: 1, cookie: 1 },
    body: { self: 1, items: 1, cookie: 2, name: 1 },
  });
});

test('returns no counts for a file without chunks', () => {
  const counts = countTerms('a.py', []);
  assert.deepEqual([counts.terms, [...counts.offsets], counts.entries.length], [[], [0], 0]);
});

function createChunk(
  qualifiedName: string,
  kind: ParsedChunk['kind'],
  text: string,
  rest: Partial<ParsedChunk> = {},
): ParsedChunk {
  const name = qualifiedName.split('.').at(-1)!;
  const place = { ordinal: 0, startLine: 1, endLine: 1, parent: -1 };
  return { qualifiedName, name, kind, text, signatureEnd: 0, doc: null, ...place, ...rest };
}

/** Returns a chunk's counts by field name and term. */
function readCounts(counts: TermCounts, i: number): Record<string, Record<string, number>> {
  const fields: Record<string, Record<string, number>> = {};
  for (const entry of counts.entries.subarray(counts.offsets[i], counts.offsets[i + 1])) {
    const field = FIELD_NAMES[(entry >>> 8) & 7]!;
    fields[field] ??= {};
    fields[field][counts.terms[entry >>> 11]!] = entry & 255;
  }
  return fields;
}

test('returns the right terms for texts of any size in any order', () => {
  const words = (count: number, first: string) =>
    Array.from({ length: count }, (_, i) => `${first}${String.fromCharCode(97 + (i % 26))}x${i}`);
  for (const count of [3, 30_000, 5, 2000, 600, 1, 400, 0, 3000]) {
    const terms = countQueryTerms(words(count, 'w').join(' '));
    const parts = new Set(words(count, 'w').flatMap((word) => [...countQueryTerms(word).keys()]));
    assert.deepEqual(new Set(terms.keys()), parts);
  }
});

test('splits names of many languages', () => {
  const given: Record<string, string> = {
    HTTPServer2: 'http server 2 httpserver2',
    getURLForX: 'get url for x geturlforx',
    SCREAMING_CASE: 'screaming case screaming_case',
    'kebab-case': 'kebab case',
    m_member: 'm member m_member',
    pszName: 'psz name pszname',
    userID: 'user id userid',
    'r#type': 'r type',
    'name? save! name= $name @items @class': 'name save items class',
    'operator<< ~Name #private __construct': 'operator name private construct',
  };
  for (const [name, words] of Object.entries(given)) {
    assert.deepEqual(listTerms(name), words.split(' '), name);
  }
});

test('joins single letters with their neighbors in languages that ask for it', () => {
  const inCode = (text: string, initials?: boolean) =>
    countTerms('', [createChunk('<module>', 'module', text)], initials).terms;
  const added: Record<string, string[]> = {
    isIPv6: ['ipv'],
    OAuthClient: ['oauth'],
    gRPCServer: ['grpc'],
    parseURLs: ['urls'],
    userIDs: ['ids'],
    oauth_IPv4_x: ['ipv'],
    // The whole identifier is a term in any case.
    IInterface: [],
    URLs: [],
    getURLForX: [],
    i18n: [],
    m_member: [],
    'x y': [],
    x86_64: [],
    getName: [],
    isA: [],
  };
  for (const [name, words] of Object.entries(added)) {
    const before = inCode(name);
    assert.deepEqual(before, listTerms(name), name);
    assert.deepEqual(inCode(name, true), [...before, ...words], name);
  }
});
