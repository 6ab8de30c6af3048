/**
 * Fuzzy matching of functions and files by name, with fuzzysort: the engine ranks with it, and the window highlights the
 * characters that matched.
 */
import { prepare, single } from 'fuzzysort';
import type { ChunkSummary } from './chunk.ts';
import { getOrAdd } from './get-or-add.ts';
import { getShownName } from './shown-name.ts';

export interface NameQuery {
  /** All must match, in any order. One with a slash matches paths only. */
  terms: readonly string[];
  /** Line of a file, 1-based; the terms then match files only. Null for none. */
  line: number | null;
}

type NamedChunk = Pick<ChunkSummary, 'kind' | 'path' | 'qualifiedName' | 'shownName' | 'role'> &
  Pick<ChunkSummary, 'startLine' | 'endLine'> & { alias?: string | undefined };

export interface NameMatch {
  /** From 0 to 1; 1 is an exact match. */
  score: number;
  /** Offsets of the matched characters in the shown name; none if an alias matched. */
  name: readonly number[];
  /** Offsets of the matched characters in the path. */
  path: readonly number[];
}

interface TermMatch {
  score: number;
  offsets: readonly number[];
}

/** Weights of matches outside the name of a function or file, of roles other than `source`, and of files without the line. */
const FOLDER_WEIGHT = 0.4;
const OTHER_ROLE_WEIGHT = 0.85;
const SHORT_FILE_WEIGHT = 0.5;

/**
 * Parses what a person typed: terms between spaces, and a line after a colon, as in `config.ts:1456`. A column after the line is
 * ignored, and `::` separates like a space, so that an address is understood.
 */
export function parseNameQuery(typed: string): NameQuery {
  const [, text = '', line = ''] = /^(.*?)(?::(\d*)(?::\d*)?)?$/s.exec(typed.trim()) ?? [];
  const terms = text
    .toLowerCase()
    .split(/\s+|::/)
    .filter(Boolean);
  return { terms, line: line === '' ? null : Number(line) };
}

/** Returns the chunks that match, best first. Without terms, nothing matches. */
export function rankByName<Chunk extends NamedChunk>(
  query: NameQuery,
  chunks: Iterable<Chunk>,
  limit = Number.POSITIVE_INFINITY,
): Chunk[] {
  const match = createNameMatcher(query);
  const best: Ranked<Chunk>[] = [];
  for (const chunk of chunks) {
    const found = match(chunk);
    if (!found) continue;
    const ranked = { chunk, score: found.score };
    const after = best.findLastIndex((one) => compareRanked(ranked, one) >= 0) + 1;
    // Few are kept, since a single letter is in most names.
    if (after === limit) continue;
    best.splice(after, 0, ranked);
    if (best.length > limit) best.pop();
  }
  return best.map(({ chunk }) => chunk);
}

interface Ranked<Chunk = NamedChunk> {
  chunk: Chunk;
  score: number;
}

/** Compares by score. Among equals, shorter names come first. */
function compareRanked(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    a.chunk.qualifiedName.length - b.chunk.qualifiedName.length ||
    a.chunk.path.length - b.chunk.path.length ||
    (a.chunk.path < b.chunk.path ? -1 : a.chunk.path > b.chunk.path ? 1 : 0) ||
    a.chunk.startLine - b.chunk.startLine
  );
}

/** Creates a function that returns how a chunk matches, or null. Keep it for many chunks: it remembers matches of paths. */
export function createNameMatcher({
  terms,
  line,
}: NameQuery): (chunk: NamedChunk) => NameMatch | null {
  const matchers = terms.map((term) => {
    const paths = new Map<string, TermMatch | null>();
    return {
      matchPath: (path: string) => getOrAdd(paths, path, () => matchPath(term, path)),
      // A path means a file, not every function in it.
      matchName: (name: string, alias = '') =>
        term.includes('/') ? null : (matchEnd(term, name, '.') ?? matchAlias(term, alias)),
    };
  });
  return (chunk) => {
    const { kind, path, alias, role } = chunk;
    const name = getShownName(chunk);
    const isFile = kind === 'module' || line !== null;
    const match = { score: 0, name: [] as number[], path: [] as number[] };
    let named = isFile;
    for (const matcher of matchers) {
      const inName = isFile ? null : matcher.matchName(name, alias);
      const inPath = inName ? null : matcher.matchPath(path);
      const found = inName ?? inPath;
      if (!found) return null;
      named ||= inName !== null;
      match.score += (isFile || inName ? 1 : FOLDER_WEIGHT) * (found.score / matchers.length);
      match[inName ? 'name' : 'path'].push(...found.offsets);
    }
    if (!named || match.score === 0) return null;
    if (role !== 'source') match.score *= OTHER_ROLE_WEIGHT;
    if (line !== null && chunk.endLine < line) match.score *= SHORT_FILE_WEIGHT;
    return match;
  };
}

/** Matches a term with a file: with its whole path if the term has a slash, else preferably with the file's name. */
function matchPath(term: string, path: string): TermMatch | null {
  if (term.includes('/')) return matchTerm(term, path);
  return matchEnd(term, path, '/', FOLDER_WEIGHT);
}

/** Matches a term with what follows the last separator: a simple name or a file name. If that fails, with the whole text. */
function matchEnd(
  term: string,
  text: string,
  separator: string,
  wholeWeight = 1,
): TermMatch | null {
  const start = text.lastIndexOf(separator) + 1;
  const atEnd = matchTerm(term, text.slice(start));
  if (atEnd) return { ...atEnd, offsets: atEnd.offsets.map((offset) => start + offset) };
  const whole = start > 0 ? matchTerm(term, text) : null;
  return whole && { ...whole, score: wholeWeight * whole.score };
}

function matchAlias(term: string, alias: string): TermMatch | null {
  const found = matchTerm(term, alias);
  return found && { ...found, offsets: [] };
}

function matchTerm(term: string, text: string): TermMatch | null {
  // Rules out most texts, in less time than preparing them takes.
  if (!hasInOrder(text.toLowerCase(), term)) return null;
  const found = single(term, prepare(text));
  return found && { score: found.score, offsets: found.indexes };
}

/** Returns true if the text has all characters of the term, in this order. */
function hasInOrder(text: string, term: string): boolean {
  let at = -1;
  for (let i = 0; i < term.length; i++) {
    at = text.indexOf(term.charAt(i), at + 1);
    if (at < 0) return false;
  }
  return true;
}
