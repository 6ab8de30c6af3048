/** State of the comparison: with an earlier search of this window, or with the same search at another version. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine, openRepositories } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import type { Version } from '../../platform/navigation.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import {
  getCurrentResponse,
  getIssue,
  getRequest,
  getResponse,
  useSearch,
} from '../search/index.ts';

export type ComparedChunk = ChunkSummary & { rank: number };

export interface ListChange {
  chunk: ChunkSummary;
  /** Rank in the earlier list; null if it isn't in that list. */
  before: number | null;
  /** Rank in the later list; null if it isn't in that list. */
  after: number | null;
}

interface Changes {
  /** Results that are now among the first ten, by rank. */
  entered: ListChange[];
  /** Results that are no longer among the first ten, by their former rank. */
  left: ListChange[];
  /** Results that were and are among the first ten, at another rank. */
  moved: ListChange[];
  /** Other results that are new, gone or at another rank, by rank. */
  below: ListChange[];
  /** Count of results with the same rank. */
  same: number;
}

const isFirst = (rank: number | null): boolean => rank !== null && rank <= 10;

/** Compares two lists: first what entered and left the first ten, which is what people read. */
export function compareLists(
  before: readonly ComparedChunk[],
  after: readonly ComparedChunk[],
): Changes {
  const earlier = new Map(before.map((chunk) => [chunk.address, chunk.rank]));
  const later = new Set<ChunkAddress>(after.map(({ address }) => address));
  const all: ListChange[] = [
    ...after.map((chunk) => ({
      chunk,
      before: earlier.get(chunk.address) ?? null,
      after: chunk.rank,
    })),
    ...before
      .filter(({ address }) => !later.has(address))
      .map((chunk) => ({ chunk, before: chunk.rank, after: null })),
  ];
  const changes = all.filter((change) => change.after !== change.before);
  const byRank = (rank: (change: ListChange) => number | null) => (a: ListChange, b: ListChange) =>
    (rank(a) ?? 0) - (rank(b) ?? 0);
  const select = (wasFirst: boolean, isNowFirst: boolean) =>
    changes.filter(
      (change) => isFirst(change.before) === wasFirst && isFirst(change.after) === isNowFirst,
    );
  return {
    entered: select(false, true),
    left: select(true, false).sort(byRank((change) => change.before)),
    moved: select(true, true),
    below: select(false, false).sort(byRank((change) => change.after ?? change.before)),
    same: all.length - changes.length,
  };
}

export interface RecordedSearch {
  id: number;
  /** Root folder of the repository; the same for every version. */
  root: string;
  /** Title of the searched version, or of the working tree. */
  where: string;
  issue: string;
  title: string;
  /** Time of the search, in milliseconds since 1970. */
  at: number;
  results: readonly ComparedChunk[];
}

const MAX_SEARCHES = 30;
/** While the issue is being edited, a list that was shown for less than this is not recorded. */
export const MIN_SHOWN_MS = 5000;

const isSame = (a: RecordedSearch, b: RecordedSearch) =>
  a.root === b.root && a.where === b.where && a.issue === b.issue;

/** Returns true if one edit turns `a` into `b`, and at least half of the shorter text stays the same around it. */
function isSmallEdit(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a.at(-1 - suffix) === b.at(-1 - suffix)) suffix++;
  return 2 * (prefix + suffix) >= shorter;
}

/**
 * Adds the latest search. It replaces the previous one if that was the same search, as with an initial ranking, or if
 * that was shown only briefly while the issue was being edited.
 * @param all Searches so far, the latest last.
 */
export function addSearch(all: readonly RecordedSearch[], now: RecordedSearch): RecordedSearch[] {
  const last = all.at(-1);
  const [before] = all.slice(-2);
  if (!last) return [now];
  if (isSame(last, now)) return [...all.slice(0, -1), { ...now, at: last.at }];
  const isTransient =
    last.root === now.root &&
    last.where === now.where &&
    now.at - last.at < MIN_SHOWN_MS &&
    isSmallEdit(last.issue, now.issue);
  const rest = isTransient && before !== last ? all.slice(0, -1) : all;
  return [...rest, now].slice(-MAX_SEARCHES);
}

interface CompareState {
  /** Searches so far; the last one is the list that is shown. */
  searches: readonly RecordedSearch[];
  /** Id of the search to compare with; null for the previous one. */
  chosenId: number | null;
  /** Version to compare with; null when comparing with an earlier search. */
  version: Version | null;
  /** Results at that version; null until they arrive. */
  versionResults: readonly ComparedChunk[] | null;
  failure: Failure | null;
  /** Id of the repository that was opened at that version for the comparison. */
  openedId: string | null;
}

const NOTHING: CompareState = {
  searches: [],
  chosenId: null,
  version: null,
  versionResults: null,
  failure: null,
  openedId: null,
};

export const useCompare = create<CompareState>(() => NOTHING);

export const getVersionTitle = ({ revision, name }: Version): string =>
  name ?? revision.slice(0, 10);

/** Returns the searches of the same repository that precede the one shown. */
export function listEarlierSearches(searches: readonly RecordedSearch[]): RecordedSearch[] {
  const now = searches.at(-1);
  return searches.filter((search) => search !== now && search.root === now?.root);
}

/** Returns the search that the list is compared with: the chosen one, otherwise the previous one. */
export function getBaseSearch({
  searches,
  chosenId,
}: Pick<CompareState, 'searches' | 'chosenId'>): RecordedSearch | null {
  const earlier = listEarlierSearches(searches);
  return earlier.find(({ id }) => id === chosenId) ?? earlier.at(-1) ?? null;
}

/** Compares with an earlier search. @param chosenId null for the previous one. */
export function compareWithSearch(chosenId: number | null): void {
  closeVersion();
  useCompare.setState({ chosenId, version: null, versionResults: null, failure: null });
  showPanel('compare');
}

/** Runs the same search at another version, and compares the lists. */
export function compareWithVersion(version: Version): void {
  closeVersion();
  useCompare.setState({ version, versionResults: null, failure: null });
  showPanel('compare');
  searchVersion();
}

const searching = new LatestRequest();

/** Cancels the search of the other version, and closes that version. */
function closeVersion(): void {
  const { openedId } = useCompare.getState();
  searching.cancel();
  // The window itself may have opened that version in the meantime.
  if (openedId !== null && openedId !== useApp.getState().repository?.id) {
    openRepositories.delete(openedId);
    // If this fails, the engine closes the repository when the window closes.
    engine.call('repository.close', { repository: openedId }).catch(() => {});
  }
  useCompare.setState({ openedId: null });
}

/** Runs the search that is shown at the version to compare with. It is repeated until that version is indexed. */
async function searchVersion(): Promise<void> {
  const { version } = useCompare.getState();
  const { repository } = useApp.getState();
  const request = getRequest();
  if (!version || !repository || !request) return;
  const signal = searching.begin();
  try {
    const place = { root: repository.root, revision: version.revision };
    const { id } = await engine.call('repository.open', place);
    if (useCompare.getState().version !== version) return;
    useCompare.setState({ openedId: id });
    openRepositories.set(id, place);
    const response = await engine.call('search', { repository: id, request }, { signal });
    if (signal.aborted) return;
    // Ranks mean nothing while the version is still being indexed.
    if (!response.partial) useCompare.setState({ versionResults: response.results, failure: null });
  } catch (error) {
    if (!signal.aborted && !isCancelled(error)) {
      useCompare.setState({ failure: error as Failure });
    }
  }
}

/** Records the list that is shown, so that later lists can be compared with it. */
function recordSearch(): void {
  const response = getCurrentResponse();
  const { repository, version, branch } = useApp.getState();
  if (!response || response.partial || !repository) return;
  const now = {
    id: 1 + (useCompare.getState().searches.at(-1)?.id ?? 0),
    root: repository.root,
    where: version ? getVersionTitle(version) : branch ? `Working tree, ${branch}` : 'Working tree',
    issue: getIssue().text,
    title: response.issue.title,
    at: Date.now(),
    results: response.results,
  };
  useCompare.setState(({ searches }) => ({ searches: addSearch(searches, now) }));
}

/** Records every list that is shown, and repeats each search at the other version. */
export const recordSearches = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      if (getResponse(now) === getResponse(before)) return;
      recordSearch();
      if (getResponse(now) && useCompare.getState().version) searchVersion();
    }),
    engine.on('indexing', ({ repository, state }) => {
      const { versionResults, openedId } = useCompare.getState();
      if (repository === openedId && versionResults === null && state.phase === 'current')
        searchVersion();
    }),
    useApp.subscribe(({ repository }, before) => {
      if (repository?.root === before.repository?.root) return;
      closeVersion();
      useCompare.setState(NOTHING);
    }),
  );
