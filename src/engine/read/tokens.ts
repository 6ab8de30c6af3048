/** Texts as words in order; lab/reader/tokens.py makes the same. */
import type { EncoderDocument } from '../encode/types.ts';
import { asciiWords, isJoint, pairHash, type Vocabulary } from '../encode/words.ts';
import type { EncoderQuery } from '../issue/queries.ts';

/** A chunk as the reader sees it. */
export interface Readable extends EncoderDocument {
  /** Its qualified name. */
  name: string;
}

/** The parts of a candidate, in the order in which they are read. */
export const PARTS = ['path', 'name', 'signature', 'docstring', 'body', 'callees'] as const;
export type Part = (typeof PARTS)[number];

/** How many words are read of each part: of a path the last, of the others the first; of a callee, `CALLEE_WORDS`. */
const LIMITS = { path: 12, name: 12, signature: 40, docstring: 48, body: 120 };
export const LONGEST = Math.max(...Object.values(LIMITS));
const CALLEES = 4;
const CALLEE_WORDS = 10;

export const FIELDS = ['title', 'text', 'code', 'trace'] as const;
const FIELD_LIMITS = { title: 40, text: 250, code: 150, trace: 150 };

/** What stands before a word: something else, nothing or underscores, dots or slashes or hyphens, a line's end. */
export const GAPS = { apart: 0, within: 1, joined: 2, line: 3 } as const;

export interface Word {
  /** In lower case. */
  text: string;
  /** fnv1a32 of the text. */
  hash: number;
  /** In the vocabulary; -1 when it is not there. */
  line: number;
  /** The number of its part or field. */
  part: number;
  gap: number;
  isCapital: boolean;
  isDigit: boolean;
}

/** The words of a candidate, part after part. */
export function candidateWords(candidate: Readable, vocabulary: Vocabulary): Word[] {
  const { path, name, text, signatureEnd, doc, callees } = candidate;
  const [start, end] = doc ?? [signatureEnd, signatureEnd];
  const from = Math.max(start, signatureEnd);
  const to = Math.max(end, signatureEnd);
  const body = `${text.slice(signatureEnd, from)}\n${text.slice(to)}`;
  return [
    ...withoutGap(wordsOf(path, 0, Number.POSITIVE_INFINITY, vocabulary).slice(-LIMITS.path)),
    ...wordsOf(name, 1, LIMITS.name, vocabulary),
    ...wordsOf(text.slice(0, signatureEnd), 2, LIMITS.signature, vocabulary),
    ...wordsOf(text.slice(from, to), 3, LIMITS.docstring, vocabulary),
    ...wordsOf(body, 4, LIMITS.body, vocabulary),
    ...callees
      .slice(0, CALLEES)
      .flatMap((callee) => wordsOf(callee.text, 5, CALLEE_WORDS, vocabulary)),
  ];
}

/** The words of an issue, field after field. */
export function queryWords({ fields }: EncoderQuery, vocabulary: Vocabulary): Word[] {
  return FIELDS.flatMap((field, part) =>
    wordsOf(fields[field], part, FIELD_LIMITS[field], vocabulary),
  );
}

const FIRST_IDENTIFIER = 0x811c9dc5;

/** Of each word, a hash of the identifier that it is a word of; 0 for one of a single word. */
export function identifiers(words: readonly Word[]): Uint32Array {
  const made = new Uint32Array(words.length);
  for (let start = 0; start < words.length; ) {
    let end = start;
    let hash = FIRST_IDENTIFIER;
    do hash = identifierHash(hash, words[end++]?.hash ?? 0);
    while (words[end]?.gap === GAPS.within);
    if (end - start > 1) made.fill(hash, start, end);
    start = end;
  }
  return made;
}

/** The hash of two words that follow each other. */
export function followsHash(first: Word, second: Word): number {
  return pairHash(first.hash, second.hash);
}

function wordsOf(text: string, part: number, limit: number, vocabulary: Vocabulary): Word[] {
  const words: Word[] = [];
  let last = -1;
  asciiWords(vocabulary)(text, limit, (line, hash, end, start) => {
    const first = text.charCodeAt(start);
    words.push({
      text: text.slice(start, end).toLowerCase(),
      hash,
      line,
      part,
      gap: last < 0 ? GAPS.line : gapOf(text, last, start),
      isCapital: first >= 0x41 && first <= 0x5a,
      isDigit: first <= 0x39,
    });
    last = end;
  });
  return words;
}

/** Whatever stood before the first of the words was left out. */
function withoutGap([first, ...others]: Word[]): Word[] {
  return first ? [{ ...first, gap: GAPS.line }, ...others] : [];
}

function gapOf(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 0x0a) return GAPS.line;
  if (!isJoint(text, from, to)) return GAPS.apart;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) !== 0x5f) return GAPS.joined;
  return GAPS.within;
}

function identifierHash(hash: number, word: number): number {
  return Math.imul(hash ^ word, 0x01000193) >>> 0;
}
