/** Folders of the engine's machine, and the repositories that were opened in them. */

import { badInput } from './errors.ts';
import type { RepositoryStatus } from './indexing.ts';

export interface FolderListing {
  path: string;
  /** null where going up is not allowed. */
  parent: string | null;
  folders: { name: string; path: string; repository: boolean }[];
  /** Folders that were left out because there are too many. */
  hidden: number;
}

/** Repositories in a folder, by path, and what a person should know of what was left out. */
export interface FoundRepositories {
  roots: string[];
  notes: string[];
}

export interface RecentRepository {
  /** Or the place of several, see `placeOf`. */
  root: string;
  name: string;
  chunks: number;
  /** Of the index, when it was last seen. */
  state: RepositoryStatus['state'];
  /** What has become of the folder since. */
  folder: FolderState;
}

/**
 * `unreadable`: the system refuses to list it; `not-allowed`: it is outside of what the host may open;
 * `no-repository`: a folder that was in a git repository before.
 */
export type FolderState =
  | 'there'
  | 'missing'
  | 'not-a-folder'
  | 'unreadable'
  | 'not-allowed'
  | 'no-repository';

/**
 * An empty path is what a variable makes that is not set. Taken for the folder that one is in, it would index that.
 * @throws LocusError `bad-input`
 */
export function refuseEmptyPath(path: string): void {
  if (path !== '') return;
  throw badInput(
    'an empty path names no folder',
    'give the path of a folder; . is the one that you are in',
  );
}
