import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { joinSections } from '../../src/engine/issue/sections.ts';
import { getIssueTitle } from '../../src/engine/issue/title.ts';

test('returns the first line as the title', () => {
  assert.equal(getIssueTitle('\n## Cookies are cut \n\nAt a comma.'), 'Cookies are cut');
  assert.equal(getIssueTitle(' \n'), '');
});

test('skips comments of a template before the title', () => {
  const template = '<!-- Thanks for\nyour report! -->\n\n<!-- One line. -->\n### Cookies are cut\n';
  assert.equal(getIssueTitle(template), 'Cookies are cut');
});

test('returns a comment as the title if nothing follows it or it has no end', () => {
  assert.equal(getIssueTitle('<!-- What happened? -->\n'), '<!-- What happened? -->');
  assert.equal(getIssueTitle('<!-- What happened?\nCookies are cut'), '<!-- What happened?');
});

test('searches with the same title, and without such comments', () => {
  const read = (text: string) => {
    const { title, sections } = readIssue(text);
    return [title, joinSections(sections, ['title']), joinSections(sections, ['prose'])];
  };
  const body = '### Cookies are cut\nAt a comma.';
  for (const comments of [
    '',
    '\n',
    '<!-- Read the guide. -->\n',
    '<!--\nRead the guide.\n-->\n \n',
  ])
    assert.deepEqual(read(comments + body), [
      'Cookies are cut',
      '### Cookies are cut\n',
      'At a comma.',
    ]);
  const onOneLine = '<!-- Read the guide. --> Cookies are cut\nAt a comma.';
  assert.deepEqual(read(onOneLine), [
    'Cookies are cut',
    `${onOneLine.split('\n')[0]}\n`,
    'At a comma.',
  ]);
  const open = '<!-- is not escaped\nAt a comma.';
  assert.deepEqual(read(open), ['<!-- is not escaped', '<!-- is not escaped\n', 'At a comma.']);
});
