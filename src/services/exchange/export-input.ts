import type { ChunkAddress } from '../../shared/address.ts';
import type { Mark } from '../../shared/marks.ts';
import type { Refinement, SearchResponse } from '../../shared/search.ts';

/** What an export is made of. Addresses are those of `response.results`. */
export interface ExportInput {
  response: SearchResponse;
  /** The issue, whole. */
  issue: string;
  /** SHA-1 of each result's normalised text. */
  hashes: ReadonlyMap<ChunkAddress, string>;
  /** The commit searched, or the one checked out; null without git. */
  commit: string | null;
  marks?: ReadonlyMap<ChunkAddress, { mark?: Mark; note?: string }>;
  /** Code to include (Markdown only). */
  code?: ReadonlyMap<ChunkAddress, string>;
  /** ISO 8601; left out when a file must not differ from one run to the next. */
  createdAt?: string;
}

/** What was read of a list; null for the first list, of which nothing was. */
export function readOf({ state, read, of, models }: Refinement) {
  return state === 'refined' ? { read, of, models } : null;
}
