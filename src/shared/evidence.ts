/**
 * Why a chunk is where it is in a ranking, signal by signal. All of it comes from the engine: views show titles and
 * sentences as they are, and take none of them apart.
 */
import { z } from 'zod';

/** A piece of the issue text, `[start, end)` in UTF-16 units. */
export const issueSpan = z.object({ start: z.number(), end: z.number(), text: z.string() });
export type IssueSpan = z.output<typeof issueSpan>;

/** What kind of evidence a signal is, in the order in which views list them. */
export const FAMILY_TITLES = {
  meaning: 'Similar in meaning',
  words: 'Shared words',
  names: 'Named in the issue',
  place: 'Its file or path',
  calls: 'Call graph',
  history: 'Past commits',
  marks: 'Like what was marked',
  kind: 'What it is',
};
export type Family = keyof typeof FAMILY_TITLES;
export const FAMILIES = Object.keys(FAMILY_TITLES) as Family[];

/** A word and its part of the signal's value. */
const wordScore = z.object({
  word: z.string(),
  score: z.number(),
  /** The issue's word that it stands for, where it is another. */
  of: z.string().optional(),
});
export type WordScore = z.output<typeof wordScore>;

/** A field of a chunk (path, name, signature, docstring, body) and its part of the signal's value. */
const fieldScore = z.object({ field: z.string(), score: z.number() });
export type FieldScore = z.output<typeof fieldScore>;

/** One signal's part in a chunk's score. The contributions of all signals add up to the score. */
const signalEvidence = z.object({
  family: z.enum(FAMILIES),
  /** The signal's name for people: `Words of the issue`. */
  title: z.string(),
  /** The signal as measured: a cosine, a BM25 score, a count, 0 or 1. */
  value: z.number(),
  /** `value` as people read it: `BM25 4.2`. */
  measured: z.string(),
  /** Its part of the score: weight * (value - mean) / deviation over this search's candidates. */
  contribution: z.number(),
  /**
   * What speaks for the chunk, as a clause; names and text of the issue between backquotes. Null where the signal says
   * what a chunk is and not why it fits this issue, or where another signal says it already.
   */
  sentence: z.string().nullable(),
  /** Quoted names, paths and frames of the issue that say so. */
  spans: z.array(issueSpan).optional(),
  /** The strongest first; words that tell nothing are left out. */
  words: z.array(wordScore).optional(),
  fields: z.array(fieldScore).optional(),
});
export type SignalEvidence = z.output<typeof signalEvidence>;

/** Evidence by signal; the names are the keys of the ranker's weights. */
export const evidence = z.record(z.string(), signalEvidence);
export type Evidence = z.output<typeof evidence>;

/** What of evidence a reason is made of, as lists from elsewhere have it too. */
type Said = Record<string, Pick<SignalEvidence, 'contribution' | 'sentence'>>;

/** Why a chunk is where it is, in words that a person would use; at most `limit`, and none where nothing speaks for it. */
export function reasons({ evidence }: { evidence: Said }, limit = 3): string[] {
  return Object.values(evidence)
    .filter(({ contribution, sentence }) => contribution > 0 && sentence !== null)
    .sort((a, b) => b.contribution - a.contribution)
    .slice(0, limit)
    .map(({ sentence }) => sentence ?? '');
}

/** What one signal says of a chunk, in words. */
export interface Reason extends SignalEvidence {
  signal: string;
  sentence: string;
}

/**
 * What a row of a list says of a chunk: the strongest that speaks for it. Where no signal speaks for it in words, the
 * strongest of what can be said; never nothing.
 */
export function reasonsOf(evidence: Evidence, limit: number): Reason[] {
  const strongest = Object.entries(evidence)
    .map(([signal, own]) => ({ signal, ...own }))
    .sort((a, b) => b.contribution - a.contribution);
  const said = strongest.filter((each): each is Reason => each.sentence !== null);
  const speaking = said.filter(({ contribution }) => contribution > 0);
  if (speaking.length > 0) return speaking.slice(0, limit);
  const [first] = said.length > 0 ? said : strongest;
  return [first ? { ...first, sentence: first.sentence ?? merely(first) } : NO_REASON];
}

const merely = ({ title }: SignalEvidence): string =>
  `nothing of the issue, only what it is: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;

const NO_REASON: Reason = {
  signal: '',
  family: 'kind',
  title: 'Nothing',
  value: 0,
  measured: '',
  contribution: 0,
  sentence: 'nothing of the issue speaks for it',
};

/** The numbers behind a signal on one line, for details: `body 24.6, name 3.1; max_delay 4.6, rm 0.4 (delete)`. */
export function numbersOf({ fields = [], words = [] }: SignalEvidence): string {
  const byField = fields.map(({ field, score }) => `${field} ${score.toFixed(1)}`);
  const byWord = words.map(
    ({ word, score, of }) => `${word} ${score.toFixed(1)}${of ? ` (${of})` : ''}`,
  );
  return [byField, byWord].flatMap((part) => part.join(', ') || []).join('; ');
}
