/** Chunks and facts of components: Vue, Svelte and Astro. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChunkedSource } from '../../../src/engine/parse/chunk.ts';
import { assertSound, chunkOf, outline, references } from '../../parse/helpers.ts';
import { fixture } from '../helpers.ts';
import { COMMENT, languageOf, parsers } from './helpers.ts';

function parseFixture(name: string): ChunkedSource {
  const source = parsers[languageOf(name)](fixture('components', name));
  assertSound(source, COMMENT);
  assert.equal(source.errors, 0);
  return source;
}

const names = (source: ChunkedSource, scope: string): string =>
  references(source, scope)
    .map((name) => name.replace(/^call /, ''))
    .join(' ');

test('vue: options are methods, and the template is a chunk', () => {
  const source = parseFixture('awkward.vue');
  assert.deepEqual(outline(source), [
    'function <template> 2-8',
    'class default 14-36',
    'method default.data 18-18',
    'method default.computed.total 20-20',
    'method default.computed.nodes 21-21',
    'method default.watch.a.b 24-24',
    'method default.watch.open 25-25',
    'method default.methods.save 28-29',
    'method default.methods.close 30-30',
    'method default.methods.onToggle 31-31',
    'method default.methods.isActive 32-32',
    'method default.methods.format 33-33',
    'method default.mounted 35-35',
  ]);
  assert.equal(
    names(source, '<template>'),
    'isActive row open save TreeNode nodes i node e onToggle e node total format total currency TreeFoot it a close',
  );
  assert.deepEqual(source.facts.owners, [{ scope: 1, type: 'default' }]);
  assert.deepEqual(source.facts.locals?.[0], { scope: 1, names: ['e', 'node', 'i', 'it'] });
  assert.match(chunkOf(source, '<module>').text, /\.tree-search \{ color: red; \}/);
  assert.match(chunkOf(source, '<template>').text, /^<template>\n {2}<div class="x"/);
  assert.ok(references(source, 'default').includes('inherit Base'));
});

test('vue: scripts with setup, other blocks and quotes', () => {
  const source = parseFixture('awkward-setup.vue');
  assert.deepEqual(outline(source), [
    'function total 6-6',
    'function save 7-9',
    'function close 10-10',
    'function helper 13-13',
    'function <template> 16-20',
  ]);
  assert.equal(names(source, '<template>'), 'TreeFoot rowCount key save close total');
  assert.deepEqual(
    source.facts.bindings.filter(({ target }) => target === 'default'),
    [{ scope: 0, target: 'default', value: '<template>', how: 'alias' }],
  );
});

test('svelte: both scripts, snippets and blocks', () => {
  const source = parseFixture('awkward.svelte');
  assert.deepEqual(outline(source), [
    'function load 2-2',
    'function total 7-7',
    'function save 9-9',
    'function sum 10-10',
    'function row 13-15',
    'function <template> 17-28',
  ]);
  assert.equal(names(source, 'row'), 'save item item');
  assert.equal(
    names(source, '<template>'),
    'total Foo items rest save items tip sum items active sum items total a items key item double x load x encode item row item load value error',
  );
  assert.deepEqual(source.facts.locals?.at(-1)?.names.toSorted(), [
    'double',
    'error',
    'item',
    'load',
    'value',
    'x',
  ]);
});

test('astro: the code at the top, and expressions with elements', () => {
  const source = parseFixture('awkward.astro');
  assert.deepEqual(outline(source), [
    'function load 4-4',
    'function format 5-5',
    'function <template> 7-10',
    'function click 12-12',
  ]);
  assert.equal(
    names(source, '<template>'),
    'Card format items items items.map item Card format item item',
  );
});

test('a large template is split before tags of the least indentation', () => {
  const rows = (count: number) => '    <p>{{ f() }}</p>\n'.repeat(count);
  const section = (name: string, count: number) => `  <${name}>\n${rows(count)}  </${name}>\n`;
  const text = `<template>\n${section('Head', 30)}${section('Body', 40)}${section('Foot', 50)}</template>\n`;
  const source = parsers.vue(text);
  assertSound(source, COMMENT);
  assert.deepEqual(outline(source), ['function <template> 1-75', 'function <template-2> 76-128']);
  assert.match(chunkOf(source, '<template-2>').text, /^<Foot>\n {2}<p>/);
  const flat = parsers.svelte(rows(300).replaceAll('{{ f() }}', '{f()}'));
  assert.deepEqual(
    outline(flat).map((one) => one.replace(/^.* /, '')),
    ['1-80', '81-160', '161-240', '241-300'],
  );
  assert.equal(flat.facts.references.length, 300);
});
