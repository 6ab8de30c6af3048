/** Orders what `grep` found, in one repository and in a workspace. */
import type { MatchingFile, MatchingFunction } from './grep.ts';

const NAMED = ['whole', 'part', 'none'] as const;

type RankedFunction = Pick<
  MatchingFunction,
  'role' | 'named' | 'callers' | 'path' | 'startLine' | 'endLine'
>;

/** Sorts functions: source files first, then by how much of the name matches, the number of callers, path and line. */
export function sortMatchingFunctions<T extends RankedFunction>(functions: readonly T[]): T[] {
  return functions.toSorted(
    (a, b) =>
      compareRoles(a, b) ||
      NAMED.indexOf(a.named) - NAMED.indexOf(b.named) ||
      b.callers - a.callers ||
      comparePaths(a, b) ||
      a.startLine - b.startLine ||
      a.endLine - b.endLine,
  );
}

/** Sorts files: source files first, then by path. */
export function sortMatchingFiles<T extends Pick<MatchingFile, 'path' | 'role'>>(
  files: readonly T[],
): T[] {
  return files.toSorted((a, b) => compareRoles(a, b) || comparePaths(a, b));
}

const compareRoles = (a: Pick<MatchingFile, 'role'>, b: Pick<MatchingFile, 'role'>) =>
  Number(a.role !== 'source') - Number(b.role !== 'source');

const comparePaths = (a: { path: string }, b: { path: string }) =>
  a.path < b.path ? -1 : Number(a.path > b.path);
