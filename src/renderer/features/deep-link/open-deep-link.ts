/** Opens `locus://` deep links: first the repository, then the location in it. */
import { create } from 'zustand';
import type { DeepLinkTarget, ResolvedDeepLink } from '../../../shared/deep-link.ts';
import type { Failure } from '../../../shared/errors.ts';
import { engine } from '../../platform/client.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { closeOverlay, openOverlay } from '../../platform/overlays.ts';
import { showPanel } from '../../platform/panes.ts';
import { addNote, openRepository, useApp } from '../../platform/state.ts';
import { select } from '../search/index.ts';

interface PendingLink extends DeepLinkTarget {
  link: string;
}

/** Link that is being opened; null if none exists. */
export const usePendingLink = create<{ pending: PendingLink | null }>(() => ({ pending: null }));

/** Opens a deep link. If its repository was never opened before, asks the user for the folder. */
export async function openDeepLink(link: string): Promise<void> {
  usePendingLink.setState({ pending: null });
  try {
    const found = await engine.call('link.find', { link });
    usePendingLink.setState({ pending: { link, ...found } });
    if (found.root === null) return openOverlay('link');
    closeOverlay();
    if (useApp.getState().repository?.root !== found.root) await openRepository(found.root);
    await showTarget();
  } catch (error) {
    showFailure(error as Failure);
  }
}

/** Shows the target of a deep link in the open repository, as soon as it is indexed. */
export async function showDeepLinkTarget(link: string): Promise<void> {
  try {
    const found = await engine.call('link.find', { link });
    usePendingLink.setState({ pending: { link, ...found } });
    await showTarget();
  } catch (error) {
    showFailure(error as Failure);
  }
}

export const clearPendingLink = (): void => usePendingLink.setState({ pending: null });

/** Shows the target of the pending link if it is indexed. Called again as indexing goes on. */
async function showTarget(): Promise<void> {
  const { pending } = usePendingLink.getState();
  const { repository, indexing } = useApp.getState();
  if (!pending || !repository) return;
  try {
    const { link } = pending;
    const located = await engine.call('link.place', { repository: repository.id, link });
    if (usePendingLink.getState().pending !== pending) return;
    const isSettled = indexing?.phase === 'current' || indexing?.phase === 'failed';
    if (located.address === null && !isSettled) return;
    clearPendingLink();
    if (located.address !== null) {
      select(located.address);
      showPanel('preview');
    }
    const note = describeMismatch(pending, located, repository.name);
    if (note) addNote({ level: located.address === null ? 'warning' : 'info', ...note });
  } catch (error) {
    if (usePendingLink.getState().pending === pending) showFailure(error as Failure);
  }
}

/** Returns a note if the link's target is missing or has changed; null if it is the same. */
function describeMismatch(
  { repository, target }: PendingLink,
  { address, state, isThisRepository }: ResolvedDeepLink,
  name: string,
): { text: string; remedy: string | null } | null {
  if (!isThisRepository) {
    return {
      text: `The link is for ${repository}, but according to Git ${name} is not a clone of it.`,
      remedy: `Open a clone of ${repository}, then open the link again.`,
    };
  }
  if (address === null) {
    return {
      text: `The link points to ${target}, which is not in your version of ${name}.`,
      remedy: 'Update the repository, for example with git pull, and open the link again.',
    };
  }
  if (state === 'same') return null;
  return { text: `The link points to ${target}, which has ${state} since.`, remedy: null };
}

/** Shows a failure as a note, or on the start page if no repository is open. */
function showFailure(failure: Failure): void {
  clearPendingLink();
  const { code, message, remedy } = failure;
  if (useApp.getState().repository) addNote({ level: 'error', text: message, remedy });
  else useApp.setState({ openFailure: { code, message, remedy } });
}

/** Returns the deep link that `locus open` put into the window's address, and removes it, so that a reload does not open it again. */
function takeLinkFromAddress(): string | null {
  const query = new URLSearchParams(location.search);
  const link = query.get('link');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname + location.hash);
  return link;
}

/** Opens the link in the window's address, and shows its target as soon as it is indexed. */
export function followDeepLinks(): Stop {
  const link = takeLinkFromAddress();
  let isFirst = true;
  return stopAll(
    engine.on('welcome', ({ failure }) => {
      if (isFirst && link !== null && !failure) openDeepLink(link);
      isFirst = false;
    }),
    useApp.subscribe(({ repository, indexing }, before) => {
      if (repository?.id !== before.repository?.id || indexing !== before.indexing) showTarget();
    }),
  );
}
