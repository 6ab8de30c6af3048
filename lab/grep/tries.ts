/** The three searches that a person makes, and where the right function stands in what they show. */

import { pastable, titleWords } from '../bench/support/typed-words.ts';
import { inSource, type Line, type Searched, type Tool } from './tools.ts';

export const TRIES = ['rarest word', 'two rarest words', 'pasted name'] as const;

/** What one try shows, or null where the issue has nothing to search for that way. */
export type Tried = Searched | null;

/**
 * The title's rarest word; the lines with one of the two rarest in files that have both; and the rarest of the names in the issue. The person is taken to know
 * for nothing which of the words that occur is rare: only the searches that they make are timed. Lines of tests and docs are left out.
 */
export async function threeTries(
  tool: Tool,
  issue: string,
  folders: readonly string[],
): Promise<Tried[]> {
  const search = async (word: string) => {
    const { lines, milliseconds } = await tool.search(word, folders);
    return { lines: inSource(lines, folders), milliseconds };
  };
  const rarestFirst = async (words: readonly string[]): Promise<Searched[]> => {
    const found: Searched[] = [];
    for (const word of words) found.push(await search(word));
    return found
      .filter(({ lines }) => lines.length > 0)
      .sort((a, b) => a.lines.length - b.lines.length);
  };
  const [first, second] = await rarestFirst(titleWords(issue));
  const [pasted] = await rarestFirst(pastable(issue));
  return [first ?? null, first && second ? bothOf(first, second) : null, pasted ?? null];
}

/** The lines of two searches in the files that are in both. */
export function bothOf(one: Searched, other: Searched): Searched {
  const pathsOf = ({ lines }: Searched) => new Set(lines.map(({ path }) => path));
  const both = pathsOf(one).intersection(pathsOf(other));
  const lines = [...one.lines, ...other.lines]
    .filter(({ path }) => both.has(path))
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  return { lines, milliseconds: one.milliseconds + other.milliseconds };
}

/** The same lines, the file with most of them first. */
export function mostFirst(lines: readonly Line[]): Line[] {
  const files = [...Map.groupBy(lines, ({ path }) => path).values()];
  return files.sort((a, b) => b.length - a.length).flat();
}

/**
 * The rank of the first right function when lines are read from the first to the last: one more than the functions that were seen
 * before. A line outside of any function costs nothing, and any line of a function shows all of it.
 * @param functionOf the address of the function around a line; null outside of functions
 * @returns null where no line is in a right one
 */
export async function rankIn(
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
