/** Readers of foreign text take linear time and never throw, for any text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSameIssue } from '../../src/backend/issues.ts';
import { decodeSource } from '../../src/base/decode-source.ts';
import { findEdits, groupHunks } from '../../src/base/edited-chunks.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { DiffParser } from '../../src/engine/history/diff-parser.ts';
import { readIssue } from '../../src/engine/issue/issue.ts';
import {
  createIssueQuery,
  createProseQuery,
  createTextQuery,
} from '../../src/engine/issue/queries.ts';
import { countQueryTerms } from '../../src/engine/lexical/tokenize.ts';
import { buildIssueReport, resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { buildQueryWords } from '../../src/engine/search/gather/query.ts';
import { findChunk } from '../../src/engine/snapshot/address.ts';
import { getTestedStem, inferRole } from '../../src/engine/source/role.ts';
import { parseAnswer } from '../../src/services/check/answer.ts';
import { exportResults } from '../../src/services/exchange/export.ts';
import { EXPORT_FORMATS } from '../../src/shared/lists.ts';
import { escapeHidden, escapeHiddenLines } from '../../src/shared/quote.ts';
import { chunk, exportInput } from '../exchange/sample.ts';
import { MemoryIndex } from '../search/support.ts';
import { scaleRounds } from '../support/effort.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';

/** Words to repeat. */
const WORDS = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\0',
    '"',
    "'",
    '`',
    '(',
    '{',
    '[',
    '<',
    '/',
    '\\',
    '.',
    '_',
    '-',
    '*',
  ],
  ...[
    'a',
    '0',
    'aA',
    'a.',
    'a_',
    'a/',
    '中',
    '\ud800',
    '\u0301',
    'a\u0301',
    '\u202e',
    '"a b c" ',
    '{{{',
  ],
  ...[
    'File "',
    'File "a.py", line 1, in f\n',
    'Traceback (most recent call last):\n',
    'a.py in f(\n',
  ],
  ...[
    '# a\n',
    '```\n',
    '~~~\n  a\n',
    '- [ ] a\n',
    '<!--',
    'ValueError: a\n',
    'http://a',
    'a/b.py ',
  ],
  ...[
    '    from shop import *\n',
    '    a = a.b(\n',
    '    c = d.e(\n    d = c.e(\n',
    ').a(',
    '@@ -1 +1 @@\n-a\n+b\n',
  ],
];

/** Functions from a length to a text: repeated words, and many different ones. */
const TEXTS = new Map<string, (length: number) => string>([
  ...WORDS.map((word) => {
    const make = (length: number) => word.repeat(Math.floor(length / word.length));
    return [JSON.stringify(word), make] as const;
  }),
  ['different words', (length) => numbered(length / 8, (i) => `w${i}x`.padEnd(7))],
  ['different calls', (length) => numbered(length / 10, (i) => `a_${i}()`.padEnd(9))],
  ['different files', (length) => numbered(length / 18, (i) => `a${i}/__init__.py`.padEnd(17))],
  ['deep names', (length) => numbered(length / 998, () => 'a.'.repeat(498))],
  ['a chain of variables', (length) => numbered(length / 20, (i) => `    a${i} = a${i + 1}.b(\n`)],
]);

function numbered(count: number, word: (i: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, i) => word(i)).join(' ');
}

const many = Array.from({ length: 2000 }, (_, i) => [`p${i}/__init__.py`, []] as const);
const index = new MemoryIndex({
  'shop/cart.py': [
    { name: 'Cart', kind: 'class' },
    { name: 'Cart.b', kind: 'method' },
    { name: 'a' },
  ],
  ...Object.fromEntries(many),
});
// A real index answers these in constant time.
const paths = index.getPaths();
index.getPaths = () => paths;
const byName = Map.groupBy(index.chunks.keys(), (slot) => index.chunks[slot]!.name);
index.getSlotsByName = (name) => (name === '<module>' ? [] : (byName.get(name) ?? []));

const model = join(import.meta.dirname, '../../models/bag-1');
const manifest = JSON.parse(readFileSync(join(model, 'model.json'), 'utf8'));
const inputs = await createInputs(model, manifest);

function read(text: string): void {
  const issue = readIssue(text);
  const resolved = resolveIssue(issue, index);
  buildIssueReport(resolved, index);
  buildQueryWords(resolved, index.lexical);
  inputs.buildQuery(createIssueQuery(issue.sections));
  inputs.buildQuery(createProseQuery(issue.sections));
}

function parseDiff(text: string): void {
  const parser = new DiffParser();
  const head = Buffer.from(
    `\0abc\0${1}\0a\0m\0\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n+`,
  );
  parser.push(head);
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; at += 1000) parser.push(data.subarray(at, at + 1000));
  parser.end();
}

function exportAll(text: string): void {
  const one = chunk('a/b.py', text, 'x');
  const input = exportInput([one], {
    marks: new Map([[one.address, { note: text }]]),
    code: new Map([[one.address, text]]),
  });
  const { evidence } = input.response.results[0];
  evidence.name.spans = [{ start: 0, end: 1, text }];
  evidence.related = {
    ...evidence.name,
    contribution: 9,
    sentence: text,
    words: [{ word: text, score: 1, of: text }],
  };
  for (const format of EXPORT_FORMATS) exportResults(format, input);
}

const READERS: Record<string, (text: string) => void> = {
  'an issue': read,
  'the code of an issue': (text) => read(`title\n\`\`\`\n${text}`),
  'an issue for an encoder': (text) => inputs.buildQuery(createTextQuery(`title\n${text}`)),
  'an earlier issue': (text) => isSameIssue(`a\n${text}`, `a\n${text} b`),
  'terms of code': countQueryTerms,
  'a path': (text) => [inferRole(text), getTestedStem(text)],
  'the name of a chunk': (text) => assert.throws(() => findChunk(index, `shop/cart.py:${text}`)),
  'a source file': (text) => {
    decodeSource(Buffer.from(text));
    decodeSource(Buffer.concat([Buffer.from(`#${text}\n`), Buffer.of(0xff)]));
  },
  'what git says of commits': parseDiff,
  "a data set's patch": (text) => {
    groupHunks(text);
    for (const hunks of groupHunks(`--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n${text}`).values())
      findEdits(hunks);
  },
  "a check's answer": (text) => parseAnswer(text, 20),
  'text for a terminal': (text) => [escapeHidden(text), escapeHiddenLines(text)],
};

/** Share of the texts for each reader: all in `npm run torture`, otherwise a third. Each text is read at least once. */
const SHARE = scaleRounds(1) > 1 ? 1 : 3;
const textsFor = (reader: number) => [...TEXTS].filter((_, i) => (i + reader) % SHARE === 0);

for (const [n, [name, reader]] of Object.entries(READERS).entries()) {
  test(`reading ${name} takes linear time`, () => {
    for (const [kind, make] of textsFor(n)) {
      assert.equal(findSuperlinearGrowth(make, reader), null, `of ${kind}`);
    }
  });
}

test('exports take linear time', () => {
  for (const [kind, make] of textsFor(0)) {
    assert.equal(
      findSuperlinearGrowth((size) => make(size / 10), exportAll),
      null,
      `of ${kind}`,
    );
  }
});

test('code of any number of lines and backticks can be exported', () => {
  for (const text of ['\n'.repeat(300_000), '`a'.repeat(300_000)]) exportAll(text);
});
