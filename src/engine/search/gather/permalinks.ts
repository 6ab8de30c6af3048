/** Follows permalinks in an issue: moves lines of a linked commit to the same lines in the snapshot. */
import type { Issue } from '../../issue/issue.ts';
import type { IssueLines, PathToken } from '../../issue/mentions/paths.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { FileMatcher, getPathNames } from './files.ts';

/** Maximum number of links to follow, since each reads a file from git. */
const MAX_LINKS = 10;

/** Reads versions of files; null if a file is missing. */
interface FileVersions {
  /** Returns the text in the snapshot. */
  now(file: string): string | null;
  /** Returns the text at a commit or a tag. @param path path relative to the root of the repository */
  at(revision: string, path: string): Promise<string | null>;
}

/** Returns the issue with the lines of its links moved to the index's snapshot. Links to missing versions stay as they are. */
export async function followLinks(
  issue: Issue,
  index: SearchIndex,
  versions: FileVersions,
): Promise<Issue> {
  const links = issue.mentions.paths
    .filter(({ lines, link }) => lines !== null && link !== null && link.revision !== null)
    .slice(0, MAX_LINKS);
  if (links.length === 0) return issue;
  // Imported only here: few issues have such links, and nothing else in a search needs the library that compares texts.
  const { createLineMapper } = await import('../../history/line-mapper.ts');
  const matcher = new FileMatcher(() => getPathNames(index), links, issue.syntaxes);
  const followed = new Map<PathToken, PathToken>();
  for (const token of links) {
    const { files, isWholePath } = matcher.findBySuffix(token.segments);
    const [file] = files;
    const now = isWholePath && file !== undefined ? versions.now(file) : null;
    const { lines, link, segments } = token;
    if (now === null || !lines || !link?.revision) continue;
    const then = await versions.at(link.revision, segments.join('/'));
    const lineNow = then === null || then === now ? null : createLineMapper(now, then);
    if (then !== null && lineNow)
      followed.set(token, { ...token, lines: moveLines(lines, then, lineNow) });
  }
  const paths = issue.mentions.paths.map((token) => followed.get(token) ?? token);
  return { ...issue, mentions: { ...issue.mentions, paths } };
}

/** Maximum distance, in lines, to the nearest line that still exists, if all linked lines are gone. */
const MAX_AROUND = 50;

/**
 * Moves lines of another version of a file to this version: from the first to the last line that still exists. If none does,
 * returns the nearest line that does. Of two equally near lines it takes the one below, which is the signature if a function
 * was rewritten together with the code above it.
 * @param then text of the other version
 * @param lineNow returns the current number of a line of the other version, null if it is gone
 */
export function moveLines(
  named: IssueLines,
  then: string,
  lineNow: (line: number) => number | null,
): IssueLines {
  const own = Array.from({ length: named.last - named.first + 1 }, (_, n) => named.first + n);
  const left = own.map(lineNow).filter((line) => line !== null);
  const [first] = left;
  if (first !== undefined) return { first, last: left.at(-1) ?? first };
  const end = then.trimEnd().split('\n').length;
  for (let away = 1; away <= MAX_AROUND; away++) {
    const around = [named.last + away, named.first - away];
    const inside = around.filter((line) => line >= 1 && line <= end);
    const [near] = inside.map(lineNow).filter((line) => line !== null);
    if (near !== undefined) return { first: near, last: near };
  }
  return named;
}
