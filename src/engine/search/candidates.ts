import { largest } from '../vectors/largest.ts';
import { ABSENT } from '../vectors/vector-table.ts';
import { type MarkEvidence, slotsNearMarks } from './feedback.ts';
import type { Issue } from './issue.ts';
import type { PathMention } from './mentions/paths.ts';
import type { QueryVectors } from './query-vectors.ts';
import type { QueryWords } from './query-words.ts';
import { reachOf, valuesOfUses } from './reach.ts';
import type { IndexedChunk, SearchIndex } from './types.ts';

/** The chunks that are ranked for one issue, with what the signals are computed from. */
export interface Candidates {
  index: SearchIndex;
  issue: Issue;
  /** How many chunks may be found. */
  considered: number;
  /** In order of path and line, so that nothing depends on when a chunk was indexed. */
  slots: number[];
  /** Null without query vectors. */
  similarities: Similarities | null;
  words: QueryWords;
  /** BM25F of the whole issue, by slot. */
  lexical: Float32Array;
  /** BM25F of the title alone, by slot. */
  lexicalTitle: Float32Array;
  /** By slot: sum of the standardised similarity and BM25F, both over all chunks that may be found. */
  first: Float32Array;
  /** How much the issue's code uses a chunk, and how much of that reaches others through calls. */
  used: { values: Map<number, number>; reached: Map<number, number> };
  /** What a person's marks say; null without any. */
  marks: MarkEvidence | null;
  /** Slots that are candidates for nothing but the marks. */
  onlyNearMarks: ReadonlySet<number>;
  /** The best by `first`, best first; demoted chunks are not among them. */
  top: number[];
}

/** Cosine similarities of an issue and of its parts by slot, `ABSENT` where a chunk has no embedding yet. */
export type Similarities = Record<keyof QueryVectors, Float32Array>;

const POOL = 500;
/** Room in the pool for tests, examples and docs when they rank lower anyway; unbounded, they would crowd out the rest. */
const DEMOTED = 100;
const TOP = 20;
/** Chunks added because the issue names them or their file, beyond the pool. */
const MAX_NAMED = 200;
const MAX_IN_FILES = 300;
const MAX_DEFINITIONS = 30;
/** Chunks added because the code in the issue leads to them through calls. */
const MAX_REACHED = 100;

/** What may be found, and what of that only ranks lower. */
export interface Scope {
  eligible(chunk: IndexedChunk): boolean;
  demoted(chunk: IndexedChunk): boolean;
}

/** Gathers the candidates: the best by similarity and BM25F, what the issue names, and what is near marked chunks. */
export function gatherCandidates(
  index: SearchIndex,
  issue: Issue,
  words: QueryWords,
  queryVectors: QueryVectors | null,
  scope: Scope,
  marks: MarkEvidence | null = null,
): Candidates {
  const { known, kept, demoted } = slotsIn(scope, index);
  const similarities = queryVectors && similaritiesTo(queryVectors, index);
  const lexical = index.lexical.score(words.issue);
  const lexicalTitle = index.lexical.score(words.title);
  const first = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < known.length; i++) first[known[i]] = 0;
  if (similarities) addStandardised(first, known, similarities.issue);
  addStandardised(first, known, lexical);
  const bestDemoted = bestOf(demoted, first, DEMOTED, index);
  const best = bestOf(kept, first, POOL - bestDemoted.length, index);
  const named = namedSlots(issue, first, index);
  const values = valuesOfUses(issue.uses, index);
  const used = { values, reached: reachOf(values, index) };
  const pointed = ledTo(used).filter((slot) => isKnown(slot, first));
  const near = marks
    ? [...slotsNearMarks(marks, index)].filter((slot) => isKnown(slot, first))
    : [];
  const ofIssue = new Set([...best, ...bestDemoted, ...named, ...pointed]);
  const onlyNearMarks = new Set(near).difference(ofIssue);
  const slots = [...ofIssue, ...onlyNearMarks].sort(byPlace(index));
  const top = best.slice(0, TOP);
  const considered = known.length;
  return {
    index,
    issue,
    considered,
    slots,
    similarities,
    words,
    lexical,
    lexicalTitle,
    first,
    used,
    marks,
    onlyNearMarks,
    top,
  };
}

function similaritiesTo({ issue, prose }: QueryVectors, { vectors }: SearchIndex): Similarities {
  return {
    issue: vectors.similarities(issue),
    prose: vectors.similarities(prose),
  };
}

/** What the issue's code uses, and what is reached from there. */
function ledTo(used: Candidates['used']): number[] {
  const reached = [...used.reached]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_REACHED);
  const uses = [...used.values.keys()].slice(0, MAX_NAMED);
  return [...uses, ...reached.map(([slot]) => slot)];
}

/** The slots of eligible chunks: those that are not demoted, those that are, and both. */
function slotsIn(scope: Scope, { chunks }: SearchIndex) {
  const known = new Uint32Array(chunks.length);
  let keptEnd = 0;
  let demotedStart = chunks.length;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = chunks[slot];
    if (!chunk || !scope.eligible(chunk)) continue;
    if (scope.demoted(chunk)) known[--demotedStart] = slot;
    else known[keptEnd++] = slot;
  }
  known.copyWithin(keptEnd, demotedStart);
  const end = keptEnd + chunks.length - demotedStart;
  return {
    known: known.subarray(0, end),
    kept: known.subarray(0, keptEnd),
    demoted: known.subarray(keptEnd, end),
  };
}

/** Adds (value - mean) / deviation, where there is a value. Indexed loops, as they see every chunk. */
function addStandardised(sums: Float32Array, slots: Uint32Array, values: Float32Array): void {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < slots.length; i++) {
    const value = slots[i] < values.length ? values[slots[i]] : ABSENT;
    if (value === ABSENT) continue;
    count++;
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  if (!(deviation > 1e-9)) return;
  for (let i = 0; i < slots.length; i++) {
    const value = slots[i] < values.length ? values[slots[i]] : ABSENT;
    if (value !== ABSENT) sums[slots[i]] += (value - mean) / deviation;
  }
}

/** Of `slots` the `count` with the largest sums, best first; equal ones in order of path and line. */
function bestOf(
  slots: Uint32Array,
  first: Float32Array,
  count: number,
  index: SearchIndex,
): number[] {
  const k = Math.min(count, slots.length);
  if (k === 0) return [];
  const sums = new Float32Array(slots.length);
  for (let i = 0; i < slots.length; i++) sums[i] = first[slots[i]];
  const threshold = largest(sums, k).similarities[k - 1];
  const place = byPlace(index);
  return [...slots.filter((slot) => first[slot] >= threshold)]
    .sort((a, b) => first[b] - first[a] || place(a, b))
    .slice(0, k);
}

/** What the issue names: definitions, the chunks of traceback frames, the best chunks of files. */
function namedSlots(issue: Issue, first: Float32Array, index: SearchIndex): Set<number> {
  const known = (slot: number) => isKnown(slot, first);
  const named = new Set<number>();
  for (const { slots } of issue.names) {
    const found = slots.filter(known);
    if (found.length <= MAX_DEFINITIONS && named.size + found.length <= MAX_NAMED) {
      for (const slot of found) named.add(slot);
    }
  }
  for (const { slot } of issue.frames) if (slot >= 0 && known(slot)) named.add(slot);
  const files = new Set(issue.paths.flatMap((path) => (isVague(path) ? [] : path.files)));
  const inFiles = [...files].flatMap((file) => index.slotsByPath(file)).filter(known);
  for (const slot of bestOf(Uint32Array.from(inFiles), first, MAX_IN_FILES, index)) named.add(slot);
  return named;
}

function isKnown(slot: number, first: Float32Array): boolean {
  return first[slot] > Number.NEGATIVE_INFINITY;
}

/** A base name that many files have, `__init__.py` and the like, says too little. */
function isVague({ by, files }: PathMention): boolean {
  return by === 'base name' && files.length > 3;
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
