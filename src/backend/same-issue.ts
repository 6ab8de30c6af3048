import { titleOf } from '../engine/issue/issue.ts';
import { passagesOf } from '../engine/issue/passages.ts';

/** Of the shorter text's words, how many the longer one must have for both to be one issue. */
const SHARED = 0.8;

/**
 * Whether one text is the other, or grew out of it: equal but for white space, or one title over mostly the same words.
 * Of long ones, what search reads is compared.
 */
export function isSameIssue(one: string, other: string): boolean {
  if (titleOf(one) !== titleOf(other)) return false;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const counts = new Map<string, number>();
  for (const word of longer) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of shorter) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    shared++;
  }
  return shared >= SHARED * shorter.length;
}

const wordsOf = (issue: string): string[] =>
  passagesOf(issue).flatMap(({ text }) => text.split(/\s+/).filter(Boolean));
