/** Several repositories that are open together: their names, and how each stands in a search of all. */
import type { Failure } from './errors.ts';
import type { PartialRanking } from './search.ts';

/** One of several repositories that were searched. */
export interface SearchedRepository {
  /** What it is called among them, without a slash. */
  name: string;
  root: string;
  revision: string | null;
  files: number;
  chunks: number;
  /** How likely it is to be the one to edit, given that one of them is; 0 to 1. */
  chance: number;
  /** How likely one of its own first five results is to be edited; null where nobody can say. */
  confidence: number | null;
  /** Why its ranking is not final yet; null when it is. */
  partial: PartialRanking | null;
  /** Why it was not searched; null when it was. */
  failure: Failure | null;
  /** Results of it in the list. */
  results: number;
}

/**
 * A path or an address of one of several repositories, as it is known among them: as if they were folders of one tree, each
 * under its name.
 */
export function among(name: string, path: string): string {
  return `${name}/${path}`;
}

/** The reverse of `among`; null for what no repository of these names has. */
export function apart(
  path: string,
  isName: (name: string) => boolean,
): { name: string; path: string } | null {
  const slash = path.indexOf('/');
  const name = path.slice(0, Math.max(0, slash));
  return isName(name) ? { name, path: path.slice(slash + 1) } : null;
}
