/**
 * The first step of a search: resolves the request, scores every chunk by similarity and BM25F, and chooses the candidates
 * to rank.
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
  /** Number of chunks that pass the filters. */
  considered: number;
  /** Slots of chunks that pass the filters and are not demoted. */
  kept: Uint32Array;
  /** Slots of chunks that pass the filters but rank lower, such as tests. */
  demoted: Uint32Array;
  /** Null without query vectors. */
  similarities: Similarities | null;
  words: QueryWords;
  /** BM25F of the whole issue, by slot. */
  lexical: Float32Array;
  /** BM25F of the title alone, by slot. */
  lexicalTitle: Float32Array;
  /** By slot: sum of the standardized similarity and BM25F; negative infinity for chunks that the filters exclude. */
  first: Float32Array;
  /** By slot: values of chunks that the issue's code uses, and of chunks that those reach through calls. */
  used: { values: Map<number, number>; reached: Map<number, number> };
  inherited: Map<number, InheritedMember>;
  /** Tests most similar to the issue, best first. Tests are included even if the filters exclude them. */
  tests: SimilarTest[];
  /** Evidence from a person's marks; null without any. */
  marks: MarkEvidence | null;
}

/** Chunks to rank for one request, with everything that the signals are computed from. */
export interface Candidates extends ScoredChunks {
  /** Slots in order of path and line, so that the result does not depend on when a chunk was indexed. */
  slots: number[];
  /** Slots that are candidates only because of the marks. */
  onlyNearMarks: ReadonlySet<number>;
  /** Slots with the best combined scores, best first, without demoted chunks. */
  top: number[];
}

/** Cosine similarities of an issue and of its prose, by slot; `ABSENT` if a chunk has no embedding yet. */
type Similarities = Record<keyof QueryVectors, Float32Array>;

interface SimilarTest {
  slot: number;
  /** Sum of the standardized similarity and BM25F, both over all tests; above 0. */
  likeness: number;
}

interface Breadth {
  /** Number of candidates to choose by combined score. */
  pool: number;
  /** True to add the neighborhood of the best: the other chunks of their classes, their callers and callees. */
  surroundings: boolean;
}

const NARROW: Breadth = { pool: 500, surroundings: false };
/** Breadth of the second attempt, if the first ranking has a low confidence. */
const WIDE: Breadth = { pool: 2000, surroundings: true };
/** Maximum number of demoted chunks in the pool. Without a limit they would crowd out the others. */
const MAX_DEMOTED = 100;
const TOP = 20;
/** Maximum number of chunks added to the pool because the issue mentions them. */
const MAX_NAMED = 200;
const MAX_IN_FILES = 300;
const MAX_DEFINITIONS = 30;
/** Maximum number of chunks added because the issue's code reaches them through calls. */
const MAX_REACHED = 100;
const MAX_NEIGHBORS = 20;
const MAX_SIMILAR_TESTS = 20;

interface UnderstoodRequest {
  issue: ResolvedIssue;
  marks: Marks;
  report: IssueReport;
}

/**
 * Gathers the candidates for a request. They are null if there is nothing to search with, or nothing passes the filters;
 * a note in the report then gives the reason.
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

/** Resolves the issue and the marks of a request, and reports on them. */
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

/** Gathers the candidates for an issue; null if the index has nothing in common with it. */
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
  return chooseCandidates(scoreChunks(index, issue, words, vectors, request, evidence), NARROW);
}

export function widenCandidates(candidates: Candidates): Candidates {
  return chooseCandidates(candidates, WIDE);
}

/** Returns the query vectors, or null if they have no direction or the index has no embeddings. */
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
  const lexicalScores = index.lexical.score(words.issue);
  const combinedScores = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (const slot of known) combinedScores[slot] = 0;
  if (similarities) addStandardized(combinedScores, known, similarities.issue);
  addStandardized(combinedScores, known, lexicalScores);
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
    lexical: lexicalScores,
    lexicalTitle: index.lexical.score(words.title),
    first: combinedScores,
    used: { values, reached: computeReach(values, index) },
    inherited: inheritedMethods(issue, index),
    tests: findSimilarTests(index, lexicalScores, similarities?.issue ?? null),
    marks,
  };
}

/** Chooses the best chunks by similarity and BM25F, those that the issue mentions, and those near marked chunks. */
function chooseCandidates(scored: ScoredChunks, { pool, surroundings }: Breadth): Candidates {
  const { index, issue, first, kept, demoted, used, marks } = scored;
  const isEligible = (slot: number) => scoreAt(slot, first) > Number.NEGATIVE_INFINITY;
  const bestDemoted = bestOf(demoted, first, MAX_DEMOTED, index);
  const best = bestOf(kept, first, pool - bestDemoted.length, index);
  const top = best.slice(0, TOP);
  const around = surroundings ? top.flatMap((slot) => findSurroundings(slot, index)) : [];
  const mentioned = findMentionedSlots(issue, first, index, isEligible);
  const added = [...mentioned, ...listUsedSlots(used), ...around];
  const fromIssue = new Set([...best, ...bestDemoted, ...added.filter(isEligible)]);
  const near = marks ? [...slotsNearMarks(marks, index)].filter(isEligible) : [];
  const onlyNearMarks = new Set(near).difference(fromIssue);
  const slots = [...fromIssue, ...onlyNearMarks].sort(byPlace(index));
  return { ...scored, slots, onlyNearMarks, top };
}

function findSurroundings(slot: number, index: SearchIndex): number[] {
  const { kind, parent } = index.chunk(slot);
  const class_ = kind === 'class' ? slot : parent;
  const inClass = class_ < 0 ? [] : [class_, ...membersOf(class_, index)];
  const calls = [callersByPlace(slot, index), index.callees(slot)].flatMap((neighbors) =>
    neighbors.filter(({ guess }) => !guess).slice(0, MAX_NEIGHBORS),
  );
  return [...inClass, ...calls.map((neighbor) => neighbor.slot)];
}

/** Lists the chunks that the issue's code uses or reaches, the strongest of the latter only. */
function listUsedSlots(used: ScoredChunks['used']): number[] {
  const reached = [...used.reached]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_REACHED);
  const uses = [...used.values.keys()].slice(0, MAX_NAMED);
  return [...uses, ...reached.map(([slot]) => slot)];
}

/** Finds the chunks that the issue mentions: definitions, traceback frames, lines, and the best chunks of files. */
function findMentionedSlots(
  issue: ResolvedIssue,
  first: Float32Array,
  index: SearchIndex,
  isEligible: (slot: number) => boolean,
): Set<number> {
  const named = new Set<number>();
  for (const { slots } of issue.names) {
    const found = slots.filter(isEligible);
    if (found.length <= MAX_DEFINITIONS && named.size + found.length <= MAX_NAMED) {
      for (const slot of found) named.add(slot);
    }
  }
  for (const { slot } of issue.frames) if (slot >= 0) named.add(slot);
  for (const slot of issue.paths.flatMap(({ lines }) => lines?.slots ?? [])) named.add(slot);
  const files = new Set(issue.paths.flatMap((path) => (isVague(path) ? [] : path.files)));
  const inFiles = [...files].flatMap((file) => index.slotsByPath(file)).filter(isEligible);
  for (const slot of bestOf(Uint32Array.from(inFiles), first, MAX_IN_FILES, index)) named.add(slot);
  return named;
}

/**
 * Returns the test functions that are most similar to an issue. The fix will probably add tests next to them, and edit the
 * code that they are named after and call.
 * @param lexical BM25F of the issue, by slot
 * @param similarities cosine similarities to the issue, by slot; null without embeddings
 */
function findSimilarTests(
  index: SearchIndex,
  lexical: Float32Array,
  similarities: Float32Array | null,
): SimilarTest[] {
  const slots = listTests(index);
  const sums = new Float32Array(index.chunks.length);
  if (similarities) addStandardized(sums, slots, similarities);
  addStandardized(sums, slots, lexical);
  return bestOf(slots, sums, MAX_SIMILAR_TESTS, index)
    .map((slot): SimilarTest => ({ slot, likeness: scoreAt(slot, sums) }))
    .filter(({ likeness }) => likeness > 0);
}

const listTests = untilEdited((index: SearchIndex): Uint32Array => {
  const { chunks } = index;
  const slots = new Uint32Array(chunks.length);
  let count = 0;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.chunkAt(slot);
    if (chunk?.role === 'test' && chunk.kind !== 'module') slots[count++] = slot;
  }
  return slots.slice(0, count);
});
