import linear0 from '../../../models/linear-0/ranker.json' with { type: 'json' };
import type { Evidence, RankedChunk, SearchRequest, SearchResponse } from '../../shared/types.ts';
import { summaryOf } from '../inspect/address.ts';
import { type Candidates, gatherCandidates } from './candidates.ts';
import { evidenceOfMarks, type Marks, readMarks } from './feedback.ts';
import { scopeOf } from './filters.ts';
import { type Issue, isBlank, readIssue, reportOf } from './issue.ts';
import { queryWords } from './query-words.ts';
import { type Column, checkRanker, type Ranker, standardise, totals } from './rank.ts';
import { SIGNALS } from './signals/index.ts';
import type { SearchIndex } from './types.ts';

const DEFAULT_RANKER = checkRanker(linear0, SIGNALS);
const DEFAULT_LIMIT = 20;

/** The ranker in use, as id and version. */
export const rankerName = `${DEFAULT_RANKER.id} ${DEFAULT_RANKER.version}`;

/**
 * Ranks the chunks of an index for an issue. Pure and synchronous. Without a query vector, or for chunks without an
 * embedding, the other signals rank. Equal scores are in order of path and line, so the same content gives the same
 * ranking. An issue in which nothing of the repository occurs gives no results.
 */
export function search(
  index: SearchIndex,
  queryVector: Float32Array | null,
  request: SearchRequest,
  ranker: Ranker = DEFAULT_RANKER,
): Pick<SearchResponse, 'issue' | 'considered' | 'results'> {
  const issue = readIssue(request.issue, index);
  const report = reportOf(issue, index);
  const { marks, notes } = readMarks(request.feedback, index);
  report.notes.push(...notes);
  const candidates = candidatesFor(issue, index, queryVector, request, marks);
  if (!candidates || candidates.slots.length === 0) {
    report.notes.push(...whyNothing(candidates, issue, index));
    return { issue: report, considered: candidates?.considered ?? 0, results: [] };
  }
  const columns = SIGNALS.map((signal) => {
    const ignored = signal.name === 'role' && request.tests === 'include';
    const weight = ignored ? 0 : (ranker.weights[signal.name] ?? 0);
    return standardise(signal, signal.measure(candidates), weight);
  });
  return {
    issue: report,
    considered: candidates.considered,
    results: results(candidates, columns, request.limit ?? DEFAULT_LIMIT),
  };
}

/** Null when the issue has nothing that the index could be searched with. */
export function candidatesFor(
  issue: Issue,
  index: SearchIndex,
  queryVector: Float32Array | null,
  request: SearchRequest,
  marks: Marks,
): Candidates | null {
  const words = queryWords(issue, index.lexical);
  const usable = index.vectors.size > 0 && queryVector && isDirection(queryVector);
  const named = issue.names.length + issue.paths.length + issue.frames.length > 0;
  const ofMarks = evidenceOfMarks(marks, index);
  if (words.issue.terms.length === 0 && !usable && !named && !ofMarks) return null;
  const vector = usable ? queryVector : null;
  return gatherCandidates(index, issue, words, vector, scopeOf(request), ofMarks);
}

function isDirection(vector: Float32Array): boolean {
  return vector.some((x) => x !== 0) && vector.every(Number.isFinite);
}

function whyNothing(candidates: Candidates | null, issue: Issue, index: SearchIndex): string[] {
  if (index.live === 0) return ['Nothing is indexed yet.'];
  if (candidates) return ['No chunk passes the filters.'];
  if (isBlank(issue)) return [];
  return ['No word of the issue occurs in this repository.'];
}

function results(candidates: Candidates, columns: readonly Column[], limit: number): RankedChunk[] {
  const { slots, index } = candidates;
  const scores = totals(columns, slots.length);
  // Candidates are in order of place, which is the order among equals.
  const order = Array.from(slots, (_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
  const ranks = new Map(order.map((i, rank) => [slots[i], rank + 1]));
  const rankOf = (slot: number) => ranks.get(slot) ?? Number.POSITIVE_INFINITY;
  return order.slice(0, limit).map((i, position) => ({
    ...summaryOf(index.chunks[slots[i]]!),
    rank: position + 1,
    score: scores[i],
    evidence: evidenceOf(i, columns, candidates, rankOf),
  }));
}

/** What the signals say of a candidate; those that have nothing to say and add nothing are left out. */
function evidenceOf(
  i: number,
  columns: readonly Column[],
  candidates: Candidates,
  rankOf: (slot: number) => number,
): Evidence {
  const evidence: Evidence = {};
  for (const { signal, values, contributions } of columns) {
    const value = values[i];
    if (Number.isNaN(value) || (value === 0 && contributions[i] === 0)) continue;
    const explanation =
      value === 0 ? {} : signal.explain?.(candidates.slots[i], candidates, rankOf);
    evidence[signal.name] = { value, contribution: contributions[i], ...explanation };
  }
  return evidence;
}
