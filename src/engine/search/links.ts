/** Links to lines are of the commit that they name: which lines these are in a snapshot. */
import type { Issue } from '../issue/issue.ts';
import type { PathToken } from '../issue/mentions/paths.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { FileMatcher } from './mentions/paths.ts';

/** Links of an issue that are followed: each is a file to be read from git. */
const MOST_LINKS = 10;

/** Texts of files; null for one that is not there. */
interface Versions {
  /** In the snapshot, by its path there. */
  now(file: string): string | null;
  /** At a commit or a tag, by the path from the root of the repository. */
  at(revision: string, path: string): Promise<string | null>;
}

/** The issue with the lines of its links as they are in the index's snapshot; those of versions that are not there stay. */
export async function followLinks(
  issue: Issue,
  index: SearchIndex,
  versions: Versions,
): Promise<Issue> {
  const links = issue.mentions.paths
    .filter(({ lines, link }) => lines !== null && link !== null && link.revision !== null)
    .slice(0, MOST_LINKS);
  if (links.length === 0) return issue;
  // Few issues have any, and comparing texts takes a library that nothing else of a search needs.
  const { movedLines } = await import('./mentions/moved-lines.ts');
  const matcher = new FileMatcher(index, links, issue.syntaxes);
  const followed = new Map<PathToken, PathToken>();
  for (const token of links) {
    const { files, whole } = matcher.bySuffix(token.segments);
    const [file] = files;
    const now = whole && file !== undefined ? versions.now(file) : null;
    const { lines, link, segments } = token;
    if (now === null || !lines || !link?.revision) continue;
    const then = await versions.at(link.revision, segments.join('/'));
    if (then !== null) followed.set(token, { ...token, lines: movedLines(lines, then, now) });
  }
  const paths = issue.mentions.paths.map((token) => followed.get(token) ?? token);
  return { ...issue, mentions: { ...issue.mentions, paths } };
}
