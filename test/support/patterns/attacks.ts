import { pumpsOf } from './pumps.ts';
import { type Part, parsePattern } from './syntax.ts';

/** A text that is made to be slow to match: `head`, `word` again and again, `tail`. */
export interface Attack {
  head: string;
  word: string;
  tail: string;
}

/** Words that patterns for source code and issues know. */
const WORDS = [
  ...[' ', '\t', '\n', ' \n', '\r\n', 'a', 'A', '0', '_', '.', '/', '\\', '-', ':', ',', '#', '*'],
  ...[
    '"',
    "'",
    '`',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '=',
    '@',
    '~',
    '|',
    '\0',
    '\u0301',
    '中',
  ],
  ...[
    'a.',
    'a ',
    'aA',
    'a/',
    '("',
    '\ud800',
    '😀',
    'é',
    'a\n',
    '  a',
    '....a',
    '\n\n\n',
    '"a',
    '--',
  ],
];
const TAILS = ['', '\n', '!', 'a', ' ', '\0'];

/**
 * Attacks on a pattern: its pumps, and words that it has or that many have, between its own words.
 * @param every of the words, each so many-th is tried; of the pumps, all are.
 */
export function attacksOn(pattern: RegExp, every = 1): Attack[] {
  const pumps = pumpsOf(pattern).flatMap(({ prefix, word }) =>
    TAILS.map((tail) => ({ head: prefix, word, tail })),
  );
  const own = [...new Set(textsOf(parsePattern(pattern.source)))];
  const heads = ['', own[0] ?? ''];
  const words = [...WORDS, ...own, ...own.map((text) => `${text} `), own.join('')];
  const guesses = [...new Set(words)].flatMap((word) =>
    word === '' ? [] : [...new Set(heads)].map((head) => ({ head, word, tail: '\0' })),
  );
  return [...pumps, ...guesses.filter((_, i) => i % every === 0)];
}

/** The attack at a length in characters, or a few less. */
export function textOf({ head, word, tail }: Attack, length: number): string {
  return head + word.repeat(Math.floor(length / word.length)) + tail;
}

/** Looks for a pattern as often as it occurs in a text; answers how often that is. */
export function countMatches({ source, flags }: RegExp, text: string): number {
  const pattern = new RegExp(
    source,
    flags.includes('y') || flags.includes('g') ? flags : `${flags}g`,
  );
  let matches = 0;
  for (let from = 0; pattern.test(text); from = pattern.lastIndex) {
    matches++;
    // An empty match would be found again where it is.
    if (pattern.lastIndex === from) pattern.lastIndex++;
  }
  return matches;
}

/** The words in a pattern: neighbouring characters that stand for themselves. */
function textsOf(part: Part): string[] {
  switch (part.kind) {
    case 'character':
      return [literalOf(part.source)].filter((text) => text !== '');
    case 'choice':
      return part.parts.flatMap(textsOf);
    case 'repeat':
    case 'look':
      return textsOf(part.part);
    case 'sequence':
      return wordsIn(part.parts);
    default:
      return [];
  }
}

function wordsIn(parts: Part[]): string[] {
  const words: string[] = [];
  let word = '';
  for (const part of parts) {
    const text = part.kind === 'character' ? literalOf(part.source) : '';
    word += text;
    if (text !== '') continue;
    words.push(word, ...textsOf(part));
    word = '';
  }
  return [...words, word].filter((text) => text !== '');
}

/** The one character that a part of a pattern stands for; '' for classes. */
function literalOf(source: string): string {
  if (source.length === 1) return source === '.' ? '' : source;
  return /^\\[^\w]$/.test(source) ? source[1] : '';
}
