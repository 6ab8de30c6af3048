/** Reads a language model's answer, which is not trusted. */
import { z } from 'zod';
import { parseJsonOrNull } from '../../base/http.ts';
import { MAX_CHECK_REASON, MAX_ORDER } from '../../shared/check.ts';
import { MAX_MISSING } from './prompt.ts';
import { removeThoughts } from './thoughts.ts';

export interface Answer {
  /** Indexes of candidates, most likely first. Candidates to edit that the model did not order come first. */
  order: number[];
  /** Reasons for candidates that the fix edits, by index. */
  edits: Map<number, string>;
  /** Names, paths or words that the model would search for. */
  missing: string[];
  /** Length of its text, in characters. */
  length: number;
}

const id = z.union([z.number(), z.string().max(20)]);
const answer = z.object({
  edit: z.array(z.unknown()).catch([]),
  order: z.array(z.unknown()).catch([]),
  missing: z.array(z.unknown()).catch([]),
});
const edit = z.union([
  z.object({ id, reason: z.string().catch('') }),
  id.transform((id) => ({ id, reason: '' })),
]);

/**
 * Parses an answer about `count` candidates: JSON, which may be inside prose or a code block or cut off, or a list such as
 * `[3] > [1]`, which models that were trained to rerank write. Reads only ids of the candidates and short lines of plain text.
 * Returns null if there is no id in it.
 */
export function parseAnswer(text: string, count: number): Answer | null {
  const plain = removeThoughts(text);
  const { edit: edited, order: ordered, missing } = findObject(plain) ?? readCutOff(plain);
  const toIndex = (value: unknown): number[] => {
    const number = Number(String(value).match(/^[^\d.-]{0,3}(\d{1,4})\D?$/)?.[1] ?? Number.NaN);
    return Number.isInteger(number) && number >= 1 && number <= count ? [number - 1] : [];
  };
  const edits = new Map<number, string>();
  for (const entry of edited) {
    const parsed = edit.safeParse(entry);
    if (!parsed.success) continue;
    for (const index of toIndex(parsed.data.id))
      if (!edits.has(index)) edits.set(index, oneLine(parsed.data.reason, MAX_CHECK_REASON));
  }
  const likely = new Set(ordered.flatMap(toIndex).slice(0, MAX_ORDER));
  const order = [...edits.keys().filter((index) => !likely.has(index)), ...likely];
  if (order.length === 0) return null;
  return { order, edits, missing: readMissing(missing), length: text.length };
}

function readMissing(values: readonly unknown[]): string[] {
  const texts = values.flatMap((value) => (typeof value === 'string' ? [oneLine(value)] : []));
  return [...new Set(texts)]
    .filter((text) => text !== '' && text.length <= MAX_MISSING.length)
    .slice(0, MAX_MISSING.count);
}

function findObject(text: string): z.output<typeof answer> | null {
  const fenced = /```(?:json)?[^\S\n]*\n([\s\S]*?)```/.exec(text)?.[1];
  for (const candidate of [text, fenced, slice(text, '{', '}')]) {
    const parsed = answer.safeParse(candidate === undefined ? null : parseJsonOrNull(candidate));
    if (parsed.success && (parsed.data.order.length > 0 || parsed.data.edit.length > 0))
      return parsed.data;
  }
  return null;
}

/** Reads what is complete in an answer that is cut off or damaged, or that is only a list of ids. */
function readCutOff(text: string): z.output<typeof answer> {
  const entries = Array.from(text.matchAll(/\{[^{}]{0,2000}\}/g), ([entry]) =>
    parseJsonOrNull(entry),
  );
  const list = /"order"\s*:\s*\[([\d\s,"]*)(\]?)/.exec(text);
  const order = list
    ? // The last number may be cut off.
      (list[1] ?? '').split(',').slice(0, list[2] ? undefined : -1)
    : [...text.matchAll(/\[(\d{1,4})\]/g)].map(([, number]) => number);
  return { edit: entries, order, missing: [] };
}

function slice(text: string, first: string, last: string): string | undefined {
  const start = text.indexOf(first);
  const end = text.lastIndexOf(last);
  return start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
}

const oneLine = (text: string, most = Number.POSITIVE_INFINITY) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most);
