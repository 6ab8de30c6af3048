/** The last step of a search: writes a ranking out as results, with the evidence for each. */
import type { Evidence } from '../../../shared/evidence.ts';
import { DEFAULT_RESULTS } from '../../../shared/limits.ts';
import { present } from '../../../shared/present.ts';
import type { RankedChunk, SearchResponse } from '../../../shared/search.ts';
import { summaryOf } from '../../snapshot/address.ts';
import {
  getSlot,
  type Ranking,
  ranksBySlot,
  ranksWithoutMarks,
  type SearchOutcome,
} from '../rank/ranking.ts';
import { companionsOf } from './companions.ts';

type ExplainedList = Pick<SearchResponse, 'issue' | 'considered' | 'confidence' | 'results'>;

/** First results that say what goes with them: few, since they are rarely all right. */
const WITH_COMPANIONS = 5;

/** @param wanted maximum number of results, if less than the request's limit */
export function explain(
  { request, report, considered, confidence, ranking }: SearchOutcome,
  wanted = Number.POSITIVE_INFINITY,
): ExplainedList {
  const limit = Math.min(request.limit ?? DEFAULT_RESULTS, wanted);
  const results = ranking ? listResults(ranking, limit) : [];
  return { issue: report, considered, confidence, results };
}

function listResults(ranking: Ranking, limit: number): RankedChunk[] {
  const { candidates, scores, reranked } = ranking;
  const { index, marks } = candidates;
  const ranks = ranksBySlot(ranking);
  const rankOf = (slot: number) => ranks.get(slot) ?? Number.POSITIVE_INFINITY;
  const before = marks && ranksWithoutMarks(ranking);
  return placeMarked(ranking, before, limit).map((i, position) => {
    const slot = getSlot(i, candidates);
    const summary = summaryOf(index.chunk(slot));
    const ofPackage = index.packages.of(summary.path);
    const companions = position < WITH_COMPANIONS ? companionsOf(slot, index) : [];
    return {
      ...summary,
      ...(ofPackage !== null && { package: ofPackage }),
      rank: position + 1,
      ...(before && { rankWithoutMarks: before.get(slot) ?? null }),
      ...(reranked?.read.has(i) && { read: true as const }),
      score: present(scores[i], 'the score of a candidate'),
      evidence: collectEvidence(i, ranking, rankOf),
      ...(companions.length > 0 && { companions }),
    };
  });
}

/**
 * Places the marked candidates. What marks say of others moves those, not the marked ones themselves: one marked `read`
 * keeps the rank that it would have without marks, as it is not to be edited; one that has none, for it is here by its
 * mark alone, comes after all others. Those marked `irrelevant` are at the bottom, in their order among themselves.
 * @param before ranks without marks, from 1, by slot
 * @returns the first candidates; those at the bottom take half of the places at most
 */
function placeMarked(
  { candidates, order }: Ranking,
  before: ReadonlyMap<number, number> | null,
  limit: number,
): number[] {
  const { marks } = candidates;
  if (!marks || !before) return order.slice(0, limit);
  const isRead = new Set(marks.read);
  const isRejected = new Set(marks.irrelevant);
  const rankOf = (i: number) => before.get(getSlot(i, candidates)) ?? Number.POSITIVE_INFINITY;
  const of = (kind: ReadonlySet<number>) => order.filter((i) => kind.has(getSlot(i, candidates)));
  const rejected = of(isRejected);
  const moving = order.filter((i) => {
    const slot = getSlot(i, candidates);
    return !isRead.has(slot) && !isRejected.has(slot);
  });
  for (const i of of(isRead).sort((a, b) => rankOf(a) - rankOf(b))) {
    moving.splice(Math.min(rankOf(i) - 1, moving.length), 0, i);
  }
  const room = limit - Math.min(rejected.length, Math.floor(limit / 2));
  return [...moving.slice(0, room), ...rejected].slice(0, limit);
}

function collectEvidence(i: number, ranking: Ranking, rankOf: (slot: number) => number): Evidence {
  const { candidates, reranked } = ranking;
  const evidence: Evidence = {};
  const { columns } = reranked?.read.has(i) ? reranked : ranking;
  const slot = getSlot(i, candidates);
  for (const { signal, values, contributions } of columns) {
    const value = present(values[i], 'the value of a candidate');
    const contribution = present(contributions[i], 'the contribution of a candidate');
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
  }
  for (const { signal } of columns) {
    const own = evidence[signal.name];
    if (own && signal.impliedBy && evidence[signal.impliedBy]?.value) own.sentence = null;
  }
  return evidence;
}
