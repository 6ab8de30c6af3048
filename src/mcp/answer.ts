/** Builds parts of the tools' answers: locations, notes on incomplete results, and code cut to a budget, without control characters. */
import { z } from 'zod';
import type { Freshness } from '../services/keeper/on-demand-repository.ts';
import { splitAddress } from '../shared/address.ts';
import type { ChunkSummary } from '../shared/chunk.ts';
import { CHUNK_KINDS } from '../shared/chunk-kind.ts';
import {
  endTruncated,
  escapeHidden,
  escapeHiddenLines,
  quoteLines,
  quoteText,
} from '../shared/quote.ts';
import type { SearchResponse } from '../shared/search.ts';
import { formatProgress } from './progress.ts';

export const chunkLocation = z.object({
  path: z.string(),
  /** Qualified name. The tools `read` and `neighbors` accept `path::name`. */
  name: z.string(),
  kind: z.enum(CHUNK_KINDS),
  startLine: z.number(),
  endLine: z.number(),
});

export function formatLocation({
  address,
  kind,
  startLine,
  endLine,
}: ChunkSummary): z.output<typeof chunkLocation> {
  const { path, name } = splitAddress(address);
  return { path: escapeHidden(path), name: escapeHidden(name), kind, startLine, endLine };
}

/** Formats a function with its kind and lines: `` `src/shop/cart.py::Cart.total` (method, lines 12-40) ``. */
export function formatChunkName({
  path,
  name,
  kind,
  startLine,
  endLine,
}: z.output<typeof chunkLocation>): string {
  return `${quoteText(`${path}::${name}`)} (${kind}, lines ${startLine}-${endLine})`;
}

export const partialAnswer = z
  .object({
    reason: z.string(),
    /** Progress of the current run: `1,200 of 2,900 files parsed`. */
    progress: z.string().nullable(),
    retryAfterSeconds: z.number(),
  })
  .nullable();
export type PartialAnswer = z.output<typeof partialAnswer>;

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

const CHARACTERS_PER_TOKEN = 3.5;

export const countTokens = (text: string): number => estimateTokens(text.length);

const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

interface FirstLines {
  text: string;
  tokens: number;
  left: number;
}

/** Cuts code after the last line that fits into `tokens` once it is quoted. */
export function cutCode(code: string, tokens: number): FirstLines {
  const whole = escapeHiddenLines(code).replace(/\n$/, '');
  const lines = whole.split('\n');
  let characters = 0;
  let count = 0;
  for (const line of quoteLines(whole)) {
    if (estimateTokens(characters + line.length + 1) > tokens) break;
    characters += line.length + 1;
    count++;
  }
  return {
    text: lines.slice(0, count).join('\n'),
    tokens: estimateTokens(characters),
    left: lines.length - count,
  };
}

/** Cuts a sentence to `length` UTF-16 units, with an ellipsis if something is missing. */
export function cutSentence(sentence: string, length: number): string {
  return sentence.length <= length ? sentence : endTruncated(sentence.slice(0, length));
}
