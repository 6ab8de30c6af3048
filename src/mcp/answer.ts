/** Builds parts of the tools' answers: locations, notes on incomplete results, and cuts to a budget, without control characters. */
import type { Freshness } from '../services/keeper/on-demand-repository.ts';
import { splitAddress } from '../shared/address.ts';
import type { ChunkSummary } from '../shared/chunk.ts';
import type { ChunkKind } from '../shared/chunk-kind.ts';
import { endTruncated, escapeHidden, quoteText } from '../shared/quote.ts';
import type { SearchResponse } from '../shared/search.ts';
import { formatProgress } from './progress.ts';

export interface ChunkLocation {
  path: string;
  /** Qualified name. The tool `read` accepts `path::name`. */
  name: string;
  kind: ChunkKind;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
}

export function formatLocation({ address, kind, startLine, endLine }: ChunkSummary): ChunkLocation {
  const { path, name } = splitAddress(address);
  return { path: escapeHidden(path), name: escapeHidden(name), kind, startLine, endLine };
}

/** Formats a function with its kind and lines: `` `src/shop/cart.py::Cart.total` (method, lines 12-40) ``. */
export function formatChunkName({ path, name, kind, startLine, endLine }: ChunkLocation): string {
  return `${quoteText(`${path}::${name}`)} (${kind}, lines ${startLine}-${endLine})`;
}

/** Reason why an answer is incomplete; null if it is complete. */
export type PartialAnswer = {
  reason: string;
  /** Progress of the current run: `1,200 of 2,900 files parsed`. */
  progress: string | null;
  retryAfterSeconds: number;
} | null;

/** Suggested seconds before a retry, if the time that indexing needs is unknown. */
const DEFAULT_RETRY_S = 10;
const MAX_RETRY_S = 60;

/** Describes why an answer from an index is incomplete; null if it is complete. */
export function describePartial(
  { behind, progress }: Freshness,
  ranking: SearchResponse['partial'] = null,
): PartialAnswer {
  const reasons = [behind, ranking?.reason ?? null].filter((reason) => reason !== null);
  if (reasons.length === 0) return null;
  const left = Math.ceil(progress?.secondsLeft ?? DEFAULT_RETRY_S);
  return {
    reason: escapeHidden(reasons.join('; ')),
    progress: progress ? formatProgress(progress) : null,
    retryAfterSeconds: Math.min(MAX_RETRY_S, Math.max(1, left)),
  };
}

/** Returns the same as lines of text; empty if the answer is complete. */
export function formatPartial(missing: PartialAnswer): string[] {
  if (!missing) return [];
  const { reason, progress, retryAfterSeconds } = missing;
  return [
    `partial: ${reason}${progress ? ` (${progress})` : ''}; repeat the call in about ${retryAfterSeconds} s for more results`,
  ];
}

export const CHARACTERS_PER_TOKEN = 3.5;

export const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/**
 * Returns the first items that fit into a number of characters.
 * @param measure returns the characters of an item, with its line break
 */
export function takeFitting<Item>(
  items: readonly Item[],
  measure: (item: Item) => number,
  characters: number,
): Item[] {
  let left = characters;
  const end = items.findIndex((item) => {
    left -= measure(item);
    return left < 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}

/** Returns the characters of a line, with its line break. */
export const measureText = (line: string): number => line.length + 1;

/** Cuts a sentence to `length` UTF-16 units, with an ellipsis if something is missing. */
export function cutSentence(sentence: string, length: number): string {
  return sentence.length <= length ? sentence : endTruncated(sentence.slice(0, length));
}
