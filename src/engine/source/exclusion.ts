import type { SkippedFile } from '../../shared/indexing.ts';
import { quoted } from '../../shared/quoted.ts';
import { matcherOf } from './gitignore.ts';

/** Tells whether a path, relative to the root, is excluded; folders end in a slash. */
export type Exclusion = (path: string) => SkippedFile | null;

/** Git compares names in ignore files as the platform's file systems do by default. */
export const IGNORE_CASE = process.platform === 'win32' || process.platform === 'darwin';

/** The user's own exclusions, in the syntax of a `.gitignore` at the root. */
export function excluding(patterns: readonly string[] = []): Exclusion {
  if (patterns.length === 0) return () => null;
  const matcher = matcherOf(patterns, { ignorecase: IGNORE_CASE });
  return (path) => {
    const { ignored, rule } = matcher.test(path);
    if (!ignored) return null;
    return { path, reason: 'excluded', detail: `by the pattern ${quoted(rule?.pattern ?? '')}` };
  };
}
