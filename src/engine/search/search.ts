import ranker1 from '../../../models/ranker-1/ranker.json' with { type: 'json' };
import { DEFAULT_RESULTS } from '../../shared/limits.ts';
import { present } from '../../shared/present.ts';
import type {
  IssueReport,
  RankedChunk,
  SearchRequest,
  SearchResponse,
} from '../../shared/search.ts';
import { type Issue, isBlank, readIssue } from '../issue/issue.ts';
import { issueSyntaxes } from '../issue/syntaxes.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { type Breadth, type Candidates, gatherCandidates, NARROW, WIDE } from './candidates.ts';
import { evidenceOfMarks, type Marks, readMarks } from './feedback.ts';
import { isFiltered, scopeOf } from './filters.ts';
import { type ResolvedIssue, reportOf, resolveIssue } from './issue.ts';
import { placed } from './marked-places.ts';
import type { QueryVectors } from './query-vectors.ts';
import { queryWords } from './query-words.ts';
import { checkRanker, nameOf, type Ranker } from './rank.ts';
import {
  evidenceOf,
  type Ranking,
  rankCandidates,
  ranksBySlot,
  ranksWithoutMarks,
  slotOf,
} from './ranking.ts';
import { SIGNALS } from './signals/index.ts';
import { confidenceIn, weigh } from './stage.ts';
import { companionsOf } from './together/companions.ts';

export const DEFAULT_RANKER = checkRanker(ranker1, SIGNALS);

interface SearchOptions {
  ranker?: Ranker;
  /** The request's issue, where it was read already. */
  read?: Issue;
  /** No second look. */
  once?: boolean;
}

/** What a search found: a ranking of candidates, before it is written out as a list. */
export interface Found {
  request: SearchRequest;
  /** The issue, and what is reported of it. */
  read: Issue;
  report: IssueReport;
  considered: number;
  confidence: number | null;
  /** Null when the issue has nothing to search with, or nothing passes the filters. */
  ranking: Ranking | null;
  /** The ranker of the step that the ranking is of, as id and version. */
  ranker: string;
}

/** The list of what was found. */
type List = Pick<SearchResponse, 'issue' | 'considered' | 'confidence' | 'results'>;

/**
 * Ranks the chunks of an index for an issue. Pure and synchronous. Without query vectors, or for chunks without an
 * embedding, the other signals rank. Equal scores are in order of path and line, so the same content gives the same
 * ranking. An issue in which nothing of the repository occurs gives no results.
 */
export function search(...args: Parameters<typeof find>): List {
  return listOf(find(...args));
}

/** The first step of a search, see `search`. */
export function find(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  {
    ranker = DEFAULT_RANKER,
    read = readIssue(request.issue, issueSyntaxes(index.languages())),
    once = false,
  }: SearchOptions = {},
): Found {
  const { issue, marks, report } = understood(read, index, request);
  const candidates = candidatesFor(issue, index, queryVectors, request, marks);
  const considered = candidates?.considered ?? 0;
  const found = { request, read, report, considered, ranker: nameOf(ranker) };
  if (!candidates || candidates.slots.length === 0) {
    report.notes.push(...whyNothing(candidates, issue, index));
    return { ...found, confidence: null, ranking: null };
  }
  const first = rank(candidates, ranker, request);
  const confidence = confidenceIn(first, ranker);
  const unsure = !once && confidence !== null && confidence < UNSURE;
  const more = unsure && candidatesFor(issue, index, queryVectors, request, marks, WIDE);
  return {
    ...found,
    confidence: isFiltered(request) ? null : confidence,
    ranking: more ? rank(more, ranker, request) : first,
  };
}

/** What the issue and the marks of a request say of this index. */
export function understood(read: Issue, index: SearchIndex, { feedback }: SearchRequest) {
  const issue = resolveIssue(read, index);
  const report = reportOf(issue, index);
  const { marks, notes } = readMarks(feedback, index);
  report.notes.push(...notes);
  return { issue, marks, report };
}

/**
 * Writes a ranking out, with the evidence for each result. Reads the index that it was made of.
 * @param wanted how many results at most, where that is less than the request's limit
 */
export function listOf(
  { request, report, considered, confidence, ranking }: Found,
  wanted = Number.POSITIVE_INFINITY,
): List {
  const limit = Math.min(request.limit ?? DEFAULT_RESULTS, wanted);
  return {
    issue: report,
    considered,
    confidence,
    results: ranking ? results(ranking, limit) : [],
  };
}

/** Ranks candidates by all signals. */
export function rank(candidates: Candidates, ranker: Ranker, request: SearchRequest): Ranking {
  const measured = SIGNALS.map((signal) => ({ signal, values: signal.measure(candidates) }));
  return rankCandidates(candidates, weigh(measured, candidates, ranker, request));
}

/**
 * A first ranking with less confidence is ranked again among more candidates, as ReflectCode's verifier widens a pool
 * that it does not believe to hold the edit. The confidence stays the first ranking's, which is what was calibrated.
 */
const UNSURE = 0.3;

/** Null when the issue has nothing that the index could be searched with. */
export function candidatesFor(
  issue: ResolvedIssue,
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  marks: Marks,
  breadth: Breadth = NARROW,
): Candidates | null {
  const words = queryWords(issue, index.lexical);
  const usable = isUsable(queryVectors, index);
  const named = issue.names.length + issue.paths.length + issue.frames.length > 0;
  const ofMarks = evidenceOfMarks(marks, index);
  if (words.issue.terms.length === 0 && !usable && !named && !ofMarks) return null;
  const vectors = usable ? queryVectors : null;
  return gatherCandidates(
    index,
    issue,
    words,
    vectors,
    scopeOf(request, index.packages),
    ofMarks,
    breadth,
  );
}

/** Whether there is anything to compare, and to compare it with. */
export function isUsable(queryVectors: QueryVectors | null, { vectors }: SearchIndex): boolean {
  return vectors.size > 0 && queryVectors !== null && isDirection(queryVectors.issue);
}

function isDirection(vector: Float32Array): boolean {
  return vector.some((x) => x !== 0) && vector.every(Number.isFinite);
}

function whyNothing(
  candidates: Candidates | null,
  issue: ResolvedIssue,
  index: SearchIndex,
): string[] {
  if (index.live === 0) return ['No function is indexed.'];
  if (candidates) return ['No result passes the filters.'];
  if (isBlank(issue)) return [];
  return ['No word of the issue occurs in this repository.'];
}

/** So many of the first results say what goes with them: few, since they are rarely all right. */
const WITH_COMPANIONS = 5;

function results(ranking: Ranking, limit: number): RankedChunk[] {
  const { candidates, scores, second } = ranking;
  const { index, marks } = candidates;
  const ranks = ranksBySlot(ranking);
  const rankOf = (slot: number) => ranks.get(slot) ?? Number.POSITIVE_INFINITY;
  const before = marks && ranksWithoutMarks(ranking);
  return placed(ranking, before, limit).map((i, position) => {
    const slot = slotOf(i, candidates);
    const summary = summaryOf(index.chunk(slot));
    const ofPackage = index.packages.of(summary.path);
    const companions = position < WITH_COMPANIONS ? companionsOf(slot, index) : [];
    return {
      ...summary,
      ...(ofPackage !== null && { package: ofPackage }),
      rank: position + 1,
      ...(before && { rankWithoutMarks: before.get(slot) ?? null }),
      ...(second?.read.has(i) && { read: true as const }),
      score: present(scores[i], 'the score of a candidate'),
      evidence: evidenceOf(i, ranking, rankOf),
      ...(companions.length > 0 && { companions }),
    };
  });
}
