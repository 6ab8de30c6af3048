import { badInput } from '../../../shared/errors.ts';
import { getOrAdd } from '../../../shared/get-or-add.ts';
import { packagesMeant } from '../../../shared/packages.ts';
import type { SearchRequest } from '../../../shared/search.ts';
import { Packages } from '../../packages/packages.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import { isMatchable, makeMatcher } from '../../source/gitignore.ts';
import { untilEdited } from './chunks.ts';

/** Which chunks pass the filters of a request, and which of them only rank lower. */
interface Scope {
  everything: boolean;
  /** True for a request without any filter: all are eligible, and those that are no source rank lower. */
  usual: boolean;
  eligible(chunk: IndexedChunk): boolean;
  demoted(chunk: IndexedChunk): boolean;
}

type Filtering = Omit<SearchRequest, 'issue'>;

/** @throws LocusError `bad-input` for a pattern of paths that would take long to match, and for an unknown package */
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

/** Returns true for a request whose list may lack what is to be edited, so that its confidence is unknown. */
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

/** Matches globs as in a .gitignore: `*.py` anywhere, `django/http/` with all below it, `src/**` from the root. */
function pathFilter(globs: readonly string[]): (path: string) => boolean {
  const odd = globs.find((glob) => !isMatchable(glob));
  if (odd !== undefined) {
    throw badInput(
      `the pattern ${odd.slice(0, 100)} is too long, or has ** more than three times`,
      'give a simpler pattern, or several',
    );
  }
  const patterns = globs.map((glob) => glob.replace(/^\.\//, '/'));
  const matcher = makeMatcher(patterns, { allowRelativePaths: true });
  const known = new Map<string, boolean>();
  return (path) => getOrAdd(known, path, () => matcher.ignores(path));
}

/** Returns the slots of eligible chunks: those that are not demoted, those that are, and both. */
export function slotsInScope(scope: Scope, index: SearchIndex) {
  return scope.usual ? usualSlots(index) : collectSlots(scope, index);
}

const usualSlots = untilEdited((index) =>
  collectSlots({ eligible: () => true, demoted: ({ role }) => role !== 'source' }, index),
);

function collectSlots(scope: Pick<Scope, 'eligible' | 'demoted'>, index: SearchIndex) {
  const { chunks } = index;
  const known = new Uint32Array(chunks.length);
  let keptEnd = 0;
  let demotedStart = chunks.length;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.chunkAt(slot);
    if (!chunk || !scope.eligible(chunk)) continue;
    if (scope.demoted(chunk)) known[--demotedStart] = slot;
    else known[keptEnd++] = slot;
  }
  known.copyWithin(keptEnd, demotedStart);
  const end = keptEnd + chunks.length - demotedStart;
  return {
    known: known.subarray(0, end),
    kept: known.subarray(0, keptEnd),
    demoted: known.subarray(keptEnd, end),
  };
}

export function countInScope(scope: Scope, index: SearchIndex): number {
  return scope.everything ? index.live : slotsInScope(scope, index).known.length;
}
