/**
 * The first step of a search: resolves the request, scores every chunk by similarity and BM25F, and chooses the candidates
 * to rank.
 */
import { DEFINITION_KINDS } from '../../../shared/chunk-kind.ts';
import type { IssueReport, SearchRequest } from '../../../shared/search.ts';
import { type Issue, isBlank } from '../../issue/issue.ts';
import { getMembers } from '../../snapshot/members.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import {
  computeReach,
  findInheritedMethods,
  type InheritedMember,
  scoreUses,
} from './call-graph.ts';
import {
  addStandardized,
  cacheUntilEdited,
  createLocationOrder,
  getScore,
  isCertainCall,
  listCallersByLocation,
  selectBest,
} from './chunks.ts';
import { buildIssueReport, NO_CODE, type ResolvedIssue, resolveIssue } from './issue.ts';
import { isVague } from './locations.ts';
import {
  computeMarkEvidence,
  findSlotsNearMarks,
  type MarkEvidence,
  type MarkedSlots,
  resolveMarks,
} from './marks.ts';
import { listEditedSlots } from './past-commits.ts';
import { buildQueryWords, type QueryVectors, type QueryWords } from './query.ts';
import { createScope, listSlotsInScope } from './scope.ts';
import { findPointedSections, type PointedSections } from './sections.ts';

interface ScoredChunks {
  index: SearchIndex;
  request: SearchRequest;
  issue: ResolvedIssue;
  /** Number of chunks that pass the filters. */
  considered: number;
  /** Slots of chunks that pass the filters and are not demoted. */
  regular: Uint32Array;
  /** Slots of chunks that pass the filters but rank lower, such as tests. */
  demoted: Uint32Array;
  /** Null without query vectors. */
  similarities: Similarities | null;
  words: QueryWords;
  /** BM25F of the whole issue, by slot. */
  lexicalScores: Float32Array;
  /** BM25F of the title alone, by slot. */
  titleScores: Float32Array;
  /** By slot: sum of the standardized similarity and BM25F; negative infinity for chunks that the filters exclude. */
  combinedScores: Float32Array;
  /** By slot: values of chunks that the issue's code uses, and of chunks that those reach through calls. */
  used: { values: Map<number, number>; reached: Map<number, number> };
  inherited: Map<number, InheritedMember>;
  /** Tests most similar to the issue, best first. Tests are included even if the filters exclude them. */
  similarTests: SimilarTest[];
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
  score: number;
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
  marks: MarkedSlots;
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
): { report: IssueReport; candidates: Candidates | null; pointed: PointedSections | null } {
  const { issue, marks, report } = resolveRequest(index, read, request);
  const candidates = gatherCandidates(index, issue, queryVectors, request, marks);
  const pointed = findPointedSections(index, issue, request);
  if (candidates && candidates.slots.length > 0) return { report, candidates, pointed };
  if (pointed) return { report, candidates: null, pointed };
  if (index.liveCount === 0) report.notes = [NO_CODE];
  else if (candidates) report.notes.push('No result passes the filters.');
  else if (!isBlank(issue)) report.notes.push('No word of the issue occurs in this repository.');
  return { report, candidates: null, pointed };
}

/** Resolves the issue and the marks of a request, and reports on them. */
export function resolveRequest(
  index: SearchIndex,
  read: Issue,
  { feedback }: SearchRequest,
): UnderstoodRequest {
  const issue = resolveIssue(read, index);
  const report = buildIssueReport(issue, index);
  const { marks, notes } = resolveMarks(feedback, index);
  report.notes.push(...notes);
  return { issue, marks, report };
}

/** Gathers the candidates for an issue; null if the index has nothing in common with it. */
export function gatherCandidates(
  index: SearchIndex,
  issue: ResolvedIssue,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  marks: MarkedSlots,
): Candidates | null {
  const words = buildQueryWords(issue, index.lexical);
  const vectors = selectUsableVectors(queryVectors, index);
  const { names, paths, frames, commits } = issue;
  const isNamed = names.length + paths.length + frames.length + commits.length > 0;
  const evidence = computeMarkEvidence(marks, index);
  if (words.issue.terms.length === 0 && !vectors && !isNamed && !evidence) return null;
  return chooseCandidates(scoreChunks(index, issue, words, vectors, request, evidence), NARROW);
}

export function widenCandidates(candidates: Candidates): Candidates {
  return chooseCandidates(candidates, WIDE);
}

/** Returns the query vectors, or null if they have no direction or the index has no embeddings. */
export function selectUsableVectors(
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
  const { eligible, regular, demoted } = listSlotsInScope(
    createScope(request, index.packages),
    index,
  );
  const similarities = vectors && {
    issue: index.vectors.getSimilarities(vectors.issue),
    prose: index.vectors.getSimilarities(vectors.prose),
  };
  const lexicalScores = index.lexical.score(words.issue);
  const combinedScores = new Float32Array(index.chunks.length).fill(Number.NEGATIVE_INFINITY);
  for (const slot of eligible) combinedScores[slot] = 0;
  if (similarities) addStandardized(combinedScores, eligible, similarities.issue);
  addStandardized(combinedScores, eligible, lexicalScores);
  const values = scoreUses(issue.uses, index);
  return {
    index,
    request,
    issue,
    considered: eligible.length,
    regular,
    demoted,
    similarities,
    words,
    lexicalScores,
    titleScores: index.lexical.score(words.title),
    combinedScores,
    used: { values, reached: computeReach(values, index) },
    inherited: findInheritedMethods(issue, index),
    similarTests: findSimilarTests(index, lexicalScores, similarities?.issue ?? null),
    marks,
  };
}

/** Chooses the best chunks by similarity and BM25F, those that the issue mentions, and those near marked chunks. */
function chooseCandidates(scored: ScoredChunks, { pool, surroundings }: Breadth): Candidates {
  const { index, issue, combinedScores, regular, demoted, used, marks } = scored;
  const isEligible = (slot: number) => getScore(slot, combinedScores) > Number.NEGATIVE_INFINITY;
  const bestDemoted = selectBest(demoted, combinedScores, MAX_DEMOTED, index);
  const best = selectBest(regular, combinedScores, pool - bestDemoted.length, index);
  const top = best.slice(0, TOP);
  const around = surroundings ? top.flatMap((slot) => findSurroundings(slot, index)) : [];
  const mentioned = findMentionedSlots(issue, combinedScores, index, isEligible);
  const added = [...mentioned, ...listUsedSlots(used), ...around];
  const fromIssue = new Set([...best, ...bestDemoted, ...added.filter(isEligible)]);
  const near = marks ? [...findSlotsNearMarks(marks, index)].filter(isEligible) : [];
  const onlyNearMarks = new Set(near).difference(fromIssue);
  const slots = [...fromIssue, ...onlyNearMarks].sort(createLocationOrder(index));
  return { ...scored, slots, onlyNearMarks, top };
}

function findSurroundings(slot: number, index: SearchIndex): number[] {
  const { kind, parent } = index.getChunk(slot);
  const class_ = kind === 'class' ? slot : parent;
  const inClass = class_ < 0 ? [] : [class_, ...getMembers(class_, index)];
  const calls = [listCallersByLocation(slot, index), index.getCallees(slot)].flatMap((neighbors) =>
    neighbors.filter(isCertainCall).slice(0, MAX_NEIGHBORS),
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
  for (const { slots } of issue.entryPoints)
    for (const slot of slots.filter(isEligible)) if (named.size < MAX_NAMED) named.add(slot);
  for (const { slot } of issue.frames) if (slot >= 0) named.add(slot);
  for (const slot of issue.paths.flatMap(({ lines }) => lines?.slots ?? [])) named.add(slot);
  for (const slot of listEditedSlots(issue.commits, index)) named.add(slot);
  const files = new Set(issue.paths.flatMap((path) => (isVague(path) ? [] : path.files)));
  const inFiles = [...files].flatMap((file) => index.getSlotsByPath(file)).filter(isEligible);
  for (const slot of selectBest(Uint32Array.from(inFiles), first, MAX_IN_FILES, index))
    named.add(slot);
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
  return selectBest(slots, sums, MAX_SIMILAR_TESTS, index)
    .map((slot): SimilarTest => ({ slot, score: getScore(slot, sums) }))
    .filter(({ score }) => score > 0);
}

const listTests = cacheUntilEdited((index: SearchIndex): Uint32Array => {
  const { chunks } = index;
  const slots = new Uint32Array(chunks.length);
  let count = 0;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = index.getChunkOrNull(slot);
    if (chunk?.role === 'test' && DEFINITION_KINDS.includes(chunk.kind)) slots[count++] = slot;
  }
  return slots.slice(0, count);
});
