import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { git } from '../../../src/base/git/git.ts';
import { type Attempt, Count, type Lines } from './attempt.ts';
import { findTitleWords } from './typed-words.ts';

const run = promisify(execFile);

/** Number of lines before and after a match that are read with it. */
const AROUND = 20;
/** Maximum number of files in one answer to a search, and of lines in one reading. */
const MAX_FILES = 40;
const MAX_LINES = 250;
const LARGEST_OUTPUT = 1 << 28;
const NO_SOURCE = ['tests', 'test', 'testing', 'docs', 'doc', 'examples'];

/**
 * Simulates an agent that searches for the words of the issue's title as `rg -c -i -w` does, in Python files outside of tests
 * and docs, rarest word first. It opens the matching files from the most matches to the fewest, and reads the lines around
 * matches that it has not read yet. It knows in advance which word is rare, at no cost.
 *
 * @param root a bare clone; `git grep` reads its commit as `rg` would read a checkout
 */
export async function searchByWords(
  root: string,
  commit: string,
  issue: string,
  edited: Lines,
): Promise<Attempt> {
  const count = new Count(edited);
  const searches = await Promise.all(
    findTitleWords(issue).map(async (word) => ({
      word,
      matches: await findMatches(root, commit, word),
    })),
  );
  const size = ({ matches }: (typeof searches)[number]) =>
    [...matches.values()].reduce((sum, lines) => sum + lines.length, 0);
  const seen = new Map<string, Set<number>>();
  for (const { word, matches } of searches.sort((a, b) => size(a) - size(b))) {
    if (count.over) break;
    const files = [...matches].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_FILES);
    const listed = files.map(([path, lines]) => `${path}:${lines.length}`).join('\n');
    count.call(`rg -c -i -w ${word} -tpy`, listed);
    for (const [path, lines] of files) {
      if (count.over) break;
      const text = await git(root, ['cat-file', 'blob', `${commit}:${path}`], {
        maxBytes: LARGEST_OUTPUT,
      });
      open(count, path, text.toString('utf8').split('\n'), lines, seen);
    }
  }
  return count;
}

/** Reads the lines around matches of a file, except those that were read before. */
function open(
  count: Count,
  path: string,
  text: readonly string[],
  matches: readonly number[],
  seen: Map<string, Set<number>>,
): void {
  const known = seen.get(path) ?? new Set();
  seen.set(path, known);
  const shown: string[] = [];
  for (const match of matches) {
    const last = Math.min(text.length, match + AROUND);
    for (let line = Math.max(1, match - AROUND); line <= last; line++) {
      if (known.has(line) || shown.length >= MAX_LINES) continue;
      known.add(line);
      shown.push(`${line}  ${text[line - 1] ?? ''}`);
      count.saw(path, line, line);
    }
  }
  if (shown.length > 0)
    count.call(`read ${path} ${matches.join(',').slice(0, 60)}`, shown.join('\n'));
}

/** Returns the lines with a word, by path. */
async function findMatches(
  root: string,
  commit: string,
  word: string,
): Promise<Map<string, number[]>> {
  const args = ['-n', '-i', '-w', '-F', '-I', '-z', '-e', word, commit, '--', '*.py'];
  // git grep fails if nothing matches.
  const options = { maxBuffer: LARGEST_OUTPUT };
  const output = await run('git', ['-C', root, 'grep', ...args], options).catch(() => null);
  const matches = new Map<string, number[]>();
  for (const line of output?.stdout.split('\n') ?? []) {
    // Format: `commit:path`, line number and line, with a NUL after each of the first two.
    const [place, number] = line.split('\0');
    const path = place?.slice(commit.length + 1) ?? '';
    if (number === undefined || path.split('/').some((part) => NO_SOURCE.includes(part))) continue;
    matches.set(path, [...(matches.get(path) ?? []), Number(number)]);
  }
  return matches;
}
