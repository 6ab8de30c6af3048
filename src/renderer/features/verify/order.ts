/** The ranking as it is listed: in the engine's order, or in the model's while that is wanted. */
import type { ChunkAddress, RankedChunk } from '../../../shared/types.ts';
import {
  inVerifiedOrder,
  type Verification,
  type VerifiedChunk,
} from '../../../shared/verifier.ts';
import { useVerify } from './verify-state.ts';

export type Verdicts = ReadonlyMap<ChunkAddress, VerifiedChunk>;

const NONE: Verdicts = new Map();
// Made once for each outcome, so that views see whether anything changed.
const verdicts = new WeakMap<Verification, Verdicts>();
let last: {
  results: readonly RankedChunk[];
  outcome: Verification;
  ordered: RankedChunk[];
} | null = null;

/** `rank` is the place in the list, by whomever. */
export function listedResults(results: readonly RankedChunk[]): readonly RankedChunk[] {
  const { outcome, applied } = useVerify.getState();
  if (!outcome || !applied) return results;
  if (last?.results !== results || last.outcome !== outcome) {
    const order = inVerifiedOrder(results, outcome);
    const ordered = order.map((chunk, at) => ({ ...chunk, rank: at + 1 }));
    last = { results, outcome, ordered };
  }
  return last.ordered;
}

/** What the model made of each chunk, by address. */
export function verdictsNow(): Verdicts {
  const { outcome } = useVerify.getState();
  if (!outcome) return NONE;
  const known =
    verdicts.get(outcome) ?? new Map(outcome.chunks.map((chunk) => [chunk.address, chunk]));
  verdicts.set(outcome, known);
  return known;
}
