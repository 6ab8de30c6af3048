/** Chooses the pairs of related words that are convincing as a reason. All pairs count for the score. */
import { isInformative } from '../../gather/words.ts';

/** A word of code and the word of the issue that it is related to. */
interface RelatedPair {
  term: string;
  of: string;
  /** Cosine similarity of the two words. */
  similarity: number;
}

/**
 * Minimum similarity of a pair. Weaker pairs look arbitrary, such as `redirect` and `login` (0.34) or `draw` and `forced`
 * (0.34). `seconds` and `time` have 0.38.
 */
const MIN_SIMILARITY = 0.37;

/** Words that look arbitrary in a pair: values like `true`, first parts of compounds like `drop` of `dropdown`, abbreviations. */
const IGNORED = new Set(
  (
    'bool catch except false main nil none null tries true try trying version back black drop end net off open over pass per win work ' +
    'ds pil pv sq ur'
  ).split(' '),
);

/** Number of letters in a row that make two words alike. The vectors of words are sums of those of such runs. */
const RUN = 3;

/** Endings that make another form of a word, after a doubled consonant. */
const ENDING =
  /^(?:e?s|e?d|e?rs?|ors?|ings?|(?:at)?ions?|ments?|e?ly|al(?:ly)?|y|[ai]ble|i?ty|ness|ful(?:ly)?|i?ve|[ae]n(?:t|ce)s?|e?n|ism)$/;

/** Endings of the forms of a verb or noun. */
const INFLECTION = /(?:ies|ied|e?s|e?d|ings?|e|y)$/;

/** Returns true if a person sees at once why the words are related, and learns something from it. */
export function isConvincingPair({ term, of, similarity }: RelatedPair): boolean {
  const both = [term, of];
  return (
    similarity >= MIN_SIMILARITY &&
    both.every((word) => isInformative(word) && !IGNORED.has(word)) &&
    !areAlike(term, of)
  );
}

/**
 * Returns true for two forms of one word, such as `redirects` and `redirected`, and for words that only look similar, such as
 * `passing` and `passwords`. A longer word that begins with the shorter one is different, such as `hostname` and `host`.
 */
function areAlike(a: string, b: string): boolean {
  if (a.replace(INFLECTION, '') === b.replace(INFLECTION, '')) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.startsWith(short)) {
    const rest = long.slice(short.length);
    return ENDING.test(rest.startsWith(short.slice(-1)) ? rest.slice(1) : rest);
  }
  for (let start = 0; start + RUN <= short.length; start++)
    if (long.includes(short.slice(start, start + RUN))) return true;
  return false;
}
