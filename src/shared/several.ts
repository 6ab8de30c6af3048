/** Several repositories that are open together: as one place, and what theirs is called among them. */
import type { IndexingState } from './indexing.ts';

/**
 * Several folders as the one place that a window opens: where a repository's root stands, in requests, in the window's
 * address and in `app.db`, they stand as a JSON list. No whole path begins with a bracket.
 */
export function placeOf(roots: readonly string[]): string {
  return JSON.stringify([...new Set(roots)].sort());
}

/** The folders of such a place; null for one repository's root. */
export function rootsIn(place: string): string[] | null {
  if (!place.startsWith('[')) return null;
  try {
    const roots: unknown = JSON.parse(place);
    const isList = Array.isArray(roots) && roots.every((root) => typeof root === 'string');
    return isList && roots.length > 0 ? roots : null;
  } catch {
    // Not JSON.
    return null;
  }
}

export interface MemberRepository {
  /** What it is called among them, without a slash. */
  name: string;
  root: string;
  /** As the id of a repository that is open alone; null where it could not be opened. */
  id: string | null;
  indexing: IndexingState;
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

/**
 * Calibrated measures of how well a repository fits an issue. Scores are standardized over the candidates of one search, so
 * those of two repositories cannot be compared; these can.
 */
export interface Standing {
  /** The values that a confidence is computed from, by name; see `rank/confidence.ts` in the engine's search. */
  evidence: Record<string, number>;
  chunks: number;
  /** Number of chunks that have each telling word of the issue, 0 included. */
  words: Record<string, number>;
  /** Names, paths and frames of tracebacks in the issue that exist in the repository, as they are written. */
  named: string[];
  /** Returns for each place in the list the probability of being edited, given that the repository has the answer (softmax of scores). */
  shares: number[];
}
