/** An issue URL in the editor: the offer to fetch it, the user's consent, and the fetched issue. */
import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { type FetchedIssue, type FetchOffer, isIssueUrl } from '../../../shared/issue-url.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { editSettings, useApp } from '../../platform/state.ts';
import { getIssue, loadIssue, saveIssue } from './issue.ts';
import { useSearch } from './search-state.ts';

interface LinkState {
  /** Pasted issue URL, which is fetched at once if the user consented to its host before. */
  pasted: string | null;
  /** Issue URL in the editor; null for any other text. */
  text: string | null;
  /** Null until the engine answers, and for a URL that cannot be fetched. */
  offer: FetchOffer | null;
  phase: 'asked' | 'declined' | 'fetching';
  failure: Failure | null;
  comments: boolean;
  fetched: { issue: string; what: FetchedIssue } | null;
}

const NONE = { text: null, offer: null, phase: 'asked', failure: null } as const;
export const useIssueUrl = create<LinkState>(() => ({
  ...NONE,
  pasted: null,
  comments: false,
  fetched: null,
}));

const AFTER_TYPING_MS = 250;
const offering = new Timer();
const fetching = new LatestRequest();

/** Records that the next text in the editor was pasted. */
export function recordPaste(text: string): void {
  useIssueUrl.setState({ pasted: isIssueUrl(text) ? text : null });
}

/** Requests an offer to fetch the issue whenever the editor contains an issue URL. */
export function followIssueUrls(): Stop {
  return stopAll(
    useSearch.subscribe(({ issue: { text: now } }, { issue: { text: before } }) => {
      if (now === before) return;
      fetching.cancel();
      offering.clear();
      const { text, pasted } = useIssueUrl.getState();
      const isLink = isIssueUrl(now);
      if (!isLink && text === null) return;
      useIssueUrl.setState({ ...NONE, text: isLink ? now : null });
      if (isLink) offering.set(requestOffer, pasted === now ? 0 : AFTER_TYPING_MS);
    }),
    () => offering.clear(),
    () => fetching.cancel(),
  );
}

/** Requests an offer for the issue URL in the editor. Nothing is fetched. */
export async function requestOffer(): Promise<void> {
  const { text, pasted } = useIssueUrl.getState();
  const { repository } = useApp.getState();
  if (text === null || !repository) return;
  const isCurrent = () => useIssueUrl.getState().text === text;
  try {
    const offer = await engine.call('issueLink.offer', { repository: repository.id, text });
    if (!isCurrent()) return;
    useIssueUrl.setState({ offer, phase: 'asked', failure: null });
    if (offer?.agreed && pasted === text) await fetchIssue();
  } catch (error) {
    if (isCurrent()) useIssueUrl.setState({ failure: error as Failure });
  } finally {
    if (useIssueUrl.getState().pasted === text) useIssueUrl.setState({ pasted: null });
  }
}

/** Fetches the issue, with the user's consent, and loads it into the editor. */
export async function fetchIssue(): Promise<void> {
  const { text, offer, comments } = useIssueUrl.getState();
  const { repository } = useApp.getState();
  if (text === null || !offer || !repository) return;
  const signal = fetching.begin();
  useIssueUrl.setState({ phase: 'fetching', failure: null });
  const host = offer.agreed ? null : offer.host;
  const request = { repository: repository.id, text, host, comments };
  try {
    const what = await engine.call('issueLink.fetch', request, { signal });
    if (!signal.aborted) await loadFetched(what);
  } catch (error) {
    if (!fetching.isLatest(signal) || useIssueUrl.getState().text !== text) return;
    useIssueUrl.setState({
      phase: 'asked',
      failure: isCancelled(error) ? null : (error as Failure),
    });
  }
}

/** Loads a fetched issue as a new one, so that the previous issue stays in the history unchanged. */
async function loadFetched(what: FetchedIssue): Promise<void> {
  loadIssue(what.text, crypto.randomUUID(), what.source);
  // It may match an earlier issue. Saving at once gives it the earlier one's id and marks.
  await saveIssue();
  useIssueUrl.setState({ fetched: { issue: getIssue().id, what } });
}

export async function fetchAlways(): Promise<void> {
  const { offer } = useIssueUrl.getState();
  if (!offer) return;
  await editSettings(({ fetchHosts }) => ({
    fetchHosts: [...new Set([...fetchHosts, offer.host])],
  }));
  await fetchIssue();
}

export const cancelFetch = (): void => fetching.cancel();

export const declineFetch = (): void => useIssueUrl.setState({ phase: 'declined', failure: null });

export const setWithComments = (comments: boolean): void => useIssueUrl.setState({ comments });

export const dismissFetched = (): void => useIssueUrl.setState({ fetched: null });
