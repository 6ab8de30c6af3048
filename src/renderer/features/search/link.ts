/** A link in the place of an issue: what fetching it takes, whether the user agrees, and the issue that comes of it. */
import { create } from 'zustand';
import { type Failure, isCancelled } from '../../../shared/errors.ts';
import { type FetchedIssue, isIssueLink, type LinkOffer } from '../../../shared/issue-link.ts';
import { engine } from '../../platform/client.ts';
import { LatestRequest, type Stop, stopAll, Timer } from '../../platform/lifetime.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { issueNow, loadIssue, saveIssue } from './issue.ts';
import { useSearch } from './search-state.ts';

interface LinkState {
  /** A link that was pasted: one from a host that was agreed to is fetched at once. */
  pasted: string | null;
  /** The link that the editor holds and nothing else; null for other texts. */
  text: string | null;
  /** Null until it is known, and for a link that is not fetched. */
  offer: LinkOffer | null;
  phase: 'asked' | 'declined' | 'fetching';
  failure: Failure | null;
  comments: boolean;
  fetched: { issue: string; what: FetchedIssue } | null;
}

const NONE = { text: null, offer: null, phase: 'asked', failure: null } as const;
export const useLink = create<LinkState>(() => ({
  ...NONE,
  pasted: null,
  comments: false,
  fetched: null,
}));

const AFTER_TYPING_MS = 250;
const offering = new Timer();
const fetching = new LatestRequest();

/** The text that comes next was pasted. */
export function pasteLink(text: string): void {
  useLink.setState({ pasted: isIssueLink(text) ? text : null });
}

/** Looks up what fetching takes whenever the editor holds a link. */
export function followLinks(): Stop {
  return stopAll(
    useSearch.subscribe(({ issue: { text: now } }, { issue: { text: before } }) => {
      if (now === before) return;
      fetching.cancel();
      offering.clear();
      const { text, pasted } = useLink.getState();
      const isLink = isIssueLink(now);
      if (!isLink && text === null) return;
      useLink.setState({ ...NONE, text: isLink ? now : null });
      if (isLink) offering.set(offerLink, pasted === now ? 0 : AFTER_TYPING_MS);
    }),
    () => offering.clear(),
    () => fetching.cancel(),
  );
}

/** Looks up what fetching the link in the editor takes; nothing is fetched for that. */
export async function offerLink(): Promise<void> {
  const { text, pasted } = useLink.getState();
  const { repository } = useApp.getState();
  if (text === null || !repository) return;
  const isStill = () => useLink.getState().text === text;
  try {
    const offer = await engine.call('issueLink.offer', { repository: repository.id, text });
    if (!isStill()) return;
    useLink.setState({ offer, phase: 'asked', failure: null });
    if (offer?.agreed && pasted === text) await fetchLink();
  } catch (error) {
    if (isStill()) useLink.setState({ failure: error as Failure });
  } finally {
    if (useLink.getState().pasted === text) useLink.setState({ pasted: null });
  }
}

/** Fetches the link, as the user wants now or has agreed to before, and puts the issue in its place. */
export async function fetchLink(): Promise<void> {
  const { text, offer, comments } = useLink.getState();
  const { repository } = useApp.getState();
  if (text === null || !offer || !repository) return;
  const signal = fetching.begin();
  useLink.setState({ phase: 'fetching', failure: null });
  const host = offer.agreed ? null : offer.host;
  const request = { repository: repository.id, text, host, comments };
  try {
    const what = await engine.call('issueLink.fetch', request, { signal });
    if (!signal.aborted) await put(what);
  } catch (error) {
    if (!fetching.isLatest(signal) || useLink.getState().text !== text) return;
    useLink.setState({ phase: 'asked', failure: isCancelled(error) ? null : (error as Failure) });
  }
}

/** An issue of its own: what the editor held before the link stays in the history as it was. */
async function put(what: FetchedIssue): Promise<void> {
  loadIssue(what.text, crypto.randomUUID(), what.source);
  // At once: it may be an earlier one, whose id and marks it then has.
  await saveIssue();
  useLink.setState({ fetched: { issue: issueNow().id, what } });
}

export async function fetchAlways(): Promise<void> {
  const { offer } = useLink.getState();
  const { settings } = useApp.getState();
  if (!offer || !settings) return;
  await changeSettings({ fetchHosts: [...new Set([...settings.fetchHosts, offer.host])] });
  await fetchLink();
}

export const cancelFetch = (): void => fetching.cancel();

export const declineLink = (): void => useLink.setState({ phase: 'declined', failure: null });

export const commentsToo = (comments: boolean): void => useLink.setState({ comments });

export const dismissFetched = (): void => useLink.setState({ fetched: null });
