import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { VERDICTS, type Verdict } from '../../shared/verifier.ts';
import { idOf } from './prompt.ts';

/** The model's word on the chunk at a place of its window. */
export interface Judgement {
  place: number;
  verdict: Verdict;
  reason: string;
}

const MAX_REASON = 200;

const said = z.object({
  id: z.string().max(20),
  verdict: z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(VERDICTS),
  ),
  reason: z.string().default(''),
});

/**
 * Reads an answer about a window of `count` chunks: JSON, also within prose or a fenced block, also cut short. Only ids
 * of the window, the verdicts, and a line of plain text each are taken from it; the first word on a chunk counts.
 * Empty when there is nothing of that kind in it.
 */
export function readAnswer(text: string, count: number): Judgement[] {
  const places = new Map(Array.from({ length: count }, (_, place) => [idOf(place), place]));
  const judgements: Judgement[] = [];
  for (const entry of entriesOf(text)) {
    const parsed = said.safeParse(entry);
    const place = parsed.success ? places.get(parsed.data.id) : undefined;
    if (!parsed.success || place === undefined) continue;
    places.delete(parsed.data.id);
    judgements.push({ place, verdict: parsed.data.verdict, reason: oneLine(parsed.data.reason) });
  }
  return judgements;
}

function entriesOf(text: string): unknown[] {
  const answer = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)```/.exec(answer)?.[1];
  for (const candidate of [answer, fenced, between(answer, '{', '}'), between(answer, '[', ']')]) {
    const entries = candidate === undefined ? null : listOf(candidate);
    if (entries) return entries;
  }
  // Cut short, or damaged: the entries that are whole.
  return Array.from(answer.matchAll(/\{[^{}]*\}/g), ([entry]) => parseJsonOrNull(entry));
}

function listOf(text: string): unknown[] | null {
  const value = parseJsonOrNull(text);
  const list = Array.isArray(value) ? value : (value as { chunks?: unknown } | null)?.chunks;
  return Array.isArray(list) ? list : null;
}

function between(text: string, first: string, last: string): string | undefined {
  const start = text.indexOf(first);
  const end = text.lastIndexOf(last);
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}

const oneLine = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);
