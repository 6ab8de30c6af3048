/** A `locus://` link that is being opened: the repository first, then the place in it. */
import { create } from 'zustand';
import type { Failure } from '../../../shared/errors.ts';
import type { FoundLink, PlacedLink } from '../../../shared/locus-link.ts';
import { engine } from '../../platform/client.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { closeOverlay, openOverlay } from '../../platform/overlays.ts';
import { showPanel } from '../../platform/panes.ts';
import { addNote, openRepository, useApp } from '../../platform/state.ts';
import { select } from '../search/index.ts';

interface Pending extends FoundLink {
  link: string;
}

/** Null while there is none, and once it was opened or given up. */
export const useLink = create<{ pending: Pending | null }>(() => ({ pending: null }));

/** Opens a link: in a repository that was opened before, else the user is asked where it lies. */
export async function followLink(link: string): Promise<void> {
  useLink.setState({ pending: null });
  try {
    const found = await engine.call('link.find', { link });
    useLink.setState({ pending: { link, ...found } });
    if (found.root === null) return openOverlay('link');
    closeOverlay();
    if (useApp.getState().repository?.root !== found.root) await openRepository(found.root);
    await arrive();
  } catch (error) {
    refuse(error as Failure);
  }
}

/** Shows the place of a link in the repository that is open, as soon as that has it. */
export async function arriveAt(link: string): Promise<void> {
  try {
    const found = await engine.call('link.find', { link });
    useLink.setState({ pending: { link, ...found } });
    await arrive();
  } catch (error) {
    refuse(error as Failure);
  }
}

export const forgetLink = (): void => useLink.setState({ pending: null });

/** Shows the place as soon as the repository has it; asked again while it is indexed. */
async function arrive(): Promise<void> {
  const { pending } = useLink.getState();
  const { repository, indexing } = useApp.getState();
  if (!pending || !repository) return;
  try {
    const { link } = pending;
    const placed = await engine.call('link.place', { repository: repository.id, link });
    if (useLink.getState().pending !== pending) return;
    const settled = indexing?.phase === 'current' || indexing?.phase === 'failed';
    if (placed.address === null && !settled) return;
    forgetLink();
    if (placed.address !== null) {
      select(placed.address);
      showPanel('preview');
    }
    const said = wordsFor(pending, placed, repository.name);
    if (said) addNote({ level: placed.address === null ? 'warning' : 'info', ...said });
  } catch (error) {
    if (useLink.getState().pending === pending) refuse(error as Failure);
  }
}

function wordsFor(
  { repository, target }: Pending,
  { address, state, about }: PlacedLink,
  name: string,
): { text: string; remedy: string | null } | null {
  if (!about) {
    return {
      text: `The link is about ${repository}, and ${name} is not a clone of it as far as git says`,
      remedy: 'open the folder where it lies, then the link again',
    };
  }
  if (address === null) {
    return {
      text: `The link leads to ${target}, which is not in ${name} as it is here`,
      remedy:
        'bring the repository to the state that the link is of, as with git pull, and open it again',
    };
  }
  if (state === 'same') return null;
  return { text: `The link leads to ${target}, which has ${state} since`, remedy: null };
}

/** On the start page where nothing is open yet, else among the notes. */
function refuse(failure: Failure): void {
  forgetLink();
  const { code, message, remedy } = failure;
  if (useApp.getState().repository) addNote({ level: 'error', text: message, remedy });
  else useApp.setState({ openFailure: { code, message, remedy } });
}

/** A link in the window's own address, as `locus open` makes it; it is taken out, so that reloading does not follow it again. */
function takeLinkFromAddress(): string | null {
  const query = new URLSearchParams(location.search);
  const link = query.get('link');
  if (link === null) return null;
  history.replaceState(null, '', location.pathname + location.hash);
  return link;
}

/** Follows the link in the window's address, and shows its place as soon as the index has it. */
export function followLinks(): Stop {
  const link = takeLinkFromAddress();
  let first = true;
  return stopAll(
    engine.on('welcome', ({ failure }) => {
      if (first && link !== null && !failure) followLink(link);
      first = false;
    }),
    useApp.subscribe(({ repository, indexing }, before) => {
      if (repository?.id !== before.repository?.id || indexing !== before.indexing) arrive();
    }),
  );
}
