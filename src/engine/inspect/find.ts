import type { ChunkSummary } from '../../shared/chunk.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';

/** How a text holds what was typed; the better one ranks first. */
const PREFIX = 0;
const WORD_START = 1;
const SUBSTRING = 2;
const NOWHERE = 3;

/**
 * Chunks by a fragment of their name, whatever its case. A query with a slash looks at paths, one with a dot at
 * qualified names, any other at simple names; a file goes by its file name. Names that begin with the query come
 * first, then those where a word begins with it (`snake_case`, `camelCase`), then the others; among equals source
 * before tests, then the shorter one.
 */
export function findByName(index: SearchIndex, query: string, limit: number): ChunkSummary[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const best: Found[] = [];
  for (const chunk of index.chunks) {
    if (!chunk) continue;
    const text = searched(chunk, wanted);
    if (text === null) continue;
    const place = placeIn(text, wanted);
    if (place !== NOWHERE) keep(best, { chunk, place, length: text.length }, limit);
  }
  return best.map(({ chunk }) => summaryOf(chunk));
}

interface Found {
  chunk: IndexedChunk;
  place: number;
  length: number;
}

/** Puts `found` where it belongs among the best so far, of which there are `limit` at most: one letter is in most names. */
function keep(best: Found[], found: Found, limit: number): void {
  const after = best.findLastIndex((one) => order(found, one) >= 0) + 1;
  if (after === limit) return;
  best.splice(after, 0, found);
  if (best.length > limit) best.pop();
}

function order(a: Found, b: Found): number {
  return (
    a.place - b.place ||
    Number(a.chunk.role !== 'source') - Number(b.chunk.role !== 'source') ||
    a.length - b.length ||
    compare(a.chunk.path, b.chunk.path) ||
    a.chunk.startLine - b.chunk.startLine
  );
}

/** Null for what a query of this form cannot mean: a path means files, not all that is in them. */
function searched(chunk: IndexedChunk, wanted: string): string | null {
  const { kind, path, qualifiedName, name } = chunk;
  if (kind === 'module') return wanted.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1);
  if (wanted.includes('/')) return null;
  return wanted.includes('.') ? qualifiedName : name;
}

function placeIn(text: string, wanted: string): number {
  const lower = text.toLowerCase();
  let at = lower.indexOf(wanted);
  if (at < 0) return NOWHERE;
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
