/**
 * The documentation site: the pages of docs/, with a sidebar in the order of index.md. `npm run docs` builds it and fails on a dead
 * link. `DOCS_BASE` is the path below which the site is served, such as `/locus/`; `/` by default.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { NAMES } from '../../scripts/release/names';
import { readGroups, resolveLink } from './pages';

const DOCS = join(import.meta.dirname, '..');
const ICON = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(DOCS, '../src/renderer/icon.svg'), 'utf8'))}`;

const base = process.env.DOCS_BASE || '/';
if (!/^\/(.*\/)?$/.test(base)) throw new Error(`DOCS_BASE is ${base}. Begin and end it with a slash.`);

/** Returns the decisions by their titles, oldest first. */
function listDecisions() {
  return globSync('decisions/0*.md', { cwd: DOCS })
    .toSorted()
    .map((path) => {
      const [, text = path] = /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8')) ?? [];
      return { text, link: `/${path.replaceAll('\\', '/').replace(/\.md$/, '')}` };
    });
}

const [howTo, ...others] = readGroups(readFileSync(join(DOCS, 'index.md'), 'utf8'));

export default defineConfig({
  base,
  title: 'Locus',
  description: 'Given an issue, find where in a repository to edit.',
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: ICON }]],
  markdown: {
    config: (markdown) =>
      markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' && token.attrGet('href');
          if (href) token.attrSet('href', resolveLink(href, env.relativePath, NAMES.repository));
        }
      }),
  },
  themeConfig: {
    logo: ICON,
    search: { provider: 'local' },
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Commands', link: '/reference/cli' },
    ],
    socialLinks: [{ icon: 'github', link: NAMES.repository }],
    editLink: { pattern: `${NAMES.repository}/edit/main/docs/:path` },
    outline: [2, 3],
    sidebar: [
      { text: 'Tutorial', link: '/tutorial' },
      { ...howTo, collapsed: false },
      ...others.map((group) => ({ ...group, collapsed: true })),
      { text: 'Decisions', collapsed: true, items: listDecisions() },
    ],
  },
});
