/** Divides what a language model can read at once among the issue and the candidates. */
import type { CheckSettings } from '../../shared/check.ts';

/** Tokens that are left for the answer. */
const ANSWER_TOKENS = 600;
/** Characters of a token, at least: code has 3 to 4. */
const TOKEN_CHARACTERS = 3;
/** Characters of the instructions, and of a candidate's mark, name, path and relations. */
const INSTRUCTIONS = 1_500;
const HEAD = 150;
/** Maximum number of characters of the issue. */
const MAX_ISSUE = 8_000;
/** Number of first candidates that get twice the characters. */
const LIKELIEST = 5;
/** Number of characters of code below which a candidate tells nothing. */
const MIN_CODE = 100;

export interface Sizes {
  /** Maximum number of characters of the issue. */
  issue: number;
  /** Maximum number of characters of each candidate's code. */
  lengths: number[];
}

/**
 * Chooses sizes that fit the model's context. In a small one, the issue and the candidates are shortened; then there are fewer candidates.
 * @param issueLength in characters
 * @param results number of results of the list
 */
export function chooseSizes(
  issueLength: number,
  results: number,
  { candidates, characters, context }: Pick<CheckSettings, 'candidates' | 'characters' | 'context'>,
): Sizes {
  const room = (context - ANSWER_TOKENS) * TOKEN_CHARACTERS - INSTRUCTIONS;
  const issue = Math.min(issueLength, MAX_ISSUE, Math.floor(room / 3));
  for (let count = Math.min(candidates, results); count > 1; count--) {
    const shares = count + Math.min(count, LIKELIEST);
    const most = Math.floor((room - issue - HEAD * count) / shares);
    if (most >= MIN_CODE) return { issue, lengths: listLengths(count, Math.min(most, characters)) };
  }
  return { issue, lengths: listLengths(1, MIN_CODE) };
}

const listLengths = (count: number, each: number): number[] =>
  Array.from({ length: count }, (_, index) => (index < LIKELIEST ? 2 * each : each));
