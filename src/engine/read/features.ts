/**
 * What the reader is given: of each word of a candidate how it matches the issue, of each word of the issue how the
 * candidate has it. lab/reader/features.py makes the same numbers to the bit: all are quotients and roots of small
 * integers.
 */
import { present } from '../../shared/present.ts';
import type { IssueWords } from './issue-words.ts';
import { RAREST, rarity } from './lexicon.ts';
import { FIELDS, GAPS, identifiers, LONGEST, PARTS, type Word } from './tokens.ts';

/** A similarity of 1. */
export const SIMILAR = 255;
/** Repetitions count up to here. */
const MOST_IN_ISSUE = 4;
const MOST_IN_CANDIDATE = 8;
/** The commonest words are told apart; all others by how rare they are alone. */
const KNOWN = 1024;

/** Numbers of a word of a candidate, and of a word of the issue. */
export const TOKEN_FEATURES = 3 * FIELDS.length + 4 + 4 + 1 + 3 + 2 + PARTS.length + 1;
export const ISSUE_FEATURES = FIELDS.length + 4 + PARTS.length + 4;

export interface CandidateFeatures {
  /** `[words, TOKEN_FEATURES]`. */
  tokens: Float32Array;
  /** What is told apart of words, one for each. */
  kinds: Int32Array;
  /** `[words of the issue, ISSUE_FEATURES]`. */
  issue: Float32Array;
}

/** In how many candidates each word occurs, by its hash. */
export type Frequencies = ReadonlyMap<number, number>;

/** @param candidates the words of each */
export function frequenciesOf(candidates: readonly (readonly Word[])[]): Frequencies {
  const frequencies = new Map<number, number>();
  for (const words of candidates) {
    for (const hash of new Set(words.map((word) => word.hash))) {
      frequencies.set(hash, (frequencies.get(hash) ?? 0) + 1);
    }
  }
  return frequencies;
}

/** The features of a candidate with these words, one of `count` candidates. */
export function featuresOf(
  words: readonly Word[],
  issue: IssueWords,
  frequencies: Frequencies,
  count: number,
): CandidateFeatures {
  const matches = new Map<number, WordMatch>();
  for (const word of words) {
    if (!matches.has(word.hash)) matches.set(word.hash, matchOf(word, issue, frequencies, count));
  }
  const of = words.map((word) => present(matches.get(word.hash), 'the match of a word'));
  return {
    tokens: tokenFeatures(words, of, issue),
    kinds: Int32Array.from(words, ({ line }) =>
      line >= 0 && line < KNOWN ? line : KNOWN + rarity(line),
    ),
    issue: issueFeatures(words, of, issue, frequencies, count),
  };
}

/** How a distinct word matches the issue. */
interface WordMatch {
  exact: number;
  stems: readonly number[];
  near: readonly { word: number; similarity: number }[];
  frequency: number;
  /** The features that all its occurrences share. */
  shared: number[];
}

function matchOf(
  word: Word,
  issue: IssueWords,
  frequencies: Frequencies,
  count: number,
): WordMatch {
  const exact = issue.exact(word);
  const stems = issue.ofStem(word);
  const near = issue.near(word);
  const frequency = frequencies.get(word.hash) ?? 1;
  const has = (number: number, field: number) => (issue.words[number]?.counts[field] ?? 0) > 0;
  const fields = FIELDS.map((_, field) => field);
  const nearest = (field: number) =>
    near.reduce((best, of) => (has(of.word, field) ? Math.max(best, of.similarity) : best), 0);
  const shared = [
    ...fields.map((field) => Number(has(exact, field))),
    ...fields.map((field) => Number(stems.some((number) => has(number, field)))),
    ...fields.map((field) => nearest(field) / SIMILAR),
    1 / Math.sqrt(frequency),
    frequency / count,
    repetitions(issue, exact),
    Number(frequency === 1),
  ];
  return { exact, stems, near, frequency, shared };
}

function repetitions(issue: IssueWords, number: number): number {
  const counts = issue.words[number]?.counts ?? [];
  return Math.min(sum(counts), MOST_IN_ISSUE) / MOST_IN_ISSUE;
}

function tokenFeatures(
  words: readonly Word[],
  matches: readonly WordMatch[],
  issue: IssueWords,
): Float32Array {
  const made = new Float32Array(words.length * TOKEN_FEATURES);
  const named = identifiers(words);
  const seen = new Set<number>();
  let partStart = 0;
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    const after = words[i + 1];
    if (before?.part !== word.part) partStart = i;
    const own = [
      ...present(matches[i], 'the match of a word').shared,
      Number(before !== undefined && issue.hasPair(before, word)),
      Number(after !== undefined && issue.hasPair(word, after)),
      ...issue.names(named[i] ?? 0).map(Number),
      Number(!seen.has(word.hash)),
      ...[GAPS.within, GAPS.joined, GAPS.line].map((gap) => Number(word.gap === gap)),
      Number(word.isCapital),
      Number(word.isDigit),
      ...PARTS.map((_, part) => Number(word.part === part)),
      (i - partStart) / LONGEST,
    ];
    made.set(own, i * TOKEN_FEATURES);
    seen.add(word.hash);
  }
  return made;
}

function issueFeatures(
  words: readonly Word[],
  matches: readonly WordMatch[],
  issue: IssueWords,
  frequencies: Frequencies,
  count: number,
): Float32Array {
  const having = issue.words.map(() => ({
    parts: PARTS.map(() => 0),
    stem: false,
    near: 0,
    paired: false,
  }));
  for (const [i, word] of words.entries()) {
    const { exact, stems, near } = present(matches[i], 'the match of a word');
    const own = having[exact];
    if (own) {
      own.parts[word.part] = (own.parts[word.part] ?? 0) + 1;
      own.paired ||= isPaired(words, i, issue);
    }
    for (const number of stems) present(having[number], 'a word of the issue').stem = true;
    for (const { word: number, similarity } of near) {
      const of = present(having[number], 'a word of the issue');
      of.near = Math.max(of.near, similarity);
    }
  }
  const made = new Float32Array(having.length * ISSUE_FEATURES);
  for (const [i, { parts, stem, near, paired }] of having.entries()) {
    const own = [
      ...sharedOfIssue(issue, i, frequencies, count),
      ...parts.map((times) => Number(times > 0)),
      Number(stem),
      near / SIMILAR,
      Math.min(sum(parts), MOST_IN_CANDIDATE) / MOST_IN_CANDIDATE,
      Number(paired),
    ];
    made.set(own, i * ISSUE_FEATURES);
  }
  return made;
}

function isPaired(words: readonly Word[], i: number, issue: IssueWords): boolean {
  const [before, word, after] = [words[i - 1], present(words[i], 'a word'), words[i + 1]];
  const follows = before !== undefined && issue.hasPair(before, word);
  return follows || (after !== undefined && issue.hasPair(word, after));
}

/** What is the same of a word of the issue for all candidates. */
function sharedOfIssue(
  issue: IssueWords,
  number: number,
  frequencies: Frequencies,
  count: number,
): number[] {
  const { hash, line, counts } = present(issue.words[number], 'a word of the issue');
  const frequency = frequencies.get(hash) ?? 0;
  return [
    ...counts.map((times) => Number(times > 0)),
    repetitions(issue, number),
    frequency > 0 ? 1 / Math.sqrt(frequency) : 0,
    frequency / count,
    rarity(line) / RAREST,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
