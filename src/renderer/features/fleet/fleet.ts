/** State of the search of all repositories of an organization, and functions to open its results. */
import { create } from 'zustand';
import { formatDeepLink } from '../../../shared/deep-link.ts';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type {
  CloneProgress,
  FleetAnswer,
  FleetResult,
  FleetStatus,
} from '../../../shared/fleet.ts';
import { isIssueUrl } from '../../../shared/issue-url.ts';
import { formatRemoteName, parseRemote } from '../../../shared/remote-url.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop } from '../../platform/lifetime.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { showDeepLinkTarget } from '../deep-link/index.ts';
import { getIssue, loadIssue } from '../search/index.ts';

interface FleetState {
  issue: string;
  /** Issue that the results are for. */
  searchedIssue: string;
  searching: boolean;
  answer: FleetAnswer | null;
  failure: Failure | null;
  /** Index of the active row in `answer.results`. */
  active: number;
  clone: Cloning | null;
  status: FleetStatus | null;
  isLoadingStatus: boolean;
  statusFailure: Failure | null;
  /** Issue that was last copied from the editor. Changes made here stay until the editor has a different issue. */
  copiedIssue: string;
}

/** A result whose repository is being cloned, or whose clone failed. */
interface Cloning {
  result: FleetResult;
  progress: CloneProgress | null;
  failure: Failure | null;
  stop: () => void;
}

export const useFleet = create<FleetState>(() => ({
  issue: '',
  searchedIssue: '',
  searching: false,
  answer: null,
  failure: null,
  active: 0,
  clone: null,
  status: null,
  isLoadingStatus: false,
  statusFailure: null,
  copiedIssue: '',
}));

/** Copies the issue from the editor, unless it is empty or was copied before. */
export function copyEditorIssue(): void {
  const { text } = getIssue();
  if (text.trim() === '' || text === useFleet.getState().copiedIssue) return;
  useFleet.setState({ issue: text, copiedIssue: text });
}

/** Returns true for a text with words to search for. An issue URL has none. */
export const canSearch = (issue: string): boolean => issue.trim() !== '' && !isIssueUrl(issue);

const searching = new LatestRequest();

/** Sends the words of the issue to the fleet's engine. A search in progress is canceled. */
export async function searchAllRepositories(): Promise<void> {
  const { issue } = useFleet.getState();
  const { settings } = useApp.getState();
  if (!canSearch(issue)) return;
  const signal = searching.begin();
  useFleet.setState({ searching: true, failure: null });
  try {
    const request = { issue, ...(settings && { limit: settings.limit, tests: settings.tests }) };
    const answer = await engine.call('fleet.search', { request }, { signal });
    useFleet.setState({ searching: false, searchedIssue: issue, answer, active: 0 });
  } catch (error) {
    if (!searching.isLatest(signal)) return;
    useFleet.setState({
      searching: false,
      ...(!isCancelled(error) && { failure: error as Failure, answer: null }),
    });
  }
}

/** Clears results and status when another fleet is set. */
export const resetOnFleetChange = (): Stop =>
  engine.on('fleet', () => {
    cancelFleetSearch();
    useFleet.setState({
      searchedIssue: '',
      answer: null,
      failure: null,
      active: 0,
      status: null,
      statusFailure: null,
    });
  });

export const cancelFleetSearch = (): void => searching.cancel();

/** Loads the states of the fleet's repositories. */
export async function loadFleetStatus(): Promise<void> {
  useFleet.setState({ isLoadingStatus: true, statusFailure: null });
  try {
    const status = await engine.call('fleet.status', {});
    useFleet.setState({ isLoadingStatus: false, status });
  } catch (error) {
    useFleet.setState({ isLoadingStatus: false, statusFailure: error as Failure });
  }
}

/** Opens a result in a folder with its repository, and loads the issue that was searched for. */
export async function openInFolder(result: FleetResult, root: string): Promise<void> {
  const { searchedIssue } = useFleet.getState();
  await openRepository(root);
  if (useApp.getState().openFailure) return;
  if (getIssue().text !== searchedIssue) loadIssue(searchedIssue);
  useFleet.setState({ copiedIssue: searchedIssue });
  await showDeepLinkTarget(formatResultLink(result));
}

/** Returns a deep link to a result. The commit identifies a repository that has no remote. */
function formatResultLink({
  url,
  commit,
  path,
  qualifiedName,
  ordinal,
  startLine,
}: FleetResult): string {
  const remote = parseRemote(url);
  return formatDeepLink({
    repository: remote && formatRemoteName(remote),
    commit,
    path,
    name: qualifiedName,
    ordinal,
    line: startLine > 0 ? startLine : null,
    content: null,
  });
}

/**
 * Clones the repository of a result into a subfolder of `into`.
 * @returns The new folder; null if the clone failed or was canceled. The failure is in the state.
 */
export async function cloneResultRepository(
  result: FleetResult,
  into: string,
): Promise<string | null> {
  const controller = new AbortController();
  const run = crypto.randomUUID();
  const stop = () => controller.abort();
  const state = { result, progress: null, failure: null, stop };
  useFleet.setState({ clone: state });
  const unsubscribe = engine.on('cloning', (event) => {
    if (event.run === run) useFleet.setState({ clone: { ...state, progress: event.progress } });
  });
  try {
    const { repository: name, ref } = result;
    const { root } = await engine.call('fleet.clone', { run, name, ref, into }, controller);
    useFleet.setState(({ answer }) => ({
      clone: null,
      answer: answer && { ...answer, localFolders: { ...answer.localFolders, [name]: root } },
    }));
    return root;
  } catch (error) {
    const failure = isCancelled(error) ? null : (error as Failure);
    useFleet.setState({ clone: failure && { ...state, failure } });
    return null;
  } finally {
    unsubscribe();
  }
}
