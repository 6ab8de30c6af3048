/** Finds words in an issue and in code, and the lines of chunks that contain most of them. */
import { findTerms, type TermOccurrence } from '../engine/index.ts';
import { type CodeLine, measureIndent, readCodeLines } from '../services/code-lines.ts';
import { splitAddress } from '../shared/address.ts';
import type {
  FileDetail,
  OutlinedChunk,
  Snippet,
  SnippetLine,
  SnippetsRequest,
} from '../shared/detail.ts';
import { LocusError } from '../shared/errors.ts';
import { getOrAdd } from '../shared/get-or-add.ts';
import type { QueryTarget } from '../shared/repository.ts';

/**
 * Returns the ranges `[start, end)` of the words in a text. Adjacent occurrences are merged.
 * @param path path of the file that the text is from; null for prose
 */
export async function findWordRanges(
  text: string,
  words: readonly string[],
  path: string | null,
): Promise<[number, number][]> {
  const [ranges = []] = await findTerms([text], words, path);
  return mergeRanges(ranges);
}

function mergeRanges(places: readonly TermOccurrence[]): [number, number][] {
  const all: [number, number][] = [];
  for (const { start, end } of places) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** Returns a snippet for each requested chunk; null for one that no longer exists. Each file is read once. */
export async function makeSnippets(
  repository: Pick<QueryTarget, 'file'>,
  wanted: SnippetsRequest,
): Promise<(Snippet | null)[]> {
  const files = new Map<string, Promise<FileDetail | null>>();
  return Promise.all(
    wanted.map(async ({ chunk, words }) => {
      const { path } = splitAddress(chunk);
      const file = await getOrAdd(files, path, () =>
        repository.file({ path }).catch(nullIfMissing),
      );
      const found = file?.chunks.find(({ address }) => address === chunk);
      return file && found ? makeSnippet(file, found, words) : null;
    }),
  );
}

function nullIfMissing(error: unknown): null {
  if (error instanceof LocusError && error.code === 'not-found') return null;
  throw error;
}

/** Lines of a snippet: the best line and the next one. */
const SNIPPET_LINES = 2;
/** Maximum length of a line, in UTF-16 units. */
const MAX_LINE = 200;

async function makeSnippet(
  file: FileDetail,
  chunk: OutlinedChunk,
  words: SnippetsRequest[number]['words'],
): Promise<Snippet> {
  const lines = await readCodeLines(
    file,
    chunk,
    words.map(({ word }) => word),
  );
  const best = findBestLine(lines, chunk.headerLine, words);
  const shown = lines.slice(best, best + SNIPPET_LINES);
  const full = shown
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }) => measureIndent(text));
  const indent = Math.min(...full, MAX_LINE);
  return shown.map((line) => cutLine(line, indent));
}

/**
 * Returns the index of the line whose words weigh most; of equal ones, the first. The header is chosen only if no other line
 * has a word, because the list shows the name anyway.
 */
function findBestLine(
  lines: readonly CodeLine[],
  header: number,
  words: SnippetsRequest[number]['words'],
): number {
  const weights = lines.map(({ line, places }) => {
    if (line === header) return 0;
    return [...new Set(places.map(({ word }) => word))].reduce(
      (sum, word) => sum + (words[word]?.score ?? 0),
      0,
    );
  });
  const most = Math.max(0, ...weights);
  const best = most > 0 ? weights.indexOf(most) : lines.findIndex(({ line }) => line === header);
  return Math.max(0, best);
}

function cutLine({ line, text, places }: CodeLine, indent: number): SnippetLine {
  const shown = text.slice(indent, indent + MAX_LINE);
  return {
    line,
    text: shown,
    matches: mergeRanges(places)
      .map(([start, end]): [number, number] => [
        Math.max(0, start - indent),
        Math.min(shown.length, end - indent),
      ])
      .filter(([start, end]) => start < end),
  };
}
