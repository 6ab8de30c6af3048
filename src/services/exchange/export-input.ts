import type { ChunkAddress } from '../../shared/address.ts';
import type { Mark } from '../../shared/marks.ts';
import type { RankedChunk, Refinement, SearchResponse } from '../../shared/search.ts';

/** Addresses are those of `response.results`. */
export interface ExportInput {
  response: SearchResponse;
  issue: string;
  /** SHA-1 of each result's normalised text. */
  hashes: ReadonlyMap<ChunkAddress, string>;
  /** The commit searched, or the one checked out; null without git. */
  commit: string | null;
  /** Ranks as somebody saw them, where those are not the search's own; null for one that had none. */
  ranks?: ReadonlyMap<ChunkAddress, number | null>;
  marks?: ReadonlyMap<ChunkAddress, { mark?: Mark; note?: string }>;
  code?: ReadonlyMap<ChunkAddress, string>;
  /** Addresses of the lines at the repository's host; only where the host has just these lines. */
  permalinks?: ReadonlyMap<ChunkAddress, string>;
  /** Why some results have no permalink; null when none could have one, or all have. */
  unlinked?: string | null;
  links?: ReadonlyMap<ChunkAddress, string>;
  /** ISO 8601; left out when a file must not differ from one run to the next. */
  createdAt?: string;
}

/** The rank to show; null for a result that had none on the screen. */
export function rankOf({ ranks }: ExportInput, { address, rank }: RankedChunk): number | null {
  return ranks?.has(address) ? (ranks.get(address) ?? null) : rank;
}

/** What was read of a list; null for the first list, of which nothing was. */
export function readOf({ state, read, of, models }: Refinement) {
  return state === 'refined' ? { read, of, models } : null;
}
