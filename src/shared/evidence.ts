/**
 * Evidence for a chunk's rank, signal by signal. The engine writes all of it: views show titles and sentences unchanged
 * and never parse them.
 */
import { z } from 'zod';

/** A span of the issue text, `[start, end)` in UTF-16 units. */
export const issueSpan = z.object({ start: z.number(), end: z.number(), text: z.string() });
export type IssueSpan = z.output<typeof issueSpan>;

/** Titles of the families of signals, in the order in which views list them. */
export const FAMILY_TITLES = {
  meaning: 'Similar in meaning',
  words: 'Shared words',
  names: 'Named in the issue',
  location: 'File or path',
  calls: 'Call graph',
  history: 'Past commits',
  marks: 'Similar to marked results',
  kind: 'Kind of function',
};
export type Family = keyof typeof FAMILY_TITLES;
export const FAMILIES = Object.keys(FAMILY_TITLES) as Family[];

/** A word and its share of the signal's value. */
const wordScore = z.object({
  word: z.string(),
  score: z.number(),
  /** Word of the issue that it matches, if that is a different one. */
  of: z.string().optional(),
});
export type WordScore = z.output<typeof wordScore>;

/** A field of a chunk (path, name, signature, docstring, body) and its share of the signal's value. */
const fieldScore = z.object({ field: z.string(), score: z.number() });
export type FieldScore = z.output<typeof fieldScore>;

/** Evidence from one signal. The contributions of all signals add up to the chunk's score. */
const signalEvidence = z.object({
  family: z.enum(FAMILIES),
  /** Name of the signal in the user interface: `Words of the issue`. */
  title: z.string(),
  /** The signal as measured: a cosine, a BM25 score, a count, 0 or 1. */
  value: z.number(),
  /** `value` as text: `BM25 4.2`. */
  measured: z.string(),
  /** Part of the score: weight * (value - mean) / deviation over this search's candidates. */
  contribution: z.number(),
  /**
   * Reason as a clause, with names and text of the issue between backquotes. Null if the signal describes the chunk
   * independently of the issue, or if another signal already gives this reason.
   */
  sentence: z.string().nullable(),
  /** Names, paths and frames in the issue that the reason is based on. */
  spans: z.array(issueSpan).optional(),
  /** Words with the highest scores first; words without information are left out. */
  words: z.array(wordScore).optional(),
  fields: z.array(fieldScore).optional(),
});
export type SignalEvidence = z.output<typeof signalEvidence>;

/** Evidence by signal. The keys are those of the ranker's weights. */
export const evidence = z.record(z.string(), signalEvidence);
export type Evidence = z.output<typeof evidence>;

/** The part of evidence that reasons need; imported lists have it too. */
type ReasonSource = Record<
  string,
  Pick<SignalEvidence, 'contribution' | 'sentence'> &
    Partial<Pick<SignalEvidence, 'words' | 'spans'>> & { family?: string }
>;

/** Returns the strongest reasons for a chunk's rank, at most `limit`; empty if no signal raises its score. */
export function listReasons(
  { evidence }: { evidence: ReasonSource },
  limit = MAX_REASONS,
): string[] {
  const strongest = Object.values(evidence)
    .filter(({ contribution, sentence }) => contribution > 0 && sentence !== null)
    .sort((a, b) => b.contribution - a.contribution);
  return chooseReasons(strongest, limit).map(({ sentence }) => sentence ?? '');
}

/** Maximum number of reasons that are shown without details. */
export const MAX_REASONS = 3;
/** Maximum number of reasons in a row of a list. */
export const MAX_ROW_REASONS = 2;
/** Maximum number of words in the sentence of a reason. */
export const MAX_SENTENCE_WORDS = 3;

/**
 * Selects the words that a sentence lists: the strongest, without parts of others. `max_delay` stands for `max` and `delay`,
 * and `redirects` for `redirect`.
 * @param words strongest first
 */
export function selectSentenceWords<Word extends Pick<WordScore, 'word'>>(
  words: readonly Word[],
): Word[] {
  const selected: Word[] = [];
  for (const one of words) {
    if (selected.some(({ word }) => isPart(one.word, word))) continue;
    const isWhole = ({ word }: Word) => !isPart(word, one.word);
    const others = selected.filter(isWhole);
    if (others.length === MAX_SENTENCE_WORDS) continue;
    selected.splice(0, selected.length, ...others, one);
  }
  return selected;
}

/** Minimum length of a part that is not a whole segment. `host` in `hostname` is long enough, `red` in `redirects` is not. */
const MIN_PART = 4;

const isPart = (part: string, whole: string): boolean =>
  part.length < whole.length &&
  whole
    .split('_')
    .some(
      (segment) =>
        segment === part ||
        (part.length >= MIN_PART && (segment.startsWith(part) || segment.endsWith(part))),
    );

/**
 * Chooses reasons to show, strongest first. If there are too many, those that point to a place in the issue, such as the frame
 * of a traceback, go before others.
 */
function chooseReasons<R extends ReasonSource[string]>(
  strongest: readonly R[],
  limit: number,
): R[] {
  const reasons = dropContained(dropRepetitions(strongest));
  const pointsToIssue = ({ spans = [] }: R) => spans.length > 0;
  const chosen = new Set(
    [...reasons.filter(pointsToIssue), ...reasons.filter((one) => !pointsToIssue(one))].slice(
      0,
      limit,
    ),
  );
  return reasons.filter((one) => chosen.has(one));
}

/**
 * Leaves out reasons about a part of what another reason points to: `Retry` in `Retry.delay`, or a path in the frame of a
 * traceback. Of two reasons about the same place, the stronger one stays.
 */
function dropContained<R extends ReasonSource[string]>(strongest: readonly R[]): R[] {
  type Span = z.output<typeof issueSpan>;
  const contains = (outer: Span, inner: Span) =>
    outer.start <= inner.start && inner.end <= outer.end;
  const covers = (outer: R, inner: R) =>
    (inner.spans ?? []).every((span) => outer.spans?.some((other) => contains(other, span)));
  return strongest.filter((reason, i) => {
    if (!reason.spans?.length) return true;
    return !strongest.some(
      (other, j) => i !== j && covers(other, reason) && (j < i || !covers(reason, other)),
    );
  });
}

/**
 * Leaves out reasons that say nothing new: the same sentence, another one about meaning, or words of the chunk that a stronger
 * reason mentions.
 * @param strongest reasons, strongest first
 */
function dropRepetitions<R extends ReasonSource[string]>(strongest: readonly R[]): R[] {
  const sentences = new Set<string | null>();
  const mentioned: string[] = [];
  const isMentioned = (word: string) =>
    mentioned.some((other) => word === other || isPart(word, other));
  let hasMeaning = false;
  return strongest.filter(({ family, sentence, words: all = [] }) => {
    const words = selectSentenceWords(all);
    const isOfWords = family === 'words' && words.length > 0;
    const isRepetition =
      sentences.has(sentence) ||
      (family === 'meaning' && hasMeaning) ||
      (isOfWords && words.every(({ word }) => isMentioned(word)));
    if (isRepetition) return false;
    sentences.add(sentence);
    hasMeaning ||= family === 'meaning';
    if (isOfWords) mentioned.push(...words.map(({ word }) => word));
    return true;
  });
}

/** Evidence from one signal that has a sentence. */
export interface Reason extends SignalEvidence {
  signal: string;
  sentence: string;
}

/**
 * Returns the strongest reasons to show in a row of a list, at most `limit`. If no signal that raises the score has a
 * sentence, returns the single strongest signal. The result is never empty.
 */
export function pickReasons(evidence: Evidence, limit: number): Reason[] {
  const strongest = Object.entries(evidence)
    .map(([signal, own]) => ({ signal, ...own }))
    .sort((a, b) => b.contribution - a.contribution);
  const withSentence = strongest.filter((each): each is Reason => each.sentence !== null);
  const positive = withSentence.filter(({ contribution }) => contribution > 0);
  if (positive.length > 0) return chooseReasons(positive, limit);
  const [first] = withSentence.length > 0 ? withSentence : strongest;
  return [first ? { ...first, sentence: first.sentence ?? describeUnrelated(first) } : NO_REASON];
}

const describeUnrelated = ({ title }: SignalEvidence): string =>
  `no specific reason; strongest signal: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;

const NO_REASON: Reason = {
  signal: '',
  family: 'kind',
  title: 'Nothing',
  value: 0,
  measured: '',
  contribution: 0,
  sentence: 'no match with the issue',
};

/** Formats the numbers behind a signal on one line: `body 24.6, name 3.1; max_delay 4.6, rm 0.4 (delete)`. */
export function formatSignalNumbers({ fields = [], words = [] }: SignalEvidence): string {
  const byField = fields.map(({ field, score }) => `${field} ${score.toFixed(1)}`);
  const byWord = words.map(
    ({ word, score, of }) => `${word} ${score.toFixed(1)}${of ? ` (${of})` : ''}`,
  );
  return [byField, byWord].flatMap((part) => part.join(', ') || []).join('; ');
}
