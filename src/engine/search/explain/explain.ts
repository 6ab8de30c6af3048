/** The last step of a search: turns a ranking into a list of results, with the evidence for each. */

import { assertPresent } from '../../../shared/assert-present.ts';
import type { Evidence } from '../../../shared/evidence.ts';
import { DEFAULT_RESULTS } from '../../../shared/limits.ts';
import type { RankedChunk, SearchResponse } from '../../../shared/search.ts';
import { summarizeInPackage } from '../../snapshot/address.ts';
import type { PointedSections } from '../gather/sections.ts';
import {
  computeRanksWithoutMarks,
  getRanksBySlot,
  getSlot,
  type Ranking,
  type SearchOutcome,
} from '../rank/ranking.ts';
import { findRelatedChunks } from './related-chunks.ts';
import { insertSections, moveBelowSections } from './sections.ts';

type ExplainedList = Pick<SearchResponse, 'issue' | 'considered' | 'confidence' | 'results'>;

/** Number of first results that list related chunks. Few, since most of the first results are rarely all right. */
const MAX_WITH_RELATED = 5;

/**
 * Lists the results of a search.
 * @param wanted maximum number of results, if less than the request's limit
 */
export function explain(
  { request, report, considered, confidence, ranking, pointed }: SearchOutcome,
  wanted = Number.POSITIVE_INFINITY,
): ExplainedList {
  const limit = Math.min(request.limit ?? DEFAULT_RESULTS, wanted);
  const ranked = ranking ? listResults(ranking, pointed, limit) : [];
  const results = pointed ? insertSections(ranked, pointed).slice(0, limit) : ranked;
  return { issue: report, considered, confidence, results };
}

/**
 * Number of candidates whose similarity is a reason, for each measure of it. Every candidate is similar to some degree, so the
 * sentence would tell nothing if all had it.
 */
const MAX_SIMILAR = 10;
/**
 * Minimum cosine that is a reason. For issues without any relation to the repository, such as “zzzqqq”, the best of hundreds of
 * functions have 0.2 with the encoder, and 0.3 with the reranker. For real issues they have 0.35 to 0.7.
 */
const MIN_SIMILAR = 0.3;

function listResults(
  ranking: Ranking,
  pointed: PointedSections | null,
  limit: number,
): RankedChunk[] {
  const { candidates, scores, reranked } = ranking;
  const { index, marks } = candidates;
  const ranks = getRanksBySlot(ranking);
  const rankOf = (slot: number) =>
    moveBelowSections(ranks.get(slot) ?? Number.POSITIVE_INFINITY, pointed);
  const before = marks && computeRanksWithoutMarks(ranking);
  return orderWithMarks(ranking, before, limit).map((i, position) => {
    const slot = getSlot(i, candidates);
    const related = position < MAX_WITH_RELATED ? findRelatedChunks(slot, index) : [];
    return {
      ...summarizeInPackage(slot, index),
      rank: position + 1,
      ...(before && { rankWithoutMarks: before.get(slot) ?? null }),
      ...(reranked?.indices.has(i) && { reranked: true as const }),
      score: assertPresent(scores[i], 'the score of a candidate'),
      evidence: collectEvidence(i, ranking, rankOf),
      ...(related.length > 0 && { related }),
    };
  });
}

/**
 * Orders the list with regard to marks, which move other results. A result marked `read` is not to be edited, so it
 * keeps the rank that it would have without marks. If it is a candidate only because of its mark, it comes after all
 * others. Results marked `irrelevant` go to the bottom, in the order of their scores.
 * @param before ranks without marks, from 1, by slot
 * @returns the first `limit` candidates; irrelevant ones take at most half of the list
 */
function orderWithMarks(
  { candidates, order }: Ranking,
  before: ReadonlyMap<number, number> | null,
  limit: number,
): number[] {
  const { marks } = candidates;
  if (!marks || !before) return order.slice(0, limit);
  const readSlots = new Set(marks.read);
  const rejectedSlots = new Set(marks.irrelevant);
  const rankOf = (i: number) => before.get(getSlot(i, candidates)) ?? Number.POSITIVE_INFINITY;
  const selectIn = (slots: ReadonlySet<number>) =>
    order.filter((i) => slots.has(getSlot(i, candidates)));
  const rejected = selectIn(rejectedSlots);
  const moving = order.filter((i) => {
    const slot = getSlot(i, candidates);
    return !readSlots.has(slot) && !rejectedSlots.has(slot);
  });
  for (const i of selectIn(readSlots).sort((a, b) => rankOf(a) - rankOf(b))) {
    moving.splice(Math.min(rankOf(i) - 1, moving.length), 0, i);
  }
  const room = limit - Math.min(rejected.length, Math.floor(limit / 2));
  return [...moving.slice(0, room), ...rejected].slice(0, limit);
}

function collectEvidence(i: number, ranking: Ranking, rankOf: (slot: number) => number): Evidence {
  const { candidates, reranked } = ranking;
  const evidence: Evidence = {};
  const { signals } = reranked?.indices.has(i) ? reranked : ranking;
  const slot = getSlot(i, candidates);
  for (const { signal, values, contributions } of signals) {
    const value = assertPresent(values[i], 'the value of a candidate');
    const contribution = assertPresent(contributions[i], 'the contribution of a candidate');
    if (Number.isNaN(value) || (value === 0 && contribution === 0)) continue;
    const { name, family, title, format } = signal;
    evidence[name] = {
      family,
      title,
      value,
      measured: format(value),
      contribution,
      sentence: null,
      ...(value !== 0 && signal.explain?.({ slot, value, candidates, rankOf })),
    };
    if (family === 'meaning' && !isAmongMostSimilar(value, values)) evidence[name].sentence = null;
  }
  for (const { signal } of signals) {
    const own = evidence[signal.name];
    if (own && signal.impliedBy && evidence[signal.impliedBy]?.value) own.sentence = null;
  }
  return evidence;
}

function isAmongMostSimilar(value: number, values: Float64Array): boolean {
  let higher = 0;
  for (const other of values) if (other > value) higher++;
  return value >= MIN_SIMILAR && higher < MAX_SIMILAR;
}
