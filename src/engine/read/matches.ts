import { type Frequencies, SIMILAR } from './features.ts';
import type { IssueWords } from './issue-words.ts';
import { PARTS, type Part, type Word } from './tokens.ts';

/** A word of the issue that a candidate has, as a person sees it. */
export interface Match {
  /** As the issue has it, in lower case. */
  word: string;
  /** As the candidate has it. */
  as: string;
  /** Where it has it, each part once. */
  parts: Part[];
  /** The word itself, another form of it, or one that stands in its place in code. */
  how: 'exact' | 'form' | 'near';
  /** Of a near one, the cosine of the two; otherwise 1. */
  similarity: number;
  /** How many of the candidates have the candidate's word. */
  frequency: number;
}

const HOW = ['exact', 'form', 'near'] as const;

/** Each of the issue's words that the candidate has, in the best way in which it has it: the rarest first. */
export function matchesOf(
  words: readonly Word[],
  issue: IssueWords,
  frequencies: Frequencies,
): Match[] {
  const best = new Map<number, Match>();
  for (const word of words) {
    const part = PARTS[word.part] ?? 'body';
    const frequency = frequencies.get(word.hash) ?? 1;
    for (const { number, how, similarity } of waysOf(word, issue)) {
      const asked = issue.words[number]?.text ?? '';
      const known = best.get(number);
      const made = { word: asked, as: word.text, parts: [part], how, similarity, frequency };
      if (!known || isBetter(made, known)) best.set(number, made);
      else if (known.as === word.text && !known.parts.includes(part)) known.parts.push(part);
    }
  }
  return [...best.values()].sort((a, b) => a.frequency - b.frequency);
}

function* waysOf(word: Word, issue: IssueWords) {
  const exact = issue.exact(word);
  if (exact >= 0) yield { number: exact, how: HOW[0], similarity: 1 };
  for (const number of issue.ofStem(word)) yield { number, how: HOW[1], similarity: 1 };
  for (const { word: number, similarity } of issue.near(word)) {
    yield { number, how: HOW[2], similarity: similarity / SIMILAR };
  }
}

function isBetter(a: Match, b: Match): boolean {
  const rank = HOW.indexOf(a.how) - HOW.indexOf(b.how);
  return rank < 0 || (rank === 0 && a.similarity > b.similarity);
}
