/** A link in the place of an issue: what fetching it takes, whether the user agrees, and the issue that comes of it. */
import { create } from 'zustand';
import type { Failure } from '../../../shared/errors.ts';
import { type FetchedIssue, isIssueLink, type LinkOffer } from '../../../shared/issue-link.ts';
import { engine } from '../../platform/client.ts';
import { changeSettings, isCancelled, useApp } from '../../platform/state.ts';
import { loadIssue, saveIssue, useIssue } from './issue.ts';

interface LinkState {
  /** The link that the editor holds and nothing else; null for other texts. */
  text: string | null;
  /** Null until it is known, and for a link that is not fetched. */
  offer: LinkOffer | null;
  phase: 'asked' | 'declined' | 'fetching';
  /** Why it is not fetched, or was not. */
  failure: Failure | null;
  /** Whether comments are wanted, too. */
  comments: boolean;
  /** What was fetched last, and the issue that it became. */
  fetched: { issue: string; what: FetchedIssue } | null;
}

const NONE = { text: null, offer: null, phase: 'asked', failure: null } as const;
export const useLink = create<LinkState>(() => ({ ...NONE, comments: false, fetched: null }));

const AFTER_TYPING_MS = 250;
let timer = 0;
let pasted: string | null = null;
let running: AbortController | null = null;

/** The text that comes next was pasted: a link from a host that was agreed to is then fetched at once. */
export function pasteLink(text: string): void {
  pasted = isIssueLink(text) ? text : null;
}

useIssue.subscribe(({ text: now }, { text: before }) => {
  if (now === before) return;
  running?.abort();
  clearTimeout(timer);
  const isLink = isIssueLink(now);
  if (!isLink && useLink.getState().text === null) return;
  useLink.setState({ ...NONE, text: isLink ? now : null });
  if (isLink) timer = window.setTimeout(offerLink, pasted === now ? 0 : AFTER_TYPING_MS);
});

/** Looks up what fetching the link in the editor takes; nothing is fetched for that. */
export async function offerLink(): Promise<void> {
  const { text } = useLink.getState();
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
    if (pasted === text) pasted = null;
  }
}

/** Fetches the link, as the user wants now or has agreed to before, and puts the issue in its place. */
export async function fetchLink(): Promise<void> {
  const { text, offer, comments } = useLink.getState();
  const { repository } = useApp.getState();
  if (text === null || !offer || !repository) return;
  running?.abort();
  const controller = new AbortController();
  running = controller;
  useLink.setState({ phase: 'fetching', failure: null });
  const host = offer.agreed ? null : offer.host;
  const request = { repository: repository.id, text, host, comments };
  try {
    const what = await engine.call('issueLink.fetch', request, { signal: controller.signal });
    if (running === controller) await put(what);
  } catch (error) {
    if (running !== controller || useLink.getState().text !== text) return;
    useLink.setState({ phase: 'asked', failure: isCancelled(error) ? null : (error as Failure) });
  }
}

/** An issue of its own: what the editor held before the link stays in the history as it was. */
async function put(what: FetchedIssue): Promise<void> {
  loadIssue(what.text, crypto.randomUUID(), what.source);
  // At once: it may be an earlier one, whose id and marks it then has.
  await saveIssue();
  useLink.setState({ fetched: { issue: useIssue.getState().id, what } });
}

/** Agrees to the host for all links, and fetches this one. */
export async function fetchAlways(): Promise<void> {
  const { offer } = useLink.getState();
  const { settings } = useApp.getState();
  if (!offer || !settings) return;
  await changeSettings({ fetchHosts: [...new Set([...settings.fetchHosts, offer.host])] });
  await fetchLink();
}

export function cancelFetch(): void {
  running?.abort();
}

export function declineLink(): void {
  useLink.setState({ phase: 'declined', failure: null });
}

export function commentsToo(comments: boolean): void {
  useLink.setState({ comments });
}

export function dismissFetched(): void {
  useLink.setState({ fetched: null });
}
