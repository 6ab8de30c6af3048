import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lines, outlineSections } from './helpers.ts';

test('splits AsciiDoc by its headings', () => {
  const text = lines(
    '= The guide',
    ':toc:',
    '',
    '[[install, Installation]]',
    '[#setup]',
    '== `Install` it ==',
    '----',
    '== no heading',
    '----',
    'A [[target]] here.',
    '=== Linux',
    '|===',
    '| == cell',
    '|===',
    '[source]',
    '== Use',
    '....',
    '== open',
  );
  assert.deepEqual(outlineSections('docs/guide.adoc', text), [
    '1-3 The guide',
    '4-10 The guide > Install it [install, setup, target]',
    '11-15 The guide > Install it > Linux',
    '16-18 The guide > Use',
  ]);
});
