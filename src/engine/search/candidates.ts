import type { LexicalQuery } from '../lexical/lexical-index.ts';
import { largest } from '../vectors/largest.ts';
import { ABSENT } from '../vectors/vector-table.ts';
import type { Issue } from './issue.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

/** The chunks that are ranked for one issue, with what the signals are computed from. */
export interface Candidates {
  index: SearchIndex;
  issue: Issue;
  /** In order of path and line, so that nothing depends on when a chunk was indexed. */
  slots: number[];
  /** The issue's cosine similarity by slot, `ABSENT` where a chunk has no embedding yet; null without a query vector. */
  similarities: Float32Array | null;
  query: LexicalQuery;
  /** BM25F by slot. */
  lexical: Float32Array;
  /** By slot: sum of the standardised similarity and BM25F, both over all chunks that may be found. */
  first: Float32Array;
  /** The best by `first`, best first; demoted chunks are not among them. */
  top: number[];
}

const POOL = 500;
/** Room in the pool for tests, examples and docs when they rank lower anyway; unbounded, they would crowd out the rest. */
const DEMOTED = 100;
const TOP = 20;
/** Chunks added because the issue names them or their file, beyond the pool. */
const MAX_NAMED = 200;
const MAX_IN_FILES = 300;
const MAX_DEFINITIONS = 30;

/** What may be found, and what of that only ranks lower. */
export interface Scope {
  eligible(chunk: IndexedChunk): boolean;
  demoted(chunk: IndexedChunk): boolean;
}

/** Gathers the candidates: the best by similarity and BM25F, and what the issue names. */
export function gatherCandidates(
  index: SearchIndex,
  issue: Issue,
  query: LexicalQuery,
  queryVector: Float32Array | null,
  scope: Scope,
): Candidates {
  const kept: number[] = [];
  const demoted: number[] = [];
  for (let slot = 0; slot < index.chunks.length; slot++) {
    const chunk = index.chunks[slot];
    if (chunk && scope.eligible(chunk)) (scope.demoted(chunk) ? demoted : kept).push(slot);
  }
  const known = kept.concat(demoted);
  const similarities = queryVector && index.vectors.similarities(queryVector);
  const lexical = index.lexical.score(query).scores;
  const first = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (const slot of known) first[slot] = 0;
  if (similarities) addStandardised(first, known, (slot) => similarities[slot] ?? ABSENT);
  addStandardised(first, known, (slot) => lexical[slot] ?? 0);
  const bestDemoted = bestOf(demoted, first, DEMOTED, index);
  const best = bestOf(kept, first, POOL - bestDemoted.length, index);
  const pool = new Set([...best, ...bestDemoted]);
  for (const slot of namedSlots(issue, index)) {
    if (first[slot] > Number.NEGATIVE_INFINITY) pool.add(slot);
  }
  const slots = [...pool].sort(byPlace(index));
  return { index, issue, slots, similarities, query, lexical, first, top: best.slice(0, TOP) };
}

/** Adds (value - mean) / deviation, where there is a value. */
function addStandardised(
  sums: Float32Array,
  slots: readonly number[],
  valueAt: (slot: number) => number,
): void {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const slot of slots) {
    const value = valueAt(slot);
    if (value === ABSENT) continue;
    count++;
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  if (!(deviation > 1e-9)) return;
  for (const slot of slots) {
    const value = valueAt(slot);
    if (value !== ABSENT) sums[slot] += (value - mean) / deviation;
  }
}

/** Of `slots` the `count` with the largest sums, best first; equal ones in order of path and line. */
function bestOf(
  slots: readonly number[],
  first: Float32Array,
  count: number,
  index: SearchIndex,
): number[] {
  const k = Math.min(count, slots.length);
  if (k === 0) return [];
  const sums = Float32Array.from(slots, (slot) => first[slot]);
  const threshold = largest(sums, k).similarities[k - 1];
  const place = byPlace(index);
  return slots
    .filter((slot) => first[slot] >= threshold)
    .sort((a, b) => first[b] - first[a] || place(a, b))
    .slice(0, k);
}

/** What the issue names: definitions, the chunks of files, the chunks of traceback frames. */
function namedSlots(issue: Issue, index: SearchIndex): Set<number> {
  const named = new Set<number>();
  for (const { slots } of issue.names) {
    if (slots.length <= MAX_DEFINITIONS && named.size + slots.length <= MAX_NAMED) {
      for (const slot of slots) named.add(slot);
    }
  }
  let room = MAX_IN_FILES;
  for (const { files, by } of issue.paths) {
    const slots =
      by === 'base name' && files.length > 3
        ? []
        : files.flatMap((file) => [...index.slotsByPath(file)]);
    if (slots.length > room) continue;
    for (const slot of slots) if (named.size < named.add(slot).size) room--;
  }
  for (const { slot } of issue.frames) if (slot >= 0) named.add(slot);
  return named;
}

/** Order by path, then line, then name. */
export function byPlace(index: SearchIndex): (a: number, b: number) => number {
  return (a, b) => {
    const left = index.chunks[a]!;
    const right = index.chunks[b]!;
    if (left.path !== right.path) return left.path < right.path ? -1 : 1;
    return (
      left.startLine - right.startLine ||
      left.endLine - right.endLine ||
      compare(left.qualifiedName, right.qualifiedName) ||
      left.ordinal - right.ordinal
    );
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
