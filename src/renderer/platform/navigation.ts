import type { OpenedRepository } from '../../shared/repository.ts';
import { decodeWorkspace, splitMember } from '../../shared/workspace.ts';

/** Stores the open repository in the window's URL, so that reloading, going back and links work. */

/** A commit that is searched instead of the working tree. */
export interface Version {
  revision: string;
  /** Branch or tag by which it was chosen; null for a commit. */
  name: string | null;
}

export interface WindowLocation {
  root: string;
  /** Null for the working tree. */
  version: Version | null;
}

export function readWindowLocation(): WindowLocation | null {
  const query = new URLSearchParams(location.hash.slice(1));
  const root = query.get('root');
  const revision = query.get('revision');
  return root ? { root, version: revision ? { revision, name: query.get('name') } : null } : null;
}

/**
 * Updates the window's URL. With `instead`, it replaces the current URL, which names the same repository in another way or
 * cannot be opened. Otherwise going back leads to the current URL.
 */
export function writeWindowLocation(place: WindowLocation | null, { instead = false } = {}): void {
  const { root, version } = place ?? {};
  const params = {
    ...(root !== undefined && { root }),
    ...(version && { revision: version.revision }),
    ...(version?.name && { name: version.name }),
  };
  const hash = place ? `#${new URLSearchParams(params)}` : '';
  if (hash === location.hash) return;
  const url = hash || location.pathname;
  if (instead) history.replaceState(null, '', url);
  else history.pushState({ isClosed: place === null }, '', url);
}

/** Returns true if the user closed the repository, so that a reload does not open the last one. */
export const isClosed = (): boolean => history.state?.isClosed === true;

export const formatRoot = (root: string): string => decodeWorkspace(root)?.join(', ') ?? root;

/** Returns the folder of a file's repository, and the file's path relative to it. */
export function locateFile(
  { root, members = [] }: Pick<OpenedRepository, 'root' | 'members'>,
  path: string,
): { root: string; path: string } {
  const own = splitMember(path, (name) => members.some((member) => member.name === name));
  const member = members.find(({ name }) => name === own?.name);
  return own && member ? { root: member.root, path: own.path } : { root, path };
}
