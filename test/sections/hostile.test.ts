import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SectionForm } from '../../src/engine/sections/form.ts';
import { sectionForms } from '../../src/engine/sections/forms.ts';
import { splitSections, splitText } from '../../src/engine/sections/split.ts';
import { findSuperlinearGrowth } from '../support/growth.ts';

/** Parts of all syntaxes. Repeated, each is a text that a splitter may read again and again. */
const PARTS = [
  ...[
    '{',
    '}',
    '[',
    '(',
    '<',
    '>',
    '-',
    ' ',
    '\t',
    '#',
    '=',
    ':',
    '"',
    "'",
    '`',
    '/',
    '*',
    '\\',
    '|',
    '&',
    '!',
    '.',
  ],
  ...[
    '\n',
    '\r',
    '\r\n',
    '\0',
    '\ud800',
    '\u00e9',
    'a',
    'a ',
    '- ',
    '# ',
    '< ',
    '<!--',
    '-->',
    '<a ',
    '</',
    '<![CDATA[',
  ],
  ...[
    '/*',
    '/**/',
    '//',
    'url(',
    '#{',
    '#{a',
    'a{',
    '{a:',
    '"a":',
    '{"a":{',
    '[a',
    '[[a]]',
    '[a]\n',
    'a=',
    'a:\n',
    'a: |\n',
  ],
  ...[
    '- a: b\n',
    ' - a\n',
    'a: "\n',
    '"""',
    "'''\n",
    'a = [\n',
    '---\n',
    '...\n',
    '```\n',
    '~~~',
    '====\n',
    '====\na\n',
  ],
  ...[
    'a\n====\n',
    '.. _a:\n',
    '.. a:: b\n',
    '# a\n',
    '# [a](b)',
    '{#a}',
    '<a id="a">',
    '![',
    '`a <',
    'a_',
    'a.',
    'a_b=1\n',
  ],
  ...[
    '@media a{',
    '.a,',
    '.a{}\n',
    '$a:',
    '--a:',
    '@a ',
    '&a ',
    '!a ',
    '%',
    ';',
    ',',
    '[#a]\n',
    '|===\n',
    "stage('",
  ],
];

/** Openings that are never closed, before the repeated parts. */
const OPENINGS = ['', 'a: ', '{"a": ', '<a><b>', '.a {', '[a]\n', 'a = "', '# a\n'];

const LENGTH = 1_000_000;
const repeat = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

/** Asserts that sections are in order, cover the text, and have names and few keys. */
function assertSound(form: SectionForm, text: string): void {
  const sections = splitText(form, text);
  const breaks = text.split('\n').length;
  const lineCount = text === '' || text.endsWith('\n') ? breaks - 1 : breaks;
  if (sections.length === 0) return;
  assert.ok(sections.length <= 2000);
  let next = 1;
  for (const { path, startLine, endLine, keys } of sections) {
    assert.equal(startLine, next);
    assert.ok(endLine >= startLine, JSON.stringify(text.slice(0, 60)));
    next = endLine + 1;
    assert.ok(keys.length <= 100 && new Set(keys).size === keys.length);
    for (const name of path) assert.match(name, /^(?!.*::|.*\s$|\s|.*#\d+$).{1,80}$/su);
  }
  assert.equal(next, lineCount + 1);
}

for (const form of sectionForms)
  test(`${form.title}: splits any text, in order and without gaps`, () => {
    for (const part of PARTS)
      for (const opening of OPENINGS) {
        assertSound(form, opening + repeat(part, 300));
        assertSound(form, `${opening}${repeat(part, 100)}\n${part}a${part}\n${opening}x: y\n`);
      }
  });

for (const form of sectionForms)
  test(`${form.title}: the time to split grows with the size`, () => {
    for (const part of PARTS)
      for (const opening of ['', OPENINGS[4]]) {
        const growth = findSuperlinearGrowth(
          (size) => opening + repeat(part, size),
          (text) => splitText(form, text),
        );
        assert.equal(growth, null, JSON.stringify(part));
      }
  });

test('splits a million characters of one mark', () => {
  for (const form of sectionForms)
    for (const part of ['{', '-', ' ', '#', '"', '<', '[', 'a'])
      assert.ok(splitText(form, repeat(part, LENGTH)).length <= 2000);
});

test('reads Windows line breaks like others', () => {
  const texts = {
    'a.yml': 'a:\n  b: |\n    c: d\n',
    'a.toml': '[a]\nb = 1\n',
    'a.md': 'A\n===\n',
    'a.css': '.a {\n}\n',
  };
  for (const [path, text] of Object.entries(texts))
    assert.deepEqual(splitSections(path, text.replaceAll('\n', '\r\n')), splitSections(path, text));
});

test('lists at most 2,000 sections with 100 keys each', () => {
  const sections = splitSections('a.toml', 'key = 1\n'.repeat(3000));
  assert.equal(sections.length, 2000);
  assert.equal(sections.at(-1)?.endLine, 3000);
  const keys = Array.from({ length: 200 }, (_, i) => `key${i} = 1\n`).join('');
  assert.equal(splitSections('a.toml', `[a]\n${keys}`)[0]?.keys.length, 100);
});
