/** What an answer lacks, and how to ask again. */
import { z } from 'zod';
import type { SearchResponse } from '../shared/search.ts';
import { visible } from '../shared/visible.ts';
import type { Freshness } from './live-index.ts';
import { inWords } from './progress.ts';

export const partial = z
  .object({
    reason: z.string(),
    /** How far the run under way is: `1,200 of 2,900 files parsed`. */
    progress: z.string().nullable(),
    retryAfterSeconds: z.number(),
  })
  .nullable();
export type Partial = z.output<typeof partial>;

/** Seconds after which asking again is worth it, where nobody knows better. */
const RETRY_S = 10;
const MOST_RETRY_S = 60;

/** What is missing in an answer from an index; null when nothing is. */
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
