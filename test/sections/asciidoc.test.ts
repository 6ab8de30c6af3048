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

test('reads titles with a line of marks below', () => {
  const text = lines(
    'git-fetch(1)',
    '============',
    '',
    'NAME',
    '----',
    'git-fetch - Download',
    '',
    '[[options]]',
    'OPTIONS',
    '-------',
    '-v::',
    'Text of',
    'two',
    '---',
    '',
    'Not a title',
    '----',
    'code',
    '----',
    '',
    'Details',
    '~~~~~~~',
  );
  assert.deepEqual(outlineSections('Documentation/git-fetch.adoc', text), [
    '1-7 git-fetch(1) > NAME',
    '8-20 git-fetch(1) > OPTIONS [options]',
    '21-22 git-fetch(1) > OPTIONS > Details',
  ]);
});
