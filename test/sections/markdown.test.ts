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
      '7-8 The Shop guide > Use [carts]',
      '9-11 The Shop guide > Use > Carts:Items 2 [cart-items]',
      '12-16 The Shop guide > Old style',
      '17-18 Older',
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

test('keeps a heading of pictures alone, and a file without headings, as text', () => {
  assert.deepEqual(split('# ![logo](logo.svg)', 'text'), ['1-2 guide.md']);
});
