import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { VERDICTS, type Verdict } from '../../shared/verifier.ts';
import { formatId } from './prompt.ts';

/** The model's verdict on one chunk. `place` is the chunk's index in the window. */
export interface Judgment {
  index: number;
  verdict: Verdict;
  reason: string;
}

const MAX_REASON = 200;

const judgmentSchema = z.object({
  id: z.string().max(20),
  verdict: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(VERDICTS),
  ),
  reason: z.string().default(''),
});

/**
 * Parses an answer about a window of `count` chunks: JSON, which may be inside prose or a code block, or cut off. Reads only ids of the
 * window, verdicts, and a line of plain text for each. The first verdict on a chunk counts. Returns an empty list if there are none.
 */
export function parseAnswer(text: string, count: number): Judgment[] {
  const indexes = new Map(Array.from({ length: count }, (_, index) => [formatId(index), index]));
  const judgements: Judgment[] = [];
  for (const entry of findEntries(text)) {
    const parsed = judgmentSchema.safeParse(entry);
    const index = parsed.success ? indexes.get(parsed.data.id) : undefined;
    if (!parsed.success || index === undefined) continue;
    indexes.delete(parsed.data.id);
    const { verdict, reason } = parsed.data;
    judgements.push({ index: index, verdict, reason: oneLine(reason) });
  }
  return judgements;
}

function findEntries(text: string): unknown[] {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)```/.exec(answer)?.[1];
  for (const candidate of [answer, fenced, slice(answer, '{', '}'), slice(answer, '[', ']')]) {
    const entries = candidate === undefined ? null : parseList(candidate);
    if (entries) return entries;
  }
  // The answer is cut off or damaged: reads the complete entries.
  return Array.from(answer.matchAll(/\{[^{}]*\}/g), ([entry]) => parseJsonOrNull(entry));
}

function parseList(text: string): unknown[] | null {
  const value = parseJsonOrNull(text);
  const list = Array.isArray(value) ? value : (value as { chunks?: unknown } | null)?.chunks;
  return Array.isArray(list) ? list : null;
}

function slice(text: string, first: string, last: string): string | undefined {
  const start = text.indexOf(first);
  const end = text.lastIndexOf(last);
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}

const oneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);
