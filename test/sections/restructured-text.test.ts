import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

const split = (...written: string[]) => outlineSections('docs/ref/settings.txt', lines(...written));

test('splits reStructuredText by its titles', () => {
  assert.deepEqual(
    split(
      '========',
      'Settings',
      '========',
      '',
      'A text.',
      '',
      '.. _core:',
      '.. setting:: CACHES',
      '',
      '``CACHES``',
      '----------',
      'Text.',
      '.. setting:: CACHES-BACKEND',
      '',
      '``a`` or :setting:`BACKEND <CACHES-BACKEND>`',
      '~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~',
      '',
      '.. class:: Cache(name)',
      '   :module: django',
      '',
      '   .. method:: get(key)',
      '',
      'Use `a link <https://example.org>`_',
      '------------------------------------',
      'Text',
      'of two lines',
      '-----',
      '',
      '-----',
      '',
      '=====  =====',
      'a      b',
      '=====  =====',
      '::',
      '',
      '    Code',
      '    ----',
      '.. _end:',
    ),
    [
      '1-6 Settings',
      '7-12 Settings > CACHES [core]',
      '13-22 Settings > CACHES > a or BACKEND [CACHES-BACKEND, Cache, get]',
      '23-38 Settings > Use a link [end]',
    ],
  );
});

test('tells titles with a line above from those without', () => {
  assert.deepEqual(split('One', '===', '', '===', 'Two', '===', '', '', 'Six', '===', 'x'), [
    '1-8 One > Two',
    '9-11 Six',
  ]);
});

test('reads .txt only in folders of documentation', () => {
  assert.deepEqual(outlineSections('docs/a.txt', 'A title\n=======\n'), ['1-2 A title']);
  assert.deepEqual(outlineSections('src/a.txt', 'A title\n=======\n'), []);
});
