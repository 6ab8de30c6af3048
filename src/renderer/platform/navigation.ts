import type { OpenedRepository } from '../../shared/repository.ts';
import { apart, rootsIn } from '../../shared/several.ts';

/** The window's address says what is open, so that reloading, going back and links work. */

/** A commit that is searched in place of the files. */
export interface Version {
  revision: string;
  /** The branch or tag that it was chosen by; null for a commit. */
  name: string | null;
}

export interface Place {
  root: string;
  /** Null for the files as they are. */
  version: Version | null;
}

export function placeInAddress(): Place | null {
  const query = new URLSearchParams(location.hash.slice(1));
  const root = query.get('root');
  const revision = query.get('revision');
  return root ? { root, version: revision ? { revision, name: query.get('name') } : null } : null;
}

/** `instead`: in the place of what stands there, which names the same otherwise, or cannot be opened; else `back` leads there. */
export function showPlace(place: Place | null, { instead = false } = {}): void {
  const { root, version } = place ?? {};
  const parts = {
    ...(root !== undefined && { root }),
    ...(version && { revision: version.revision }),
    ...(version?.name && { name: version.name }),
  };
  const hash = place ? `#${new URLSearchParams(parts)}` : '';
  if (hash === location.hash) return;
  const url = hash || location.pathname;
  if (instead) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
}

export const titleOfPlace = (root: string): string => rootsIn(root)?.join(', ') ?? root;

/** Returns the folder of a file's repository, and the path of the file there. */
export function locate(
  { root, members = [] }: Pick<OpenedRepository, 'root' | 'members'>,
  path: string,
): { root: string; path: string } {
  const own = apart(path, (name) => members.some((member) => member.name === name));
  const member = members.find(({ name }) => name === own?.name);
  return own && member ? { root: member.root, path: own.path } : { root, path };
}
