/** Broken and strange templates, which must not crash and must give valid chunks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getLanguage } from '../../../src/engine/languages/index.ts';
import { assertSound } from '../../parse/helpers.ts';
import { scaleRounds, uniform } from '../../support/effort.ts';
import { findSuperlinearGrowth } from '../../support/growth.ts';
import { COMMENT, parseTemplate } from './helpers.ts';

/** A language of each dialect. */
const names = ['html', 'erb', 'blade', 'razor', 'handlebars'];

const PIECES = [
  ...[
    '<',
    '>',
    '"',
    "'",
    '(',
    ')',
    '{',
    '}',
    '\n',
    '\r\n',
    ' a',
    '=',
    '/',
    '.',
    '|',
    'f(',
    '🦊',
    '',
  ],
  ...[
    '<!--',
    '-->',
    '<script>',
    '</script>',
    ' onclick="f()"',
    'function f() {}\n',
    '<Foo',
    '<x-a',
  ],
  ...[
    '{%',
    '%}',
    '\n{% block a %}',
    '{% endblock %}',
    '{% macro f(x) %}',
    '{% endmacro %}',
    '{#',
    '#}',
  ],
  ...[
    '{{',
    '}}',
    '\n{{#*inline "a"}}',
    '{{/inline}}',
    '{{> a}}',
    '{{!--',
    '--}}',
    '{{ define "a" }}',
  ],
  ...[
    '<%',
    '%>',
    '<%= render "a" %>',
    '\n<% content_for :a do %>',
    '<% end %>',
    '{{ end }}',
    'a.b?',
  ],
  ...["\n@section('a')", '@stop', "@include('a.b')", '{!!', '!!}', '<?php', '?>', '@if ('],
  ...[
    '\n@section A {',
    '@{',
    '@(',
    '@code {',
    '\n  void F() {',
    '@*',
    '*@',
    '@a.b(1)',
    '<partial name="a"',
  ],
];

test('the code keeps its length and its lines, and the chunks are valid, whatever the text', () => {
  const next = uniform();
  for (let round = 0; round < scaleRounds(150); round++) {
    const text = Array.from({ length: 30 }, () => PIECES[Math.floor(next() * PIECES.length)]).join(
      '',
    );
    for (const language of names) {
      const { code } = getLanguage(language).markup?.read(text) ?? assert.fail();
      assert.equal(code.length, text.length);
      assert.equal(code.replace(/[^\n]/g, ''), text.replace(/[^\n]/g, ''));
      assertSound(parseTemplate(language, text), COMMENT, true);
    }
  }
});

test('names in templates are sound code, whatever the template', () => {
  const pieces = PIECES.filter((piece) => !/script|onclick/.test(piece));
  const next = uniform();
  for (let round = 0; round < scaleRounds(150); round++) {
    const text = Array.from({ length: 30 }, () => pieces[Math.floor(next() * pieces.length)]).join(
      '',
    );
    for (const language of names) assert.equal(parseTemplate(language, text).errors, 0, text);
  }
});

test('reading takes linear time', () => {
  const attacks: [string, (size: number) => string][] = [
    ...PIECES.map((piece): [string, (size: number) => string] => [
      'any',
      (size) => piece.repeat(size),
    ]),
    ['html', (size) => `${'\n{% block a %}'.repeat(size)}${'{% endmacro %}'.repeat(size)}`],
    ['html', (size) => `{{ ${'"a '.repeat(size)}`],
    ['html', (size) => `{{ ${"a.b|'".repeat(size)} }}`],
    ['html', (size) => `{% block a %} ${' {% block b %}'.repeat(size)}`],
    ['html', (size) => '<script>\n{{ a }}</script>\n{% block a %}\n{% endblock %}\n'.repeat(size)],
    ['erb', (size) => `<% ${'|a, b| c = do '.repeat(size)} %>`],
    ['erb', (size) => '<% |abc| %>\n<% content_for :a do %>\n<% end %>'.repeat(size)],
    ['blade', (size) => `${'@if('.repeat(size)}${')'.repeat(size)}`],
    ['razor', (size) => `${'\n@section A {'.repeat(size)}${'}'.repeat(size)}`],
    ['razor', (size) => `@code {${'\n  void F('.repeat(size)}{}}`],
    ['razor', (size) => `@code {${'\n  void F() {'.repeat(size)}`],
  ];
  for (const [attacked, write] of attacks) {
    for (const language of attacked === 'any' ? names : [attacked]) {
      const { read } = getLanguage(language).markup ?? assert.fail();
      const growth = findSuperlinearGrowth(write, (text) => read(text).sections.length);
      assert.equal(growth, null, `${language}: ${JSON.stringify(write(2))}`);
    }
  }
});
