/** Links to lines name a commit: follows the lines from there to the snapshot. */
import type { Issue } from '../../issue/issue.ts';
import type { NamedLines, PathToken } from '../../issue/mentions/paths.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher } from './files.ts';

/** Links of an issue that are followed: each takes a file to be read from git. */
const MOST_LINKS = 10;

/** Texts of files; null for a missing one. */
interface Versions {
  /** In the snapshot, by its path there. */
  now(file: string): string | null;
  /** At a commit or a tag, by the path from the root of the repository. */
  at(revision: string, path: string): Promise<string | null>;
}

/** Returns the issue with the lines of its links as they are in the index's snapshot. Those of missing versions stay. */
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
  const { linesBefore } = await import('../../history/lines-before.ts');
  const matcher = new FileMatcher(index, links, issue.syntaxes);
  const followed = new Map<PathToken, PathToken>();
  for (const token of links) {
    const { files, whole } = matcher.bySuffix(token.segments);
    const [file] = files;
    const now = whole && file !== undefined ? versions.now(file) : null;
    const { lines, link, segments } = token;
    if (now === null || !lines || !link?.revision) continue;
    const then = await versions.at(link.revision, segments.join('/'));
    const lineNow = then === null || then === now ? null : linesBefore(now, then);
    if (then !== null && lineNow)
      followed.set(token, { ...token, lines: moveLines(lines, then, lineNow) });
  }
  const paths = issue.mentions.paths.map((token) => followed.get(token) ?? token);
  return { ...issue, mentions: { ...issue.mentions, paths } };
}

/** If all linked lines are gone: maximum distance, in lines, to the nearest line that still exists. */
const MOST_AROUND = 50;

/**
 * Returns the lines of a file that these were in another version of it: from the first to the last of them that still exist,
 * or else the nearest one that does; of two, the one below, as it is the signature of a function that is rewritten with what
 * stands above it.
 * @param then text of the other version
 * @param lineNow returns the current number of a line of the other version, null if it is gone
 */
export function moveLines(
  named: NamedLines,
  then: string,
  lineNow: (line: number) => number | null,
): NamedLines {
  const own = Array.from({ length: named.last - named.first + 1 }, (_, n) => named.first + n);
  const left = own.map(lineNow).filter((line) => line !== null);
  const [first] = left;
  if (first !== undefined) return { first, last: left.at(-1) ?? first };
  const end = then.trimEnd().split('\n').length;
  for (let away = 1; away <= MOST_AROUND; away++) {
    const around = [named.last + away, named.first - away];
    const inside = around.filter((line) => line >= 1 && line <= end);
    const [near] = inside.map(lineNow).filter((line) => line !== null);
    if (near !== undefined) return { first: near, last: near };
  }
  return named;
}
