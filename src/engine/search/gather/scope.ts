import { badInput } from '../../../shared/errors.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import { resolvePackages } from '../../../shared/packages.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import { Packages } from '../../packages/packages.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { isMatchable, makeMatcher } from '../../source/gitignore.ts';
import { cacheUntilEdited } from './chunks.ts';

/** Filters of a request. */
interface Scope {
  /** True if all chunks pass. */
  includesAll: boolean;
  /** True for a request without any filter: all chunks pass, and those that are not source rank lower. */
  isDefault: boolean;
  /** Returns true if a chunk passes the filters. */
  isEligible(chunk: IndexedChunk): boolean;
  /** Returns true if a chunk ranks lower than the others. */
  isDemoted(chunk: IndexedChunk): boolean;
}

type Filtering = Omit<SearchRequest, 'issue'>;

/**
 * Creates the scope of a request.
 * @param known packages of the repository
 * @throws LocusError `bad-input` for a path pattern that would take long to match, and for an unknown package
 */
export function createScope(request: Filtering, known: Packages = NO_PACKAGES): Scope {
  const { tests = 'demote', paths, kinds, packages } = request;
  const isInPaths = paths && paths.length > 0 ? createPathFilter(paths) : () => true;
  const isInPackages =
    packages && packages.length > 0 ? createPackageFilter(packages, known) : () => true;
  const kindSet = kinds && kinds.length > 0 ? new Set(kinds) : null;
  return {
    includesAll: tests !== 'exclude' && !isFiltered(request),
    isDefault: tests === 'demote' && !isFiltered(request),
    isEligible: ({ path, kind, role }) =>
      (tests !== 'exclude' || role === 'source') &&
      (kindSet === null || kindSet.has(kind)) &&
      isInPaths(path) &&
      isInPackages(path),
    isDemoted: ({ role }) => tests === 'demote' && role !== 'source',
  };
}

/** Returns true for a request whose filters may exclude the chunk to edit, so that its confidence is unknown. */
export function isFiltered({ paths, kinds, packages }: Filtering): boolean {
  return [paths, kinds, packages].some((chosen) => chosen !== undefined && chosen.length > 0);
}

const NO_PACKAGES = new Packages([], []);

function createPackageFilter(
  wanted: readonly string[],
  known: Packages,
): (path: string) => boolean {
  const names = resolvePackages(wanted, known.list);
  return (path) => {
    const name = known.getPackageName(path);
    return name !== null && names.has(name);
  };
}

/**
 * Matches globs as in a .gitignore: `*.py` anywhere, `django/http/` with everything below it, `src/**` from the root. A path that a glob
 * after `!` matches is excluded. If all globs begin with `!`, they exclude from all paths.
 */
export function createPathFilter(globs: readonly string[]): (path: string) => boolean {
  const complex = globs.find((glob) => !isMatchable(glob));
  if (complex !== undefined) {
    throw badInput(
      `The pattern ${complex.slice(0, 100)} is too long, or has ** more than three times.`,
      'Use a simpler pattern, or several.',
    );
  }
  const isWanted = createMatcher(globs.filter((glob) => !glob.startsWith('!')));
  const isExcluded = createMatcher(
    globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)),
  );
  const cache = new Map<string, boolean>();
  return (path) => getOrAdd(cache, path, () => (isWanted?.(path) ?? true) && !isExcluded?.(path));
}

function createMatcher(globs: readonly string[]): ((path: string) => boolean) | null {
  if (globs.length === 0) return null;
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '/'));
  const matcher = makeMatcher(patterns, { allowRelativePaths: true });
  return (path) => matcher.ignores(path);
}

/** Returns the slots of eligible chunks without sections: all of them, those that are not demoted, and those that are. */
export function listSlotsInScope(scope: Scope, index: SearchIndex) {
  return scope.isDefault ? collectDefaultSlots(index) : collectSlots(scope, index);
}

const collectDefaultSlots = cacheUntilEdited((index) =>
  collectSlots({ isEligible: () => true, isDemoted: ({ role }) => role !== 'source' }, index),
);

function collectSlots(scope: Pick<Scope, 'isEligible' | 'isDemoted'>, index: SearchIndex) {
  const { chunks } = index;
  const eligible = new Uint32Array(chunks.length);
  let keptEnd = 0;
  let demotedStart = chunks.length;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.getChunkOrNull(slot);
    if (!chunk || chunk.kind === 'section' || !scope.isEligible(chunk)) continue;
    if (scope.isDemoted(chunk)) eligible[--demotedStart] = slot;
    else eligible[keptEnd++] = slot;
  }
  eligible.copyWithin(keptEnd, demotedStart);
  const end = keptEnd + chunks.length - demotedStart;
  return {
    eligible: eligible.subarray(0, end),
    regular: eligible.subarray(0, keptEnd),
    demoted: eligible.subarray(keptEnd, end),
  };
}

export function countInScope(scope: Scope, index: SearchIndex): number {
  return scope.includesAll ? index.liveCount : listSlotsInScope(scope, index).eligible.length;
}
