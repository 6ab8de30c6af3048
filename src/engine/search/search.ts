import ranker1 from '../../../models/ranker-1/ranker.json' with { type: 'json' };
import { DEFAULT_RESULTS } from '../../shared/limits.ts';
import { present } from '../../shared/present.ts';
import type { RankedChunk, SearchRequest, SearchResponse } from '../../shared/search.ts';
import { type Issue, isBlank, readIssue } from '../issue/issue.ts';
import { issueSyntaxes } from '../issue/syntaxes.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { type Breadth, type Candidates, gatherCandidates, NARROW, WIDE } from './candidates.ts';
import { confidenceOf } from './confidence.ts';
import { evidenceOfConfidence } from './confidence-evidence.ts';
import { evidenceOfMarks, type MarkEvidence, type Marks, readMarks } from './feedback.ts';
import { scopeOf } from './filters.ts';
import { type ResolvedIssue, reportOf, resolveIssue } from './issue.ts';
import type { QueryVectors } from './query-vectors.ts';
import { queryWords } from './query-words.ts';
import { checkRanker, type Ranker, standardise } from './rank.ts';
import {
  evidenceOf,
  type Ranking,
  rankCandidates,
  ranksBySlot,
  ranksWithoutMarks,
  slotOf,
} from './ranking.ts';
import { SIGNALS } from './signals/index.ts';
import type { Signal } from './signals/signal.ts';

const DEFAULT_RANKER = checkRanker(ranker1, SIGNALS);

/** The ranker in use, as id and version. */
export const rankerName = `${DEFAULT_RANKER.id} ${DEFAULT_RANKER.version}`;

interface SearchOptions {
  ranker?: Ranker;
  /** The request's issue, where it was read already. */
  read?: Issue;
}

/**
 * Ranks the chunks of an index for an issue. Pure and synchronous. Without query vectors, or for chunks without an
 * embedding, the other signals rank. Equal scores are in order of path and line, so the same content gives the same
 * ranking. An issue in which nothing of the repository occurs gives no results.
 */
export function search(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  {
    ranker = DEFAULT_RANKER,
    read = readIssue(request.issue, issueSyntaxes(index.languages())),
  }: SearchOptions = {},
): Pick<SearchResponse, 'issue' | 'considered' | 'confidence' | 'results'> {
  const issue = resolveIssue(read, index);
  const report = reportOf(issue, index);
  const { marks, notes } = readMarks(request.feedback, index);
  report.notes.push(...notes);
  const candidates = candidatesFor(issue, index, queryVectors, request, marks);
  if (!candidates || candidates.slots.length === 0) {
    report.notes.push(...whyNothing(candidates, issue, index));
    return {
      issue: report,
      considered: candidates?.considered ?? 0,
      confidence: null,
      results: [],
    };
  }
  const first = rank(candidates, ranker, request);
  const confidence = confidenceIn(first, ranker);
  const unsure = confidence !== null && confidence < UNSURE;
  const more = unsure && candidatesFor(issue, index, queryVectors, request, marks, WIDE);
  const ranking = more ? rank(more, ranker, request) : first;
  return {
    issue: report,
    considered: candidates.considered,
    confidence: isFiltered(request) ? null : confidence,
    results: results(ranking, request.limit ?? DEFAULT_RESULTS),
  };
}

/** Ranks candidates by all signals. */
export function rank(candidates: Candidates, ranker: Ranker, request: SearchRequest): Ranking {
  const columns = SIGNALS.map((signal) =>
    standardise(
      signal,
      signal.measure(candidates),
      weightOf(signal, ranker, request, candidates.marks),
    ),
  );
  return rankCandidates(candidates, columns, ranker.forest);
}

function weightOf(
  signal: Signal,
  { weights }: Ranker,
  { tests }: SearchRequest,
  marks: MarkEvidence | null,
): number {
  if (signal.name === 'role' && tests === 'include') return 0;
  const weight = weights[signal.name] ?? 0;
  const ofPositive = signal.family === 'marks' && signal.name !== 'likeRejected';
  return ofPositive ? weight * (marks?.strength ?? 0) : weight;
}

/**
 * A first ranking with less confidence is ranked again among more candidates, as ReflectCode's verifier widens a pool
 * that it does not believe to hold the edit. The confidence stays the first ranking's, which is what was calibrated.
 */
const UNSURE = 0.3;

/** Chunks; the smallest repository that confidence was calibrated on has a few hundred. */
const LEAST_FOR_CONFIDENCE = 200;

/** Null where it was not calibrated for: few chunks, a list that marks made, a ranking without embeddings. */
function confidenceIn(ranking: Ranking, { calibration }: Ranker): number | null {
  const { candidates } = ranking;
  const few = candidates.considered < LEAST_FOR_CONFIDENCE;
  if (!calibration || few || candidates.marks || !candidates.similarities) return null;
  return confidenceOf(calibration, evidenceOfConfidence(ranking, calibration.places));
}

/** A filtered list may lack what is to be edited, so nothing is said of it. */
function isFiltered({ paths, kinds }: SearchRequest): boolean {
  return (paths?.length ?? 0) + (kinds?.length ?? 0) > 0;
}

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
  const usable = index.vectors.size > 0 && queryVectors && isDirection(queryVectors.issue);
  const named = issue.names.length + issue.paths.length + issue.frames.length > 0;
  const ofMarks = evidenceOfMarks(marks, index);
  if (words.issue.terms.length === 0 && !usable && !named && !ofMarks) return null;
  const vectors = usable ? queryVectors : null;
  return gatherCandidates(index, issue, words, vectors, scopeOf(request), ofMarks, breadth);
}

function isDirection(vector: Float32Array): boolean {
  return vector.some((x) => x !== 0) && vector.every(Number.isFinite);
}

function whyNothing(
  candidates: Candidates | null,
  issue: ResolvedIssue,
  index: SearchIndex,
): string[] {
  if (index.live === 0) return ['Nothing is indexed yet.'];
  if (candidates) return ['No result passes the filters.'];
  if (isBlank(issue)) return [];
  return ['No word of the issue occurs in this repository.'];
}

function results(ranking: Ranking, limit: number): RankedChunk[] {
  const { candidates, order, scores } = ranking;
  const { index, marks } = candidates;
  const ranks = ranksBySlot(ranking);
  const rankOf = (slot: number) => ranks.get(slot) ?? Number.POSITIVE_INFINITY;
  const before = marks && ranksWithoutMarks(ranking);
  return order.slice(0, limit).map((i, position) => {
    const slot = slotOf(i, candidates);
    return {
      ...summaryOf(index.chunk(slot)),
      rank: position + 1,
      ...(before && { rankWithoutMarks: before.get(slot) ?? null }),
      score: present(scores[i], 'the score of a candidate'),
      evidence: evidenceOf(i, ranking, rankOf),
    };
  });
}
