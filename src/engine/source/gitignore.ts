/** Matches patterns in `.gitignore` syntax in bounded time, because they come from repositories and clients. */
import ignore, { type Ignore, type Options } from 'ignore';
import type { SkippedFile } from '../../shared/indexing.ts';
import { quoteText } from '../../shared/quote.ts';

/** Maximum number of `**` in a pattern. Each further one multiplies the ways to match a path by the depth of its folders. */
const MAX_GLOBSTARS = 3;
const MAX_DEPTH = 100;
const MAX_LENGTH = 1000;

/** Git compares names in ignore files as the platform's file systems do by default. */
const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** Matcher of paths; folders end in a slash. */
export type PathMatcher = Pick<Ignore, 'test' | 'ignores'>;

/** Returns true if a pattern has at most 1,000 characters and three `**`, which is enough for anything a person writes. */
export function isMatchable(pattern: string): boolean {
  const globstars = pattern.match(/\*{2,}/g)?.length ?? 0;
  return pattern.length <= MAX_LENGTH && globstars <= MAX_GLOBSTARS;
}

/** Creates a matcher of these patterns, without those that are not matchable. Paths with more than 100 folders match none. */
export function makeMatcher(
  patterns: readonly string[],
  options: Options = { ignorecase: IGNORE_CASE },
): PathMatcher {
  const matcher = ignore(options).add(patterns.filter(isMatchable));
  return {
    test: (path) => (isTooDeep(path) ? { ignored: false, unignored: false } : matcher.test(path)),
    ignores: (path) => !isTooDeep(path) && matcher.ignores(path),
  };
}

export const splitLines = (text: string): string[] => text.split(/\r?\n/);

function isTooDeep(path: string): boolean {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth > MAX_DEPTH;
}

/** Function that returns the reason why a path relative to the root is excluded, or null; folders end in a slash. */
export type ExclusionFilter = (path: string) => SkippedFile | null;

/**
 * Creates exclusions from patterns in the syntax of a `.gitignore` at the root.
 * @param describe returns the detail of a report. Its argument is the quoted pattern.
 */
export function createExclusion(
  patterns: readonly string[] = [],
  describe = (pattern: string) => `by the pattern ${pattern}`,
): ExclusionFilter {
  if (patterns.length === 0) return () => null;
  const matcher = makeMatcher(patterns);
  return (path) => {
    const { ignored, rule } = matcher.test(path);
    if (!ignored) return null;
    return { path, reason: 'excluded', detail: describe(quoteText(rule?.pattern ?? '')) };
  };
}
