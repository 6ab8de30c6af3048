/** A search of all repositories of a company: what is asked, what was found, and how a result comes to be open here. */
import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import type {
  CloneProgress,
  FleetAnswer,
  FleetResult,
  FleetStatus,
} from '../../../shared/fleet.ts';
import { isIssueLink } from '../../../shared/issue-link.ts';
import { formatLink } from '../../../shared/locus-link.ts';
import { parseRemote, remoteName } from '../../../shared/remote-url.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop } from '../../platform/lifetime.ts';
import { openRepository, useApp } from '../../platform/state.ts';
import { arriveAt } from '../link/index.ts';
import { issueNow, loadIssue } from '../search/index.ts';

interface FleetState {
  issue: string;
  /** The issue that the results are of. */
  searched: string;
  searching: boolean;
  answer: FleetAnswer | null;
  failure: Failure | null;
  /** The address of the row, in `answer`. */
  active: number;
  clone: Cloning | null;
  status: FleetStatus | null;
  reading: boolean;
  statusFailure: Failure | null;
  /** The issue of the editor that was taken last: what was changed here since stays until there is another one there. */
  taken: string;
}

/** A result whose repository is being cloned, or could not be. */
interface Cloning {
  result: FleetResult;
  progress: CloneProgress | null;
  failure: Failure | null;
  stop: () => void;
}

export const useFleet = create<FleetState>(() => ({
  issue: '',
  searched: '',
  searching: false,
  answer: null,
  failure: null,
  active: 0,
  clone: null,
  status: null,
  reading: false,
  statusFailure: null,
  taken: '',
}));

/** Takes the issue over that is in the editor. */
export function takeIssue(): void {
  const { text } = issueNow();
  if (text.trim() === '' || text === useFleet.getState().taken) return;
  useFleet.setState({ issue: text, taken: text });
}

/** A link has no words that could be searched for. */
export const canSearch = (issue: string): boolean => issue.trim() !== '' && !isIssueLink(issue);

const searching = new LatestRequest();

/** Sends the words of the issue to the fleet's engine; a search that runs is given up. */
export async function searchAll(): Promise<void> {
  const { issue } = useFleet.getState();
  const { settings } = useApp.getState();
  if (!canSearch(issue)) return;
  const signal = searching.begin();
  useFleet.setState({ searching: true, failure: null });
  try {
    const request = { issue, ...(settings && { limit: settings.limit, tests: settings.tests }) };
    const answer = await engine.call('fleet.search', { request }, { signal });
    useFleet.setState({ searching: false, searched: issue, answer, active: 0 });
  } catch (error) {
    if (!searching.isLatest(signal)) return;
    useFleet.setState({
      searching: false,
      ...(!isCancelled(error) && { failure: error as Failure, answer: null }),
    });
  }
}

/** Another fleet: what was read of the one before is none of this one's. */
export const followFleet = (): Stop =>
  engine.on('fleet', () => {
    stopSearch();
    useFleet.setState({
      searched: '',
      answer: null,
      failure: null,
      active: 0,
      status: null,
      statusFailure: null,
    });
  });

export const stopSearch = (): void => searching.cancel();

/** Reads what became of the fleet's repositories. */
export async function readStatus(): Promise<void> {
  useFleet.setState({ reading: true, statusFailure: null });
  try {
    const status = await engine.call('fleet.status', {});
    useFleet.setState({ reading: false, status });
  } catch (error) {
    useFleet.setState({ reading: false, statusFailure: error as Failure });
  }
}

/** Opens a result in a folder that has its repository, with the issue that found it. */
export async function openHere(result: FleetResult, root: string): Promise<void> {
  const { searched } = useFleet.getState();
  await openRepository(root);
  if (useApp.getState().openFailure) return;
  if (issueNow().text !== searched) loadIssue(searched);
  useFleet.setState({ taken: searched });
  await arriveAt(linkTo(result));
}

/** Returns a link as a colleague would send it. A folder without a remote is identified by the commit. */
function linkTo({ url, commit, path, qualifiedName, ordinal, startLine }: FleetResult): string {
  const remote = parseRemote(url);
  return formatLink({
    repository: remote && remoteName(remote),
    commit,
    path,
    name: qualifiedName,
    ordinal,
    line: startLine > 0 ? startLine : null,
    content: null,
  });
}

/**
 * Clones the repository of a result into a folder of its name in `into`.
 * @returns its folder; null where it failed or was given up, which the state says.
 */
export async function cloneFor(result: FleetResult, into: string): Promise<string | null> {
  const controller = new AbortController();
  const run = crypto.randomUUID();
  const stop = () => controller.abort();
  const state = { result, progress: null, failure: null, stop };
  useFleet.setState({ clone: state });
  const still = engine.on('cloning', (told) => {
    if (told.run === run) useFleet.setState({ clone: { ...state, progress: told.progress } });
  });
  try {
    const { repository: name, ref } = result;
    const { root } = await engine.call('fleet.clone', { run, name, ref, into }, controller);
    useFleet.setState(({ answer }) => ({
      clone: null,
      answer: answer && { ...answer, here: { ...answer.here, [name]: root } },
    }));
    return root;
  } catch (error) {
    const failure = isCancelled(error) ? null : (error as Failure);
    useFleet.setState({ clone: failure && { ...state, failure } });
    return null;
  } finally {
    still();
  }
}
