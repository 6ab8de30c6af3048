import { membersOf } from '../snapshot/members.ts';
import type { IndexedChunk, SearchIndex } from '../snapshot/types.ts';
import { addStandardised, bestOf, byPlace, scoreAt } from './best.ts';
import { type MarkEvidence, slotsNearMarks } from './feedback.ts';
import { type InheritedMember, inheritedMethods } from './inheritance.ts';
import type { ResolvedIssue } from './issue.ts';
import { isVague } from './mentions/paths.ts';
import type { QueryVectors } from './query-vectors.ts';
import type { QueryWords } from './query-words.ts';
import { reachOf, valuesOfUses } from './reach.ts';
import { type SimilarTest, similarTests } from './similar-tests.ts';
import { untilEdited } from './until-edited.ts';

/** The chunks that are ranked for one issue, with what the signals are computed from. */
export interface Candidates {
  index: SearchIndex;
  issue: ResolvedIssue;
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
  /** What classes that the issue names inherit, by slot. */
  inherited: Map<number, InheritedMember>;
  /** The tests that are most like the issue, best first, whether tests may be found or not. */
  tests: SimilarTest[];
  /** What a person's marks say; null without any. */
  marks: MarkEvidence | null;
  /** Slots that are candidates for nothing but the marks. */
  onlyNearMarks: ReadonlySet<number>;
  /** The best by `first`, best first; demoted chunks are not among them. */
  top: number[];
}

/** Cosine similarities of an issue and of its parts by slot, `ABSENT` where a chunk has no embedding yet. */
type Similarities = Record<keyof QueryVectors, Float32Array>;

/** How far candidates are sought. */
export interface Breadth {
  /** How many of the best by similarity and BM25F. */
  pool: number;
  /** Whether what is around the best is taken too: their classes' other chunks, callers and callees. */
  surroundings: boolean;
}

/** Of a first ranking. */
export const NARROW: Breadth = { pool: 500, surroundings: false };
/** Where the first ranking is not sure. */
export const WIDE: Breadth = { pool: 2000, surroundings: true };
/** Room in the pool for what is no source when they rank lower anyway; unbounded, they would crowd out the rest. */
const DEMOTED = 100;
const TOP = 20;
/** Chunks added because the issue names them or their file, beyond the pool. */
const MAX_NAMED = 200;
const MAX_IN_FILES = 300;
const MAX_DEFINITIONS = 30;
/** Chunks added because the code in the issue leads to them through calls. */
const MAX_REACHED = 100;

/** Of a chunk's callers, and of its callees. */
const MAX_NEIGHBORS = 20;

/** What may be found, and what of that only ranks lower. */
export interface Scope {
  /** Whether all chunks are eligible. */
  everything: boolean;
  /** Whether all are, and those that are no source rank lower: the scope of a request without any filter. */
  usual: boolean;
  eligible(chunk: IndexedChunk): boolean;
  demoted(chunk: IndexedChunk): boolean;
}

/** Gathers the candidates: the best by similarity and BM25F, what the issue names, and what is near marked chunks. */
export function gatherCandidates(
  index: SearchIndex,
  issue: ResolvedIssue,
  words: QueryWords,
  queryVectors: QueryVectors | null,
  scope: Scope,
  marks: MarkEvidence | null = null,
  breadth: Breadth = NARROW,
): Candidates {
  const { known, kept, demoted } = slotsOf(scope, index);
  const similarities = queryVectors && similaritiesTo(queryVectors, index);
  const lexical = index.lexical.score(words.issue);
  const lexicalTitle = index.lexical.score(words.title);
  const first = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (const slot of known) first[slot] = 0;
  if (similarities) addStandardised(first, known, similarities.issue);
  addStandardised(first, known, lexical);
  const bestDemoted = bestOf(demoted, first, DEMOTED, index);
  const best = bestOf(kept, first, breadth.pool - bestDemoted.length, index);
  const named = namedSlots(issue, first, index);
  const values = valuesOfUses(issue.uses, index);
  const used = { values, reached: reachOf(values, index) };
  const pointed = ledTo(used).filter((slot) => isKnown(slot, first));
  const near = marks
    ? [...slotsNearMarks(marks, index)].filter((slot) => isKnown(slot, first))
    : [];
  const top = best.slice(0, TOP);
  const around = breadth.surroundings
    ? top.flatMap((slot) => surroundingsOf(slot, index)).filter((slot) => isKnown(slot, first))
    : [];
  const ofIssue = new Set([...best, ...bestDemoted, ...named, ...pointed, ...around]);
  const onlyNearMarks = new Set(near).difference(ofIssue);
  const slots = [...ofIssue, ...onlyNearMarks].sort(byPlace(index));
  const considered = known.length;
  const tests = similarTests(index, lexical, similarities?.issue ?? null);
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
    inherited: inheritedMethods(issue, index),
    tests,
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

/** The other chunks of its class, its callers and its callees. */
function surroundingsOf(slot: number, index: SearchIndex): number[] {
  const { kind, parent } = index.chunk(slot);
  const class_ = kind === 'class' ? slot : parent;
  const ofClass = class_ < 0 ? [] : [class_, ...membersOf(class_, index)];
  const calls = [index.callers(slot), index.callees(slot)].flatMap((neighbors) =>
    neighbors.filter(({ guess }) => !guess).slice(0, MAX_NEIGHBORS),
  );
  return [...ofClass, ...calls.map((neighbor) => neighbor.slot)];
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
function slotsOf(scope: Scope, index: SearchIndex) {
  return scope.usual ? usualSlots(index) : slotsIn(scope, index);
}

const usualSlots = untilEdited((index) =>
  slotsIn({ eligible: () => true, demoted: ({ role }) => role !== 'source' }, index),
);

function slotsIn(scope: Pick<Scope, 'eligible' | 'demoted'>, index: SearchIndex) {
  const { chunks } = index;
  const known = new Uint32Array(chunks.length);
  let keptEnd = 0;
  let demotedStart = chunks.length;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.chunkAt(slot);
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

/** How many chunks may be found. */
export function eligibleIn(scope: Scope, index: SearchIndex): number {
  return scope.everything ? index.live : slotsOf(scope, index).known.length;
}

/** What the issue names: definitions, the chunks of traceback frames, the best chunks of files. */
function namedSlots(issue: ResolvedIssue, first: Float32Array, index: SearchIndex): Set<number> {
  const known = (slot: number) => isKnown(slot, first);
  const named = new Set<number>();
  for (const { slots } of issue.names) {
    const found = slots.filter(known);
    if (found.length <= MAX_DEFINITIONS && named.size + found.length <= MAX_NAMED) {
      for (const slot of found) named.add(slot);
    }
  }
  for (const { slot } of issue.frames) if (slot >= 0 && known(slot)) named.add(slot);
  const pointed = issue.paths.flatMap(({ lines }) => lines?.slots ?? []);
  for (const slot of pointed) if (known(slot)) named.add(slot);
  const files = new Set(issue.paths.flatMap((path) => (isVague(path) ? [] : path.files)));
  const inFiles = [...files].flatMap((file) => index.slotsByPath(file)).filter(known);
  for (const slot of bestOf(Uint32Array.from(inFiles), first, MAX_IN_FILES, index)) named.add(slot);
  return named;
}

function isKnown(slot: number, first: Float32Array): boolean {
  return scoreAt(slot, first) > Number.NEGATIVE_INFINITY;
}
