import { findPumps } from './pumps.ts';
import { type Part, parsePattern } from './syntax.ts';

/** Text that is designed to be slow to match: `head`, many repetitions of `word`, `tail`. */
export interface Attack {
  head: string;
  word: string;
  tail: string;
}

/** Words that occur in patterns for source code and issues. */
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
 * Lists attacks on a pattern: its pumps, its own words, and words that occur in many patterns.
 * @param every keeps only every n-th attack by words; attacks by pumps are all kept
 */
export function listAttacks(pattern: RegExp, every = 1): Attack[] {
  const pumps = findPumps(pattern).flatMap(({ prefix, word }) =>
    TAILS.map((tail) => ({ head: prefix, word, tail })),
  );
  const own = [...new Set(findWords(parsePattern(pattern.source)))];
  const heads = ['', own[0] ?? ''];
  const words = [...WORDS, ...own, ...own.map((text) => `${text} `), own.join('')];
  const guesses = [...new Set(words)].flatMap((word) =>
    word === '' ? [] : [...new Set(heads)].map((head) => ({ head, word, tail: '\0' })),
  );
  return [...pumps, ...guesses.filter((_, i) => i % every === 0)];
}

/** Writes an attack of about a length in characters. */
export function writeAttack({ head, word, tail }: Attack, length: number): string {
  return head + word.repeat(Math.floor(length / word.length)) + tail;
}

/** Returns the number of matches of a pattern in a text. */
export function countMatches({ source, flags }: RegExp, text: string): number {
  const pattern = new RegExp(
    source,
    flags.includes('y') || flags.includes('g') ? flags : `${flags}g`,
  );
  let matches = 0;
  for (let from = 0; pattern.test(text); from = pattern.lastIndex) {
    matches++;
    // Otherwise an empty match would be found again.
    if (pattern.lastIndex === from) pattern.lastIndex++;
  }
  return matches;
}

/** Returns the words in a pattern: runs of literal characters. */
function findWords(part: Part): string[] {
  switch (part.kind) {
    case 'character':
      return [readLiteral(part.source)].filter((text) => text !== '');
    case 'choice':
      return part.parts.flatMap(findWords);
    case 'repeat':
    case 'look':
      return findWords(part.part);
    case 'sequence':
      return findWordsInSequence(part.parts);
    default:
      return [];
  }
}

function findWordsInSequence(parts: Part[]): string[] {
  const words: string[] = [];
  let word = '';
  for (const part of parts) {
    const text = part.kind === 'character' ? readLiteral(part.source) : '';
    word += text;
    if (text !== '') continue;
    words.push(word, ...findWords(part));
    word = '';
  }
  return [...words, word].filter((text) => text !== '');
}

/** Returns the literal character of a part of a pattern; '' for classes. */
function readLiteral(source: string): string {
  if (source.length === 1) return source === '.' ? '' : source;
  return /^\\[^\w]$/.test(source) ? source[1] : '';
}
