import ignore from 'ignore';
import type { SearchRequest } from '../../shared/types.ts';
import type { IndexedChunk } from './types.ts';

/** Which chunks a request lets through: by kind, by path, and tests, examples and docs when they are excluded. */
export function filterOf({ tests, paths, kinds }: Omit<SearchRequest, 'issue'>) {
  const isWanted = paths && paths.length > 0 ? pathFilter(paths) : () => true;
  const kindSet = kinds && kinds.length > 0 ? new Set(kinds) : null;
  return ({ path, kind, role }: IndexedChunk): boolean =>
    (tests !== 'exclude' || role === 'source') &&
    (kindSet === null || kindSet.has(kind)) &&
    isWanted(path);
}

/** Globs as in a .gitignore: `*.py` anywhere, `django/http/` with all below it, `src/**` from the root. */
function pathFilter(globs: readonly string[]): (path: string) => boolean {
  const matcher = ignore({ allowRelativePaths: true }).add(
    globs.map((glob) => glob.replace(/^\.\//, '/')),
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
