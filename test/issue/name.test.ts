import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from '../../src/engine/issue/issue.ts';

test('an issue is called by its title', () => {
  assert.equal(nameOf('\n## Cookies are cut \n\nAt a comma.'), 'Cookies are cut');
  assert.equal(nameOf(' \n'), '');
});

test('a template whose comments come first is called by what follows them', () => {
  const template = '<!-- Thanks for\nyour report! -->\n\n<!-- One line. -->\n### Cookies are cut\n';
  assert.equal(nameOf(template), 'Cookies are cut');
});

test('comments with nothing after them, or without an end, are all that there is', () => {
  assert.equal(nameOf('<!-- What happened? -->\n'), '<!-- What happened? -->');
  assert.equal(nameOf('<!-- What happened?\nCookies are cut'), '<!-- What happened?');
});
