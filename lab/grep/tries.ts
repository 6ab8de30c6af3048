/** Simulates the three searches that a person makes, and finds the rank of the right function in their results. */

import { findPastableNames, findTitleWords } from '../bench/support/typed-words.ts';
import { filterSource, type Line, type Searched, type Tool } from './tools.ts';

export const TRIES = ['rarest word', 'two rarest words', 'pasted name'] as const;

/** Result of one try, or null if the issue has nothing to search for in this way. */
export type Tried = Searched | null;

/**
 * Searches for the title's rarest word; for the two rarest words, in files that have both; and for the rarest name in the issue.
 * The person is assumed to know which words are rare, so that only the three searches are timed. Lines of tests and docs are
 * left out.
 */
export async function runThreeTries(
  tool: Tool,
  issue: string,
  folders: readonly string[],
): Promise<Tried[]> {
  const search = async (word: string) => {
    const { lines, milliseconds } = await tool.search(word, folders);
    return { lines: filterSource(lines, folders), milliseconds };
  };
  const rarestFirst = async (words: readonly string[]): Promise<Searched[]> => {
    const found: Searched[] = [];
    for (const word of words) found.push(await search(word));
    return found
      .filter(({ lines }) => lines.length > 0)
      .sort((a, b) => a.lines.length - b.lines.length);
  };
  const [first, second] = await rarestFirst(findTitleWords(issue));
  const [pasted] = await rarestFirst(findPastableNames(issue));
  return [first ?? null, first && second ? intersectFiles(first, second) : null, pasted ?? null];
}

/** Returns the lines of two searches in the files that both found. */
export function intersectFiles(one: Searched, other: Searched): Searched {
  const pathsOf = ({ lines }: Searched) => new Set(lines.map(({ path }) => path));
  const both = pathsOf(one).intersection(pathsOf(other));
  const lines = [...one.lines, ...other.lines]
    .filter(({ path }) => both.has(path))
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  return { lines, milliseconds: one.milliseconds + other.milliseconds };
}

/** Orders lines by file, the file with most lines first. */
export function sortByMatches(lines: readonly Line[]): Line[] {
  const files = [...Map.groupBy(lines, ({ path }) => path).values()];
  return files.sort((a, b) => b.length - a.length).flat();
}

/**
 * Returns the rank of the first right function when lines are read in order: one more than the number of functions seen before.
 * A line outside of functions does not count, and any line of a function shows all of it.
 * @param functionOf returns the address of the function around a line; null outside of functions
 * @returns null if no line is in a right function
 */
export async function findRank(
  lines: readonly Line[],
  functionOf: (line: Line) => Promise<string | null>,
  right: ReadonlySet<string>,
): Promise<number | null> {
  const seen = new Set<string>();
  for (const line of lines) {
    const address = await functionOf(line);
    if (address === null) continue;
    seen.add(address);
    if (right.has(address)) return seen.size;
  }
  return null;
}
