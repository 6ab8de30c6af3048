/**
 * Ranks functions by a plain word search, as the placebo answers. The words are those of the issue's title that a person would search for.
 * A function's matches are the lines that contain one. Functions with more different words come first, then those with more lines.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ChunkSummary } from '../../src/shared/chunk.ts';
import { appendTo } from '../../src/shared/lists-by-key.ts';
import { QUERIES } from '../../src/shared/queries.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { RankedChunk, SearchRequest, SearchResponse } from '../../src/shared/search.ts';
import { findPastableNames, findTitleWords } from '../bench/support/typed-words.ts';

const run = promisify(execFile);
const LARGEST_OUTPUT = 1 << 29;
/** Maximum number of files whose functions are ranked, those with the most different words first. */
const MAX_FILES = 100;

interface Match {
  line: number;
  words: string[];
}

/** Returns the words to search for; those of the names in the issue if its title has none. */
function chooseWords(issue: string): string[] {
  const words = findTitleWords(issue);
  return words.length > 0 ? words : findPastableNames(issue).map((name) => name.toLowerCase());
}

/** Returns the matching lines of all tracked and new files, by path. */
async function searchWords(root: string, words: readonly string[]): Promise<Map<string, Match[]>> {
  const patterns = words.flatMap((word) => ['-e', word]);
  const options = ['-n', '-i', '-w', '-F', '-I', '-z', '--no-color', '--untracked', ...patterns];
  const args = ['-C', root, '--no-pager', 'grep', ...options, '--', '.'];
  const { stdout } = await run('git', args, { maxBuffer: LARGEST_OUTPUT }).catch((error) => {
    if (error.code === 1) return { stdout: '' }; // Nothing matches.
    throw error;
  });
  const matches = new Map<string, Match[]>();
  for (const text of stdout.split('\n')) {
    const [path, line, content] = text.split('\0');
    if (!path || !content) continue;
    const lower = content.toLowerCase();
    appendTo(matches, path, {
      line: Number(line),
      words: words.filter((word) => lower.includes(word)),
    });
  }
  return matches;
}

const countWords = (matches: readonly Match[]): number =>
  new Set(matches.flatMap(({ words }) => words)).size;

/** Orders lists of matches: more different words first, then more lines. */
const compareMatches = (a: readonly Match[], b: readonly Match[]): number =>
  countWords(b) - countWords(a) || b.length - a.length;

/** Returns the matches in each function of a file. A line belongs to the innermost one around it. */
async function groupByFunction(
  repository: Repository,
  path: string,
  matches: readonly Match[],
): Promise<[ChunkSummary, Match[]][]> {
  const file = await repository.file({ path }).catch(() => null); // It is not indexed.
  const grouped = new Map<ChunkSummary, Match[]>();
  for (const match of matches) {
    const around = (file?.chunks ?? []).filter(
      ({ startLine, endLine }) => startLine <= match.line && match.line <= endLine,
    );
    const innermost = around.reduce<ChunkSummary | null>(
      (a, b) => (a && a.endLine - a.startLine < b.endLine - b.startLine ? a : b),
      null,
    );
    if (innermost) appendTo(grouped, innermost, match);
  }
  return [...grouped];
}

/** Answers a search with the functions that a word search finds. The rest of the response is that of the repository's own search. */
export async function searchByWords(
  repository: Repository,
  request: SearchRequest,
): Promise<SearchResponse> {
  const { issue, kinds, tests, limit } = QUERIES.search.request.parse(request);
  const own = await repository.search({ ...request, limit: 1, rerank: { count: 0 } });
  const words = chooseWords(issue);
  const files = words.length > 0 ? await searchWords(own.repository.root, words) : new Map();
  const first = [...files].sort(([, a], [, b]) => compareMatches(a, b)).slice(0, MAX_FILES);
  const found: [ChunkSummary, Match[]][] = [];
  for (const [path, matches] of first)
    found.push(...(await groupByFunction(repository, path, matches)));
  const isWanted = ({ kind, role }: ChunkSummary) =>
    (kinds === undefined || kinds.includes(kind)) && (tests === 'include' || role === 'source');
  const results = found
    .filter(([chunk]) => isWanted(chunk))
    .sort(([, a], [, b]) => compareMatches(a, b))
    .slice(0, limit)
    .map(([chunk, matches], i) => rankChunk(chunk, matches, i + 1));
  return { ...own, results, confidence: null };
}

function rankChunk(chunk: ChunkSummary, matches: readonly Match[], rank: number): RankedChunk {
  const words = [...new Set(matches.flatMap(({ words }) => words))];
  const score = countWords(matches);
  const sentence = `mentions ${words.map((word) => `\`${word}\``).join(', ')}`;
  const evidence = {
    family: 'words' as const,
    title: 'Words of the title',
    value: score,
    measured: String(score),
    contribution: score,
    sentence,
  };
  return { ...chunk, rank, score, evidence: { words: evidence } };
}
