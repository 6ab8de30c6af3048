/** Where words stand in an issue and in code, and the lines of chunks that have most of them. */
import { findTerms, type TermPlace } from '../engine/index.ts';
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
import type { Answering } from '../shared/repository.ts';

/**
 * Returns `[start, end)` of the words in a text. Occurrences that touch are one.
 * @param path of the file that the text is from; null for prose
 */
export async function findWordRanges(
  text: string,
  words: readonly string[],
  path: string | null,
): Promise<[number, number][]> {
  const [places = []] = await findTerms([text], words, path);
  return joined(places);
}

function joined(places: readonly TermPlace[]): [number, number][] {
  const all: [number, number][] = [];
  for (const { start, end } of places) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** Parallel to the chunks that are asked for; null for one that is gone. A file is read once. */
export async function snippetsOf(
  repository: Pick<Answering, 'file'>,
  wanted: SnippetsRequest,
): Promise<(Snippet | null)[]> {
  const files = new Map<string, Promise<FileDetail | null>>();
  return Promise.all(
    wanted.map(async ({ chunk, words }) => {
      const { path } = splitAddress(chunk);
      const file = await getOrAdd(files, path, () => repository.file({ path }).catch(nullIfGone));
      const found = file?.chunks.find(({ address }) => address === chunk);
      return file && found ? makeSnippet(file, found, words) : null;
    }),
  );
}

function nullIfGone(error: unknown): null {
  if (error instanceof LocusError && error.code === 'not-found') return null;
  throw error;
}

/** The best line and what follows it. */
const LINES = 2;
/** In UTF-16 units: more of a line is not shown. */
const MOST_OF_LINE = 200;

interface CodeLine {
  line: number;
  text: string;
  places: TermPlace[];
}

async function makeSnippet(
  file: FileDetail,
  chunk: OutlinedChunk,
  words: SnippetsRequest[number]['words'],
): Promise<Snippet> {
  const own = ownLines(file, chunk);
  const texts = own.map(({ text }) => text);
  const places = await findTerms(
    texts,
    words.map(({ word }) => word),
    file.path,
  );
  const lines = own.map((line, at): CodeLine => ({ ...line, places: places[at] ?? [] }));
  const best = bestOf(lines, chunk.headerLine, words);
  const shown = lines.slice(best, best + LINES);
  const full = shown.filter(({ text }) => text.trim() !== '').map(({ text }) => indentOf(text));
  const indent = Math.min(...full, MOST_OF_LINE);
  return shown.map((line) => cut(line, indent));
}

/** Of a class and a module those outside of the definitions in it, which have snippets of their own. */
function ownLines(file: FileDetail, chunk: OutlinedChunk): Pick<CodeLine, 'line' | 'text'>[] {
  const { startLine, endLine, kind } = chunk;
  const holds = kind === 'class' || kind === 'module';
  const inner = file.chunks.filter(
    (other) =>
      holds &&
      other !== chunk &&
      other.kind !== 'module' &&
      other.startLine >= startLine &&
      other.endLine <= endLine,
  );
  return file.text
    .split(/\r?\n/)
    .slice(startLine - 1, endLine)
    .map((text, at) => ({ line: startLine + at, text }))
    .filter(({ line }) => inner.every((one) => line < one.startLine || line > one.endLine));
}

/**
 * The line whose words weigh most; of equal ones the first. The header has the name, which a list shows anyway: it is taken
 * where no other line has a word.
 */
function bestOf(
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

const indentOf = (text: string): number => text.length - text.trimStart().length;

function cut({ line, text, places }: CodeLine, indent: number): SnippetLine {
  const shown = text.slice(indent, indent + MOST_OF_LINE);
  return {
    line,
    text: shown,
    places: joined(places)
      .map(([start, end]): [number, number] => [
        Math.max(0, start - indent),
        Math.min(shown.length, end - indent),
      ])
      .filter(([start, end]) => start < end),
  };
}
