/** Summary of the check of one list by a language model. */
import type { ChunkAddress } from '../../shared/address.ts';
import type { CheckedChunk, CheckFusion, CheckOutcome } from '../../shared/check.ts';
import type { RankedChunk } from '../../shared/search.ts';
import type { LevelRanks } from './metrics.ts';

export interface CheckSummary {
  model: string;
  /** Ranks before the check. */
  before: LevelRanks;
  /** Characters of the request and of the answer. */
  size: CheckOutcome['size'];
  /**
   * Ranks before the check of the candidates, in the checked order, and of those that the model says to edit; null if they were
   * not in the list.
   */
  order: (number | null)[];
  edits: (number | null)[];
  /** Scores of the candidates before the check, and how the orders were combined. */
  scores: number[];
  fusion?: CheckFusion;
  missing: string[];
  /** True if all chunks that the fix edits are among the candidates, so that a perfect order has perfect recall. */
  isReachable: boolean;
  /** Numbers of edited candidates, of those that the model says to edit, and of those among them that the fix edits. */
  counts: { edited: number; named: number; right: number };
  failure: string | null;
}

/** Summarizes a check of a list, given the chunks that the fix edits. */
export function summarizeCheck(
  { model, chunks, asked, size, fusion, missing, failure }: CheckOutcome,
  {
    results,
    edited,
    before,
  }: { results: readonly RankedChunk[]; edited: readonly ChunkAddress[]; before: LevelRanks },
): CheckSummary {
  const known = new Set(asked);
  const named = chunks.filter(({ isEdit }) => isEdit);
  const getRank = ({ from }: CheckedChunk) => from;
  return {
    model,
    before,
    size,
    order: chunks.map(getRank),
    edits: named.map(getRank),
    scores: results.slice(0, asked.length).map(({ score }) => score),
    ...(fusion && { fusion }),
    missing,
    isReachable: edited.every((address) => known.has(address)),
    counts: {
      edited: edited.filter((address) => known.has(address)).length,
      named: named.length,
      right: named.filter(({ address }) => edited.includes(address)).length,
    },
    failure: failure?.message ?? null,
  };
}
