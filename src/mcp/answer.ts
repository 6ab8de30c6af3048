/** Builds parts of the tools' answers: functions, what is missing, and code cut to a budget. They have no control characters. */
import { z } from 'zod';
import type { Freshness } from '../services/keeper/asked-repository.ts';
import { splitAddress } from '../shared/address.ts';
import { CHUNK_KINDS, type ChunkSummary } from '../shared/chunk.ts';
import { endCut, quoted, quotedLines, visible, visibleLines } from '../shared/quoted.ts';
import type { SearchResponse } from '../shared/search.ts';
import { inWords } from './progress.ts';

export const place = z.object({
  path: z.string(),
  /** Its qualified name; `path::name` names it to `read` and `neighbors`. */
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

/** Names a function with its kind and lines: `` `src/shop/cart.py::Cart.total` (method, lines 12-40) ``. */
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

/** Seconds after which asking again is worth it, where nobody knows better. */
const RETRY_S = 10;
const MOST_RETRY_S = 60;

/** Returns what is missing in an answer from an index; null if nothing is. */
export function partialOf(
  { behind, progress }: Freshness,
  ranking: SearchResponse['partial'] = null,
): Partial {
  const reasons = [behind, ranking?.reason ?? null].filter((reason) => reason !== null);
  if (reasons.length === 0) return null;
  const left = Math.ceil(progress?.secondsLeft ?? RETRY_S);
  return {
    reason: visible(reasons.join('; ')),
    progress: progress ? inWords(progress) : null,
    retryAfterSeconds: Math.min(MOST_RETRY_S, Math.max(1, left)),
  };
}

/** The same for a text; nothing when nothing is missing. */
export function partialLines(missing: Partial): string[] {
  if (!missing) return [];
  const { reason, progress, retryAfterSeconds } = missing;
  return [
    `partial: ${reason}${progress ? ` (${progress})` : ''}; the same call in about ${retryAfterSeconds} s finds more`,
  ];
}

const CHARACTERS_A_TOKEN = 3.5;

export const tokensOf = (text: string): number => tokensOfLength(text.length);

const tokensOfLength = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);

interface FirstLines {
  text: string;
  tokens: number;
  left: number;
}

/** Cuts code after the last line that fits into so many tokens when it is quoted. */
export function firstLines(code: string, tokens: number): FirstLines {
  const whole = visibleLines(code).replace(/\n$/, '');
  const lines = whole.split('\n');
  let characters = 0;
  let kept = 0;
  for (const line of quotedLines(whole)) {
    if (tokensOfLength(characters + line.length + 1) > tokens) break;
    characters += line.length + 1;
    kept++;
  }
  return {
    text: lines.slice(0, kept).join('\n'),
    tokens: tokensOfLength(characters),
    left: lines.length - kept,
  };
}

/** Cuts a sentence to so many UTF-16 units, with an ellipsis where something is missing. */
export function cut(sentence: string, length: number): string {
  return sentence.length <= length ? sentence : endCut(sentence.slice(0, length));
}
