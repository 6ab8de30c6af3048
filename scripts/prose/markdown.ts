/** Checks Markdown: the length of pages, and the lines of the changelog. */

const MAX_CHANGELOG_WORDS = 25;

/** Returns a Markdown text without code, links' targets and front matter: the prose that is checked. */
export function stripCode(markdown: string): string {
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<[^>]*>/g, '');
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** Returns what is wrong with the lines of a changelog: each is one line of at most 25 words that ends with a full stop. */
export function findChangelogFaults(changelog: string): string[] {
  return changelog.split('\n').flatMap((line) => {
    if (!line.startsWith('- ')) return [];
    const words = countWords(stripCode(line));
    if (words > MAX_CHANGELOG_WORDS)
      return [`${words} words, of ${MAX_CHANGELOG_WORDS} at most: ${line}`];
    return line.endsWith('.') ? [] : [`does not end with a full stop: ${line}`];
  });
}

const LINK = /\]\((?<target>[^)\s]+)\)/g;

/**
 * Returns the relative links of a page that lead nowhere: to a file that does not exist, or to a heading that its page lacks.
 * @param readPage returns the text of a page, given a path relative to this one; null for a file that is missing
 */
export function findDeadLinks(
  markdown: string,
  readPage: (path: string) => string | null,
): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)].flatMap(({ groups }) => {
    const target = groups?.target ?? '';
    if (/^[a-z]+:/i.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const page = path === '' ? markdown : readPage(path);
    if (page === null) return [target];
    return anchor && !listAnchors(page).has(anchor) ? [target] : [];
  });
}

const PROJECT_PATH =
  /`(?<path>(?:src|lab|test|e2e|scripts|models|extensions|docs|engine|services|base|renderer|cli)\/[\w./-]*\w)`/g;

/**
 * Returns the paths of the project that a page mentions in backquotes and that do not exist. Paths without `src/` in front,
 * such as `engine/graph`, count too.
 * @param exists tells whether a file or folder exists, given its path from the root of the project
 */
export function findMissingPaths(markdown: string, exists: (path: string) => boolean): string[] {
  const paths = [...markdown.matchAll(PROJECT_PATH)].map(({ groups }) => groups?.path ?? '');
  return paths.filter((path) => !exists(path) && !exists(`src/${path}`));
}

/** Returns the anchors of a page's headings, as code hosts make them. */
function listAnchors(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .replace(/\]\([^)]*\)/g, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}
