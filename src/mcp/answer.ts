/** Builds parts of the tools' answers: locations, notes on incomplete results, and code cut to a budget, without control characters. */
import { z } from 'zod';
import type { Freshness } from '../services/keeper/asked-repository.ts';
import { splitAddress } from '../shared/address.ts';
import { CHUNK_KINDS, type ChunkSummary } from '../shared/chunk.ts';
import { endCut, quoted, quotedLines, visible, visibleLines } from '../shared/quoted.ts';
import type { SearchResponse } from '../shared/search.ts';
import { inWords } from './progress.ts';

export const place = z.object({
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
}: ChunkSummary): z.output<typeof place> {
  const { path, name } = splitAddress(address);
  return { path: visible(path), name: visible(name), kind, startLine, endLine };
}

/** Formats a function with its kind and lines: `` `src/shop/cart.py::Cart.total` (method, lines 12-40) ``. */
export function inText({ path, name, kind, startLine, endLine }: z.output<typeof place>): string {
  return `${quoted(`${path}::${name}`)} (${kind}, lines ${startLine}-${endLine})`;
}

export const partial = z
  .object({
    reason: z.string(),
    /** Progress of the current run: `1,200 of 2,900 files parsed`. */
    progress: z.string().nullable(),
    retryAfterSeconds: z.number(),
  })
  .nullable();
export type Partial = z.output<typeof partial>;

/** Suggested seconds before a retry, if the time that indexing needs is unknown. */
const DEFAULT_RETRY_S = 10;
const MAX_RETRY_S = 60;

/** Describes why an answer from an index is incomplete; null if it is complete. */
export function partialOf(
  { behind, progress }: Freshness,
  ranking: SearchResponse['partial'] = null,
): Partial {
  const reasons = [behind, ranking?.reason ?? null].filter((reason) => reason !== null);
  if (reasons.length === 0) return null;
  const left = Math.ceil(progress?.secondsLeft ?? DEFAULT_RETRY_S);
  return {
    reason: visible(reasons.join('; ')),
    progress: progress ? inWords(progress) : null,
    retryAfterSeconds: Math.min(MAX_RETRY_S, Math.max(1, left)),
  };
}

/** Returns the same as lines of text; empty if the answer is complete. */
export function partialLines(missing: Partial): string[] {
  if (!missing) return [];
  const { reason, progress, retryAfterSeconds } = missing;
  return [
    `partial: ${reason}${progress ? ` (${progress})` : ''}; repeat the call in about ${retryAfterSeconds} s for more results`,
  ];
}

const CHARACTERS_PER_TOKEN = 3.5;

export const tokensOf = (text: string): number => estimateTokens(text.length);

const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

interface FirstLines {
  text: string;
  tokens: number;
  left: number;
}

/** Cuts code after the last line that fits into `tokens` once it is quoted. */
export function firstLines(code: string, tokens: number): FirstLines {
  const whole = visibleLines(code).replace(/\n$/, '');
  const lines = whole.split('\n');
  let characters = 0;
  let count = 0;
  for (const line of quotedLines(whole)) {
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
export function cut(sentence: string, length: number): string {
  return sentence.length <= length ? sentence : endCut(sentence.slice(0, length));
}
