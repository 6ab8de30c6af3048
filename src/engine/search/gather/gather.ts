/**
 * The first step of a search: understands the request, scores every chunk by similarity and BM25F, and chooses the
 * candidates to rank.
 */
import type { IssueReport, SearchRequest } from '../../../shared/search.ts';
import { type Issue, isBlank } from '../../issue/issue.ts';
import { membersOf } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import {
  computeReach,
  type InheritedMember,
  inheritedMethods,
  valuesOfUses,
} from './call-graph.ts';
import {
  addStandardized,
  bestOf,
  byPlace,
  callersByPlace,
  scoreAt,
  untilEdited,
} from './chunks.ts';
import { type ResolvedIssue, reportOf, resolveIssue } from './issue.ts';
import { isVague } from './locations.ts';
import {
  evidenceOfMarks,
  type MarkEvidence,
  type Marks,
  readMarks,
  slotsNearMarks,
} from './marks.ts';
import { type QueryVectors, type QueryWords, queryWords } from './query.ts';
import { scopeOf, slotsInScope } from './scope.ts';

interface ScoredChunks {
  index: SearchIndex;
  request: SearchRequest;
  issue: ResolvedIssue;
  considered: number;
  /** Slots of the chunks that pass the filters, without and with those that only rank lower. */
  kept: Uint32Array;
  demoted: Uint32Array;
  /** Null without query vectors. */
  similarities: Similarities | null;
  words: QueryWords;
  /** BM25F of the whole issue, by slot. */
  lexical: Float32Array;
  /** BM25F of the title alone, by slot. */
  lexicalTitle: Float32Array;
  /** By slot: sum of the standardized similarity and BM25F; negative infinity for what the filters exclude. */
  first: Float32Array;
  /** By slot: how much the issue's code uses a chunk, and how much of that reaches other chunks through calls. */
  used: { values: Map<number, number>; reached: Map<number, number> };
  inherited: Map<number, InheritedMember>;
  /** The tests that are most like the issue, best first, also if the filters exclude tests. */
  tests: SimilarTest[];
  /** Evidence of a person's marks; null without any. */
  marks: MarkEvidence | null;
}

/** The chunks that are ranked for one request, with what the signals are computed from. */
export interface Candidates extends ScoredChunks {
  /** In order of path and line, so that nothing depends on when a chunk was indexed. */
  slots: number[];
  /** Slots that are candidates only because of the marks. */
  onlyNearMarks: ReadonlySet<number>;
  /** The best by `first`, best first, without demoted chunks. */
  top: number[];
}

/** Cosine similarities of an issue and of its parts by slot, `ABSENT` where a chunk has no embedding yet. */
type Similarities = Record<keyof QueryVectors, Float32Array>;

interface SimilarTest {
  slot: number;
  /** Standardized similarity plus standardized BM25F, both over all tests; above 0. */
  likeness: number;
}

interface Breadth {
  pool: number;
  /** True to add what is around the best: the other chunks of their classes, their callers and callees. */
  surroundings: boolean;
}

const NARROW: Breadth = { pool: 500, surroundings: false };
/** For the second look, where the first ranking is not sure. */
const WIDE: Breadth = { pool: 2000, surroundings: true };
/** Room in the pool for what is no source when it ranks lower anyway. Unbounded, it would crowd out the rest. */
const MAX_DEMOTED = 100;
const TOP = 20;
/** Chunks added because the issue names them or their file, beyond the pool. */
const MAX_NAMED = 200;
const MAX_IN_FILES = 300;
const MAX_DEFINITIONS = 30;
/** Chunks added because the code in the issue leads to them through calls. */
const MAX_REACHED = 100;
const MAX_NEIGHBORS = 20;
const MAX_SIMILAR_TESTS = 20;

interface UnderstoodRequest {
  issue: ResolvedIssue;
  marks: Marks;
  report: IssueReport;
}

/**
 * Gathers the candidates for a request; null if there is nothing to search with, or nothing passes the filters. Notes in the
 * report why there are none.
 */
export function gather(
  index: SearchIndex,
  read: Issue,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
): { report: IssueReport; candidates: Candidates | null } {
  const { issue, marks, report } = understandRequest(index, read, request);
  const candidates = gatherCandidates(index, issue, queryVectors, request, marks);
  if (candidates && candidates.slots.length > 0) return { report, candidates };
  if (index.live === 0) report.notes.push('No function is indexed.');
  else if (candidates) report.notes.push('No result passes the filters.');
  else if (!isBlank(issue)) report.notes.push('No word of the issue occurs in this repository.');
  return { report, candidates: null };
}

export function understandRequest(
  index: SearchIndex,
  read: Issue,
  { feedback }: SearchRequest,
): UnderstoodRequest {
  const issue = resolveIssue(read, index);
  const report = reportOf(issue, index);
  const { marks, notes } = readMarks(feedback, index);
  report.notes.push(...notes);
  return { issue, marks, report };
}

/** Gathers the candidates for an issue. Null if the issue has nothing that the index can be searched with. */
export function gatherCandidates(
  index: SearchIndex,
  issue: ResolvedIssue,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  marks: Marks,
): Candidates | null {
  const words = queryWords(issue, index.lexical);
  const vectors = usableVectors(queryVectors, index);
  const isNamed = issue.names.length + issue.paths.length + issue.frames.length > 0;
  const evidence = evidenceOfMarks(marks, index);
  if (words.issue.terms.length === 0 && !vectors && !isNamed && !evidence) return null;
  return choose(scoreChunks(index, issue, words, vectors, request, evidence), NARROW);
}

export function widenCandidates(candidates: Candidates): Candidates {
  return choose(candidates, WIDE);
}

/** Returns the query vectors if there is anything to compare, and anything to compare it with. */
export function usableVectors(
  queryVectors: QueryVectors | null,
  { vectors }: SearchIndex,
): QueryVectors | null {
  const issue = queryVectors?.issue;
  const isDirection = issue?.some((x) => x !== 0) && issue.every(Number.isFinite);
  return vectors.size > 0 && isDirection ? queryVectors : null;
}

function scoreChunks(
  index: SearchIndex,
  issue: ResolvedIssue,
  words: QueryWords,
  vectors: QueryVectors | null,
  request: SearchRequest,
  marks: MarkEvidence | null,
): ScoredChunks {
  const { known, kept, demoted } = slotsInScope(scopeOf(request, index.packages), index);
  const similarities = vectors && {
    issue: index.vectors.similarities(vectors.issue),
    prose: index.vectors.similarities(vectors.prose),
  };
  const lexical = index.lexical.score(words.issue);
  const lexicalTitle = index.lexical.score(words.title);
  const first = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (const slot of known) first[slot] = 0;
  if (similarities) addStandardized(first, known, similarities.issue);
  addStandardized(first, known, lexical);
  const values = valuesOfUses(issue.uses, index);
  return {
    index,
    request,
    issue,
    considered: known.length,
    kept,
    demoted,
    similarities,
    words,
    lexical,
    lexicalTitle,
    first,
    used: { values, reached: computeReach(values, index) },
    inherited: inheritedMethods(issue, index),
    tests: similarTests(index, lexical, similarities?.issue ?? null),
    marks,
  };
}

/** Chooses the best by similarity and BM25F, what the issue names, and what is near marked chunks. */
function choose(scored: ScoredChunks, { pool, surroundings }: Breadth): Candidates {
  const { index, issue, first, kept, demoted, used, marks } = scored;
  const isKnown = (slot: number) => scoreAt(slot, first) > Number.NEGATIVE_INFINITY;
  const bestDemoted = bestOf(demoted, first, MAX_DEMOTED, index);
  const best = bestOf(kept, first, pool - bestDemoted.length, index);
  const top = best.slice(0, TOP);
  const around = surroundings ? top.flatMap((slot) => findSurroundings(slot, index)) : [];
  const added = [...namedSlots(issue, first, index, isKnown), ...ledTo(used), ...around];
  const ofIssue = new Set([...best, ...bestDemoted, ...added.filter(isKnown)]);
  const near = marks ? [...slotsNearMarks(marks, index)].filter(isKnown) : [];
  const onlyNearMarks = new Set(near).difference(ofIssue);
  const slots = [...ofIssue, ...onlyNearMarks].sort(byPlace(index));
  return { ...scored, slots, onlyNearMarks, top };
}

function findSurroundings(slot: number, index: SearchIndex): number[] {
  const { kind, parent } = index.chunk(slot);
  const class_ = kind === 'class' ? slot : parent;
  const ofClass = class_ < 0 ? [] : [class_, ...membersOf(class_, index)];
  const calls = [callersByPlace(slot, index), index.callees(slot)].flatMap((neighbors) =>
    neighbors.filter(({ guess }) => !guess).slice(0, MAX_NEIGHBORS),
  );
  return [...ofClass, ...calls.map((neighbor) => neighbor.slot)];
}

function ledTo(used: ScoredChunks['used']): number[] {
  const reached = [...used.reached]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_REACHED);
  const uses = [...used.values.keys()].slice(0, MAX_NAMED);
  return [...uses, ...reached.map(([slot]) => slot)];
}

/** Returns what the issue names: definitions, the chunks of traceback frames, the best chunks of files. */
function namedSlots(
  issue: ResolvedIssue,
  first: Float32Array,
  index: SearchIndex,
  isKnown: (slot: number) => boolean,
): Set<number> {
  const named = new Set<number>();
  for (const { slots } of issue.names) {
    const found = slots.filter(isKnown);
    if (found.length <= MAX_DEFINITIONS && named.size + found.length <= MAX_NAMED) {
      for (const slot of found) named.add(slot);
    }
  }
  for (const { slot } of issue.frames) if (slot >= 0) named.add(slot);
  for (const slot of issue.paths.flatMap(({ lines }) => lines?.slots ?? [])) named.add(slot);
  const files = new Set(issue.paths.flatMap((path) => (isVague(path) ? [] : path.files)));
  const inFiles = [...files].flatMap((file) => index.slotsByPath(file)).filter(isKnown);
  for (const slot of bestOf(Uint32Array.from(inFiles), first, MAX_IN_FILES, index)) named.add(slot);
  return named;
}

/**
 * Returns the test functions that are most like an issue. They stand next to the ones that its fix will add, and what
 * they are named after and call is where the fix is likely to be.
 * @param lexical BM25F of the issue, by slot
 * @param similarities cosine similarities to the issue, by slot; null without embeddings
 */
function similarTests(
  index: SearchIndex,
  lexical: Float32Array,
  similarities: Float32Array | null,
): SimilarTest[] {
  const slots = testsIn(index);
  const sums = new Float32Array(index.chunks.length);
  if (similarities) addStandardized(sums, slots, similarities);
  addStandardized(sums, slots, lexical);
  return bestOf(slots, sums, MAX_SIMILAR_TESTS, index)
    .map((slot) => ({ slot, likeness: scoreAt(slot, sums) }))
    .filter(({ likeness }) => likeness > 0);
}

const testsIn = untilEdited((index: SearchIndex): Uint32Array => {
  const { chunks } = index;
  const slots = new Uint32Array(chunks.length);
  let count = 0;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.chunkAt(slot);
    if (chunk?.role === 'test' && chunk.kind !== 'module') slots[count++] = slot;
  }
  return slots.slice(0, count);
});
