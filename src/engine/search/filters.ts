import { LocusError } from '../../shared/errors.ts';
import type { SearchRequest } from '../../shared/search.ts';
import { isMatchable, matcherOf } from '../source/gitignore.ts';
import type { Scope } from './candidates.ts';

/**
 * Which chunks a request lets through, by kind, path and role, and which of them rank lower for their role.
 * @throws LocusError `bad-input` for a pattern of paths that would take long to match.
 */
export function scopeOf({ tests = 'demote', paths, kinds }: Omit<SearchRequest, 'issue'>): Scope {
  const isWanted = paths && paths.length > 0 ? pathFilter(paths) : () => true;
  const kindSet = kinds && kinds.length > 0 ? new Set(kinds) : null;
  return {
    eligible: ({ path, kind, role }) =>
      (tests !== 'exclude' || role === 'source') &&
      (kindSet === null || kindSet.has(kind)) &&
      isWanted(path),
    demoted: ({ role }) => tests === 'demote' && role !== 'source',
  };
}

/** Globs as in a .gitignore: `*.py` anywhere, `django/http/` with all below it, `src/**` from the root. */
function pathFilter(globs: readonly string[]): (path: string) => boolean {
  const odd = globs.find((glob) => !isMatchable(glob));
  if (odd !== undefined) {
    throw new LocusError(
      'bad-input',
      `the pattern ${odd.slice(0, 100)} is too long, or has ** more than three times`,
      'give a simpler pattern, or several',
    );
  }
  const matcher = matcherOf(
    globs.map((glob) => glob.replace(/^\.\//, '/')),
    { allowRelativePaths: true },
  );
  const known = new Map<string, boolean>();
  return (path) => {
    let wanted = known.get(path);
    if (wanted === undefined) {
      wanted = matcher.ignores(path);
      known.set(path, wanted);
    }
    return wanted;
  };
}
