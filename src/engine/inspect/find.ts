import type { ChunkSummary } from '../../shared/chunk.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';

/** Quality of a match; better ones are smaller. */
const PREFIX = 0;
const WORD_START = 1;
const SUBSTRING = 2;
const NO_MATCH = 3;

/**
 * Finds chunks by a part of their name, ignoring case. A query with a slash matches paths, one with a dot qualified names, any
 * other simple names; module code matches by its file name. Names that begin with the query come first, then those in which
 * a word begins with it (`snake_case`, `camelCase`), then the others. Among equals, source comes before tests, then shorter
 * names.
 */
export function findByName(index: SearchIndex, query: string, limit: number): ChunkSummary[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const best: NameMatch[] = [];
  for (const chunk of index.chunks) {
    if (!chunk) continue;
    const text = getMatchedText(chunk, wanted);
    if (text === null) continue;
    const quality = rateMatch(text, wanted);
    if (quality !== NO_MATCH) insertMatch(best, { chunk, quality, length: text.length }, limit);
  }
  return best.map(({ chunk }) => summarizeChunk(chunk));
}

interface NameMatch {
  chunk: IndexedChunk;
  quality: number;
  length: number;
}

/** Inserts a match among the best so far, of which at most `limit` are kept: a single letter is in most names. */
function insertMatch(best: NameMatch[], found: NameMatch, limit: number): void {
  const after = best.findLastIndex((one) => compareMatches(found, one) >= 0) + 1;
  if (after === limit) return;
  best.splice(after, 0, found);
  if (best.length > limit) best.pop();
}

function compareMatches(a: NameMatch, b: NameMatch): number {
  return (
    a.quality - b.quality ||
    Number(a.chunk.role !== 'source') - Number(b.chunk.role !== 'source') ||
    a.length - b.length ||
    compare(a.chunk.path, b.chunk.path) ||
    a.chunk.startLine - b.chunk.startLine
  );
}

/** Returns the text of a chunk to match with; null if the query cannot mean it: a path means a file, not every chunk in it. */
function getMatchedText(chunk: IndexedChunk, wanted: string): string | null {
  const { kind, path, qualifiedName, name } = chunk;
  if (kind === 'module') return wanted.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
  if (wanted.includes('/')) return null;
  return wanted.includes('.') ? qualifiedName : name;
}

function rateMatch(text: string, wanted: string): number {
  const lower = text.toLowerCase();
  let at = lower.indexOf(wanted);
  if (at < 0) return NO_MATCH;
  if (at === 0) return PREFIX;
  for (; at > 0; at = lower.indexOf(wanted, at + 1)) {
    if (
      !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ||
      /\p{Ll}\p{Lu}/u.test(text.slice(at - 1, at + 1))
    ) {
      return WORD_START;
    }
  }
  return SUBSTRING;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
