import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

const split = (...written: string[]) => outlineSections('docs/guide.md', lines(...written));

test('splits Markdown by its headings', () => {
  assert.deepEqual(
    split(
      'Some words.',
      '# The `Shop` guide',
      '## Install <a id="install"></a>',
      '```sh',
      '# no heading',
      '```',
      '## [Use](use.md) ##',
      '<a name="carts"></a>',
      '### Carts::Items #2 {#cart-items}',
      '    # code',
      '#hashtag',
      '',
      'Old style',
      '---------',
      'text',
      '',
      '---',
      'Older',
      '===',
    ),
    [
      '1-1 guide.md',
      '2-6 The Shop guide > Install [install]',
      '7-12 The Shop guide > Use > Carts:Items 2 [carts, cart-items]',
      '13-17 The Shop guide > Old style',
      '18-19 Older',
    ],
  );
});

test('keeps a heading without text in the first heading inside it', () => {
  assert.deepEqual(split('Guide', '=====', '', 'Install', '-------', '### Linux', 'text'), [
    '1-7 Guide > Install > Linux',
  ]);
});

test('passes over front matter, comments, tables and lists', () => {
  assert.deepEqual(
    split(
      '---',
      'title: "Guide to carts"',
      '# no heading',
      '---',
      '<!--',
      '# commented',
      '-->',
      '| a |',
      '---',
      '- item',
      '---',
      '# Last',
    ),
    ['1-11 guide.md [Guide to carts]', '12-12 Last'],
  );
});

test('keeps targets of links with the heading below them', () => {
  assert.deepEqual(
    split('# A', '<a id="v2"></a>', 'text', '', '<a name="v1"></a>', '', '## B', '<a id="end">'),
    ['1-4 A [v2]', '5-8 A > B [v1, end]'],
  );
});

test('reads code and lone marks as text', () => {
  assert.deepEqual(
    split(
      '# `<img>` <b>tags</b>',
      'one',
      'two',
      '---',
      ['```a'.padEnd(500), '``` b'].join(''),
      '# Next',
      '```',
      '# code',
    ),
    ['1-5 <img> tags', '6-8 Next'],
  );
  assert.deepEqual(split('---', '', '# A', '---'), ['1-2 guide.md', '3-4 A']);
  assert.deepEqual(split('---', 'title: open', '# A'), ['1-2 guide.md', '3-3 A']);
  assert.deepEqual(split('---', 'id: a', '...', '\ufeff# A'), ['1-4 guide.md [a]']);
  assert.deepEqual(split('\ufeff# A'), ['1-1 A']);
});

test('keeps a heading of pictures alone, and a file without headings, as text', () => {
  assert.deepEqual(split('# [![logo](logo.svg)][site]', 'text', '## A'), ['1-2 guide.md', '3-3 A']);
  assert.deepEqual(split('text'), ['1-1 guide.md']);
});
