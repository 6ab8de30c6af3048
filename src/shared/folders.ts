/** Folders on the engine's machine, and the repositories that were opened in them. */

import { badInput } from './errors.ts';
import type { RepositoryStatus } from './indexing.ts';

export interface FolderListing {
  path: string;
  /** Parent folder; null if it may not be opened. */
  parent: string | null;
  folders: { name: string; path: string; repository: boolean }[];
  /** Number of folders that were left out because there are too many. */
  hidden: number;
}

/** Repositories in a folder, by path, with notes for the user about folders that were left out. */
export interface RepositoryListing {
  roots: string[];
  notes: string[];
}

export interface RecentRepository {
  /** Path, or an encoded workspace, see `encodeWorkspace`. */
  root: string;
  name: string;
  chunks: number;
  /** Last recorded state of the index. */
  state: RepositoryStatus['state'];
  /** Present state of the folder. */
  folder: FolderState;
}

/**
 * State of a folder. `unreadable`: the system refuses to list it. `not-allowed`: it is outside the folder that the host may
 * open. `no-repository`: the folder exists, but is no longer in a git repository.
 */
export type FolderState =
  | 'there'
  | 'missing'
  | 'not-a-folder'
  | 'unreadable'
  | 'not-allowed'
  | 'no-repository';

/**
 * Rejects an empty path, which often comes from an unset shell variable. Otherwise the current folder would be indexed.
 * @throws LocusError `bad-input`
 */
export function rejectEmptyPath(path: string): void {
  if (path !== '') return;
  throw badInput('The path is empty.', 'Enter the path of a folder. Use . for the current folder.');
}
