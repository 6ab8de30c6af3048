/** With what the list is compared: an earlier search of this window, or the same search at another version. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine, openPlaces } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import type { Version } from '../../platform/navigation.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { issueNow, requestShown, responseNow, responseOf, useSearch } from '../search/index.ts';

export type Compared = ChunkSummary & { rank: number };

export interface Change {
  chunk: ChunkSummary;
  /** Ranks in the earlier and in the later list; null where it is not in it. */
  before: number | null;
  after: number | null;
}

interface Changes {
  /** New ones by rank, those that rose or fell the farthest first, those that are gone by the rank that they had. */
  came: Change[];
  rose: Change[];
  fell: Change[];
  went: Change[];
  same: number;
}

export function changesBetween(before: readonly Compared[], after: readonly Compared[]): Changes {
  const earlier = new Map(before.map((chunk) => [chunk.address, chunk.rank]));
  const later = new Set<ChunkAddress>(after.map(({ address }) => address));
  const kept = after.flatMap((chunk) => {
    const rank = earlier.get(chunk.address);
    return rank === undefined ? [] : { chunk, before: rank, after: chunk.rank };
  });
  const farthest = (a: (typeof kept)[number], b: (typeof kept)[number]) =>
    Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || a.after - b.after;
  return {
    came: after
      .filter(({ address }) => !earlier.has(address))
      .map((chunk) => ({ chunk, before: null, after: chunk.rank })),
    rose: kept.filter((change) => change.after < change.before).sort(farthest),
    fell: kept.filter((change) => change.after > change.before).sort(farthest),
    went: before
      .filter(({ address }) => !later.has(address))
      .map((chunk) => ({ chunk, before: chunk.rank, after: null })),
    same: kept.filter((change) => change.after === change.before).length,
  };
}

export interface KeptSearch {
  id: number;
  /** Root of the repository, for every version. */
  root: string;
  /** Name of the version that was searched, or the working tree. */
  where: string;
  issue: string;
  title: string;
  /** Milliseconds since 1970 at which it was found. */
  at: number;
  results: readonly Compared[];
}

const KEPT = 30;
/** A list that stood for less, while its issue was being typed, is nothing that anybody would come back to. */
export const PASSING_MS = 5000;

const isSame = (a: KeptSearch, b: KeptSearch) =>
  a.root === b.root && a.where === b.where && a.issue === b.issue;

/** Returns true if typing at one place turns one text into the other: most of the text around that place is equal. */
function isEditOf(a: string, b: string): boolean {
  const least = Math.min(a.length, b.length);
  let before = 0;
  while (before < least && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < least - before && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return 2 * (before + behind) >= least;
}

/**
 * Adds the latest search. It takes the place of the one before where that asked for the same, as a first list did, or
 * was passed while the issue was edited.
 * @param all the latest last.
 */
export function withSearch(all: readonly KeptSearch[], now: KeptSearch): KeptSearch[] {
  const last = all.at(-1);
  const [before] = all.slice(-2);
  if (!last) return [now];
  if (isSame(last, now)) return [...all.slice(0, -1), { ...now, at: last.at }];
  const passed =
    last.root === now.root &&
    last.where === now.where &&
    now.at - last.at < PASSING_MS &&
    isEditOf(last.issue, now.issue);
  const rest = passed && before !== last ? all.slice(0, -1) : all;
  return [...rest, now].slice(-KEPT);
}

interface CompareState {
  /** The latest last; the one at the end is what the list shows. */
  searches: readonly KeptSearch[];
  /** The one that was chosen to compare with; null: the one before. */
  chosen: number | null;
  /** The version that is searched as well; null where an earlier search is compared with. */
  version: Version | null;
  /** What was found there; null until it is known. */
  found: readonly Compared[] | null;
  failure: Failure | null;
  /** The version that is open beside the window's own. */
  opened: string | null;
}

const NOTHING: CompareState = {
  searches: [],
  chosen: null,
  version: null,
  found: null,
  failure: null,
  opened: null,
};

export const useCompare = create<CompareState>(() => NOTHING);

export const titleOf = ({ revision, name }: Version): string => name ?? revision.slice(0, 10);

/** Searches of the same repository before the one that is shown. */
export function earlierThanNow(searches: readonly KeptSearch[]): KeptSearch[] {
  const now = searches.at(-1);
  return searches.filter((one) => one !== now && one.root === now?.root);
}

/** What the list is compared with at the moment: the chosen search, or else the one before. */
export function baseOf({
  searches,
  chosen,
}: Pick<CompareState, 'searches' | 'chosen'>): KeptSearch | null {
  const earlier = earlierThanNow(searches);
  return earlier.find(({ id }) => id === chosen) ?? earlier.at(-1) ?? null;
}

/** Compares with an earlier search; null: the one before. */
export function compareWith(chosen: number | null): void {
  letGo();
  useCompare.setState({ chosen, version: null, found: null, failure: null });
  showPanel('compare');
}

/** Searches another version for the same, and compares. */
export function compareWithVersion(version: Version): void {
  letGo();
  useCompare.setState({ version, found: null, failure: null });
  showPanel('compare');
  searchVersion();
}

const searching = new LatestRequest();

function letGo(): void {
  const { opened } = useCompare.getState();
  searching.cancel();
  // Not where the window itself has come to it meanwhile.
  if (opened !== null && opened !== useApp.getState().repository?.id) {
    openPlaces.delete(opened);
    // The engine closes what a window leaves.
    engine.call('repository.close', { repository: opened }).catch(() => {});
  }
  useCompare.setState({ opened: null });
}

/** The search whose list is shown, at the version to compare with. Repeated until that is indexed. */
async function searchVersion(): Promise<void> {
  const { version } = useCompare.getState();
  const { repository } = useApp.getState();
  const request = requestShown();
  if (!version || !repository || !request) return;
  const signal = searching.begin();
  try {
    const place = { root: repository.root, revision: version.revision };
    const { id } = await engine.call('repository.open', place);
    if (useCompare.getState().version !== version) return;
    useCompare.setState({ opened: id });
    openPlaces.set(id, place);
    const response = await engine.call('search', { repository: id, request }, { signal });
    if (signal.aborted) return;
    // What is being indexed has no ranks yet that would mean anything.
    if (!response.partial) useCompare.setState({ found: response.results, failure: null });
  } catch (error) {
    if (!signal.aborted && !isCancelled(error)) {
      useCompare.setState({ failure: error as Failure });
    }
  }
}

function keepSearch(): void {
  const response = responseNow();
  const { repository, version, branch } = useApp.getState();
  if (!response || response.partial || !repository) return;
  const now = {
    id: 1 + (useCompare.getState().searches.at(-1)?.id ?? 0),
    root: repository.root,
    where: version ? titleOf(version) : branch ? `Working tree, ${branch}` : 'Working tree',
    issue: issueNow().text,
    title: response.issue.title,
    at: Date.now(),
    results: response.results,
  };
  useCompare.setState(({ searches }) => ({ searches: withSearch(searches, now) }));
}

/** Keeps the lists that are shown, and searches the other version for what is searched for here. */
export const followSearches = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (responseOf(now) === responseOf(before)) return;
      keepSearch();
      if (responseOf(now) && useCompare.getState().version) searchVersion();
    }),
    engine.on('indexing', ({ repository, state }) => {
      const { found, opened } = useCompare.getState();
      if (repository === opened && found === null && state.phase === 'current') searchVersion();
    }),
    useApp.subscribe(({ repository }, before) => {
      if (repository?.root === before.repository?.root) return;
      letGo();
      useCompare.setState(NOTHING);
    }),
  );
