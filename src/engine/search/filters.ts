import { LocusError } from '../../shared/errors.ts';
import { packagesMeant } from '../../shared/packages.ts';
import type { SearchRequest } from '../../shared/search.ts';
import { Packages } from '../packages/packages.ts';
import { isMatchable, matcherOf } from '../source/gitignore.ts';
import type { Scope } from './candidates.ts';

type Filtering = Omit<SearchRequest, 'issue'>;

/**
 * Which chunks a request lets through, by kind, path, package and role, and which of them rank lower for their role.
 * @throws LocusError `bad-input` for a pattern of paths that would take long to match, and for a package that there is not.
 */
export function scopeOf(request: Filtering, known: Packages = NO_PACKAGES): Scope {
  const { tests = 'demote', paths, kinds, packages } = request;
  const isWanted = paths && paths.length > 0 ? pathFilter(paths) : () => true;
  const isOfPackage = packages && packages.length > 0 ? packageFilter(packages, known) : () => true;
  const kindSet = kinds && kinds.length > 0 ? new Set(kinds) : null;
  return {
    everything: tests !== 'exclude' && !isFiltered(request),
    usual: tests === 'demote' && !isFiltered(request),
    eligible: ({ path, kind, role }) =>
      (tests !== 'exclude' || role === 'source') &&
      (kindSet === null || kindSet.has(kind)) &&
      isWanted(path) &&
      isOfPackage(path),
    demoted: ({ role }) => tests === 'demote' && role !== 'source',
  };
}

/** A filtered list may lack what is to be edited, so nothing is said of it. */
export function isFiltered({ paths, kinds, packages }: Filtering): boolean {
  return [paths, kinds, packages].some((chosen) => chosen !== undefined && chosen.length > 0);
}

const NO_PACKAGES = new Packages([], []);

function packageFilter(wanted: readonly string[], known: Packages): (path: string) => boolean {
  const meant = packagesMeant(wanted, known.list);
  return (path) => {
    const name = known.of(path);
    return name !== null && meant.has(name);
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
