/** The pages of the documentation site, as `docs/index.md` lists them, and where a link from one of them leads. */
import { posix } from 'node:path';

/** A group of the sidebar. Links are paths without `.md`, from the root of the site. */
export interface PageGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** Returns a group for each section of the index that lists pages, in the order of the index. */
export function readGroups(index: string): PageGroup[] {
  return index.split(/^## /m).flatMap((section) => {
    const items = [...section.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(
      ([, text = '', path]) => ({ text, link: `/${path}` }),
    );
    const [text = ''] = section.split('\n');
    return items.length > 0 ? [{ text, items }] : [];
  });
}

/** Returns the address of a link of a page: files that are no pages of the site are read in the repository, on its code host. */
export function resolveLink(href: string, page: string, repository: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = ''] = href.split('#');
  const target = posix.join('docs', posix.dirname(page), path);
  const isPage = target.startsWith('docs/') && target.endsWith('.md');
  return isPage ? href : `${repository}/blob/main/${target}${href.slice(path.length)}`;
}
