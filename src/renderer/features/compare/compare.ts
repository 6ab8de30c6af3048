/** With what the list is compared: an earlier search of this window, or the same search at another version. */
import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { engine, openPlaces } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll } from '../../platform/lifetime.ts';
import type { Version } from '../../platform/navigation.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { issueNow, requestShown, responseNow, responseOf, useSearch } from '../search/index.ts';
import type { Compared } from './changes.ts';
import { type KeptSearch, withSearch } from './earlier.ts';

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
