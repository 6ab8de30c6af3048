/** Which words a row's snippet is to have. */
import type { Evidence } from '../../../shared/evidence.ts';

/** Fields that stand in a chunk's own text. */
const IN_TEXT: ReadonlySet<string> = new Set(['signature', 'docstring', 'body']);

export interface SnippetWord {
  word: string;
  score: number;
}

/** Words that the evidence found in a chunk's text, each with the most that it adds to a signal; none where it found none. */
export function snippetWords(evidence: Evidence | undefined): SnippetWord[] {
  const scores = new Map<string, number>();
  for (const { family, words = [], fields = [] } of Object.values(evidence ?? {})) {
    if (family !== 'words' || !fields.some(({ field }) => IN_TEXT.has(field))) continue;
    for (const { word, score } of words) scores.set(word, Math.max(score, scores.get(word) ?? 0));
  }
  return Array.from(scores, ([word, score]) => ({ word, score }));
}
