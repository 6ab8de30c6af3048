import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onStage, openRepository, pasteIssue, rankedNames } from './support.ts';

const FILES = {
  'src/Tree.vue': [
    '<template>',
    '  <input class="tree-search" @keyup="filterNodes">',
    '</template>',
    '<script>',
    'export default {',
    '  methods: {',
    '    filterNodes(event) {',
    "      this.$emit('filter', event);",
    '    },',
    '  },',
    '};',
    '</script>',
    '',
  ].join('\n'),
  'src/other.js': 'export function other() {\n  return 1;\n}\n',
};
const ISSUE = 'Tree.vue: the search field of the tree does not emit an event\n\nPress a key in it.';

describe('components', () => {
  const scene = onStage(FILES);

  it('are listed by their templates and methods, and colored', async () => {
    const page = await openRepository(scene);
    await pasteIssue(page, ISSUE);
    const names = await rankedNames(page);
    assert.ok(
      names.includes('<template>') && names.includes('default.methods.filterNodes'),
      names.join(),
    );
    await page.locator('[role=option][data-name="<template>"]').click();
    const code = page.getByRole('tabpanel', { name: 'Preview' });
    await code.getByText('lines 1–3').waitFor();
    const colorOf = (text: string) =>
      code
        .locator('.view-line span span', { hasText: new RegExp(`^${text}$`) })
        .first()
        .evaluate((span) => getComputedStyle(span).color);
    const plain = await colorOf('event');
    assert.notEqual(await colorOf('input'), plain, 'tags have a color');
    assert.notEqual(await colorOf('export'), plain, 'keywords of scripts have a color');
    assert.notEqual(await colorOf('filterNodes'), plain, 'names of functions have a color');
  });
});
