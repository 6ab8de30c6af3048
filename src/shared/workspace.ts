/** Workspaces: several repositories opened together. Encodes their folders as one string, and qualifies their paths. */
import type { IndexingState } from './indexing.ts';

/**
 * Encodes the folders of a workspace as a JSON list, which takes the place of a repository's root in requests, in the window's
 * URL and in `app.db`. It cannot be mistaken for an absolute path, since none starts with a bracket.
 */
export function encodeWorkspace(roots: readonly string[]): string {
  return JSON.stringify([...new Set(roots)].sort());
}

/** Decodes the folders of a workspace; null if the text is a single repository's root. */
export function decodeWorkspace(root: string): string[] | null {
  if (!root.startsWith('[')) return null;
  try {
    const roots: unknown = JSON.parse(root);
    const isList = Array.isArray(roots) && roots.every((root) => typeof root === 'string');
    return isList && roots.length > 0 ? roots : null;
  } catch {
    // The text is not JSON, so it is a path.
    return null;
  }
}

export interface MemberRepository {
  /** Name in the workspace, without a slash. */
  name: string;
  root: string;
  /** Id, as of a repository that is opened alone; null if it could not be opened. */
  id: string | null;
  indexing: IndexingState;
}

/**
 * Qualifies a path or an address of a repository for its workspace, as if the repositories were folders of one tree.
 */
export function joinMember(name: string, path: string): string {
  return `${name}/${path}`;
}

/** Splits a path qualified by `joinMember`; null if it does not start with a repository's name. */
export function splitMember(
  path: string,
  isName: (name: string) => boolean,
): { name: string; path: string } | null {
  const slash = path.indexOf('/');
  const name = path.slice(0, Math.max(0, slash));
  return isName(name) ? { name, path: path.slice(slash + 1) } : null;
}

/**
 * Calibrated measures of how well a repository matches an issue, comparable between repositories. Plain scores are not, since
 * they are standardized over the candidates of one search.
 */
export interface CalibratedScore {
  /** Inputs of the confidence, by name; see `rank/confidence.ts` in the engine's search. */
  evidence: Record<string, number>;
  chunks: number;
  /** Number of chunks that contain each informative word of the issue, 0 included. */
  words: Record<string, number>;
  /** Names, paths and traceback frames in the issue that exist in the repository, as written in the issue. */
  named: string[];
  /** Probability for each rank that the fix edits this result, given that it edits this repository (softmax of scores). */
  probabilities: number[];
}
