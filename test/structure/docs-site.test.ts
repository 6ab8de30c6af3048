import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readGroups, resolveLink } from '../../docs/.vitepress/pages.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const REPOSITORY = 'https://code.test/acme/locus';

test('the sidebar of the documentation site has every page', () => {
  const groups = readGroups(readFileSync(join(DOCS, 'index.md'), 'utf8'));
  const listed = groups.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`));
  const pages = globSync('{how-to,reference,explanation}/*.md', { cwd: DOCS });
  const missing = pages
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !listed.includes(path));
  assert.deepEqual(missing, []);
});

test('a section of the index becomes a group of the sidebar, unless it lists no page', () => {
  const index =
    '# Locus\n\n- [Start](tutorial.html)\n\n## How to\n\nRead:\n\n- [One](how-to/one.md): first\n\n## Empty\n';
  assert.deepEqual(readGroups(index), [
    { text: 'How to', items: [{ text: 'One', link: '/how-to/one' }] },
  ]);
});

test('a link to a file that is no page leads to the repository', () => {
  const links = {
    '../../SECURITY.md': `${REPOSITORY}/blob/main/SECURITY.md`,
    '../../models/coret-1/README.md#size': `${REPOSITORY}/blob/main/models/coret-1/README.md#size`,
    '../screenshots/keys-dark.png': `${REPOSITORY}/blob/main/docs/screenshots/keys-dark.png`,
    '../reference/cli.md#search': '../reference/cli.md#search',
    'share-a-list.md': 'share-a-list.md',
    '#export': '#export',
    'https://example.com/a.png': 'https://example.com/a.png',
  };
  for (const [href, address] of Object.entries(links)) {
    assert.equal(resolveLink(href, 'how-to/post-a-list.md', REPOSITORY), address);
  }
});
