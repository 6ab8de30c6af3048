/** The documentation site: the pages of docs/, with a sidebar by kind. `npm run docs` builds it and fails on a dead link. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitepress';

const DOCS = join(import.meta.dirname, '..');

/** Returns the pages of a folder by their titles, in alphabetical order. */
function listPages(folder: string) {
  const pages = globSync(`${folder}/*.md`, { cwd: DOCS }).map((path) => {
    const [, title = basename(path, '.md')] =
      /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8')) ?? [];
    return { text: title, link: `/${path.replaceAll('\\', '/').replace(/\.md$/, '')}` };
  });
  return pages.toSorted((a, b) => a.text.localeCompare(b.text));
}

export default defineConfig({
  title: 'Locus',
  description: 'Given an issue, find where in a repository to edit.',
  cleanUrls: true,
  // Pages link to files of the repository that are no pages of the site. `scripts/prose/check.ts` checks these links.
  ignoreDeadLinks: [/\.\.\/(?:\.\.\/)?(?:README|CONTRIBUTING|ARCHITECTURE|SECURITY|CHANGELOG|lab|models|src|scripts|test|demo|extensions)/],
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Start', items: [{ text: 'Tutorial', link: '/tutorial' }] },
      { text: 'How to', items: listPages('how-to') },
      { text: 'Reference', items: [...listPages('reference'), { text: 'Glossary', link: '/glossary' }] },
      { text: 'Explanation', items: listPages('explanation') },
      { text: 'Decisions', collapsed: true, items: listPages('decisions') },
    ],
  },
});
