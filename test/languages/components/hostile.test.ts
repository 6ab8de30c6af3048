/** Broken and strange components, which must not crash and must give valid chunks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getLanguage } from '../../../src/engine/languages/index.ts';
import { assertSound } from '../../parse/helpers.ts';
import { scaleRounds, uniform } from '../../support/effort.ts';
import { findSuperlinearGrowth } from '../../support/growth.ts';
import { assertMutationsSound, fixture } from '../helpers.ts';
import { COMMENT, languageOf, parsers } from './helpers.ts';

/** Sources with the chunks that must still be found. */
const HOSTILE: Record<string, [keyof typeof parsers, string, string[]]> = {
  nothing: ['vue', '', []],
  'line breaks of DOS': [
    'vue',
    '<template>\r\n  <p @click="f" />\r\n</template>\r\n<script>\r\nfunction f() {\r\n}\r\n</script>\r\n',
    ['<template>', 'f'],
  ],
  'a template without an end': [
    'vue',
    '<template>\n<div a="\n<template>\n<p {{ {{ f(\n<script>\nfunction f() {}\n</script>\n',
    ['<template>', 'f'],
  ],
  'a script without an end': [
    'vue',
    '<template><p/></template>\n<script>\nfunction f() {}\n',
    ['f'],
  ],
  'a function without an end above a template': [
    'vue',
    '<script>\nfunction f() {\n  if (x) {\n</script>\n<template>\n  <p>}</p>\n</template>\n',
    ['f', '<template>'],
  ],
  'all in one line': [
    'vue',
    '<template><p @click="f"/></template><script>function f() {} function g() {}</script>\n',
    ['<template>', 'f', 'g'],
  ],
  'blocks that do not match': [
    'svelte',
    '{/if}{/snippet}{#snippet}{#snippet a(}\n{#each as as as}{:else}{@const}{#if\n<script>\nfunction f() {}\n</script>\n{#snippet row(x)}\n<b>{x}</b>\n',
    ['f'],
  ],
  'brackets that do not match': [
    'svelte',
    '<p>{a(]}</p>{"}\n{`}\n<b on:click={f}>',
    ['<template>'],
  ],
  'hyphens without an end': ['astro', '---\nfunction f() {}\n<p>{f()}</p>\n', ['<template>']],
  'an element in an element': [
    'astro',
    '---\nfunction f() {}\n---\n{a.map(() => <br><li>{b && <p>}</li>)}\n<p>{f()}</p>\n',
    ['f', '<template>'],
  ],
};

for (const [name, [language, text, expected]] of Object.entries(HOSTILE)) {
  test(`hostile: ${name}`, () => {
    const source = parsers[language](text);
    assertSound(source, COMMENT);
    const found = source.chunks.map((chunk) => chunk.qualifiedName);
    for (const qualifiedName of expected) assert.ok(found.includes(qualifiedName), qualifiedName);
  });
}

for (const name of ['awkward.vue', 'awkward-setup.vue', 'awkward.svelte', 'awkward.astro']) {
  test(`mutations and prefixes of ${name} are read`, () => {
    const parse = parsers[languageOf(name)];
    const text = fixture('components', name);
    assertMutationsSound(parse, text, COMMENT);
    for (let end = 0; end < text.length; end += 7) assertSound(parse(text.slice(0, end)), COMMENT);
  });
}

const PIECES = [
  ...['<', '>', '{', '}', '{{', '}}', '"', "'", '`', '(', ')', '\n', ' a', '=', '/', '<!--', '-->'],
  ...['<template>', '</template>', '<script>', '</script>', '@click="f"', '<A-b', '\r\n', '🦊'],
  ...['{#each a as b}', '{#snippet s(x)}', '{/snippet}', '---'],
];

test('the code keeps its length and its lines, whatever the text', () => {
  const next = uniform();
  for (let round = 0; round < scaleRounds(1000); round++) {
    const text = Array.from({ length: 30 }, () => PIECES[Math.floor(next() * PIECES.length)]).join(
      '',
    );
    for (const language of ['vue', 'svelte', 'astro']) {
      const { code, sections } = getLanguage(language).markup?.read(text) ?? assert.fail();
      assert.equal(code.length, text.length);
      assert.equal(code.replace(/[^\n]/g, ''), text.replace(/[^\n]/g, ''));
      let end = 0;
      for (const section of sections) {
        assert.ok(section.startIndex >= end && section.endIndex > section.startIndex, text);
        end = section.endIndex;
      }
    }
  }
});

test('reading takes linear time', () => {
  const attacks: [string, (size: number) => string][] = [
    ['vue', (size) => `<template>${'<a b="'.repeat(size)}`],
    ['vue', (size) => '<a>'.repeat(size)],
    ['vue', (size) => `<template>${'{{ '.repeat(size)}`],
    ['vue', (size) => `<template>${'<template>'.repeat(size)}`],
    ['vue', (size) => `<template>${'<p v-for="a'.repeat(size)}`],
    ['svelte', (size) => '{'.repeat(size)],
    ['svelte', (size) => `<a b="${'{'.repeat(size)}">`.repeat(10)],
    ['svelte', (size) => '<a b="{" '.repeat(size)],
    ['svelte', (size) => "{'\\'".repeat(size)],
    ['svelte', (size) => '{/*'.repeat(size)],
    ['svelte', (size) => '\n{#snippet a(x)}{b}'.repeat(size)],
    ['svelte', (size) => '<!--'.repeat(size)],
    ['svelte', (size) => '<p a=b/'.repeat(size)],
    ['astro', (size) => '{`${'.repeat(size)],
    ['astro', (size) => `${' '.repeat(size)}---`],
  ];
  for (const [language, write] of attacks) {
    const { read } = getLanguage(language).markup ?? assert.fail();
    const growth = findSuperlinearGrowth(write, (text) => read(text).sections.length);
    assert.equal(growth, null, write(3));
  }
});
