/**
 * Splits text into words for bag models and finds each word's token id.
 *
 * Every bag model so far uses `WORD_PATTERN`. The scanner below works on character codes and creates no strings: it hashes
 * the lower-case letters of a word, looks the word up by this hash, and takes the bucket of an unknown word from it.
 * `createPatternReader` supports any other pattern, but is about ten times slower.
 */

/** Splits camelCase, snake_case and digits: `parseHTTPHeader2` is parse, HTTP, Header, 2. */
export const WORD_PATTERN = '[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+';

/**
 * Visits the words of `text` in order, at most `limit` of them, and returns their number. `id` is the word's line in the
 * vocabulary, or -1 if it is unknown. `hash` is fnv1a32 of the word. `start` and `end` are its offsets in `text`.
 */
export type WordReader = (
  text: string,
  limit: number,
  visit: (id: number, hash: number, end: number, start: number) => void,
) => number;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const CHARACTER_CLASSES = classifyCharacters();

/** Creates a fast reader for `WORD_PATTERN`, in lower case. */
export function createAsciiReader(vocabulary: Vocabulary): WordReader {
  return (text, limit, visit) => {
    const length = text.length;
    let words = 0;
    let at = 0;
    while (at < length && words < limit) {
      const kind = CHARACTER_CLASSES[text.charCodeAt(at)]!;
      if (kind === OTHER) {
        at++;
        continue;
      }
      const start = at;
      let hash = FNV_OFFSET;
      if (kind === UPPER && getClass(text, at + 1) !== LOWER) {
        // A run of capitals. The last one may start the next word, as in `HTTPHeader`.
        do hash = mix(hash, text.charCodeAt(at++) | 0x20);
        while (getClass(text, at) === UPPER && getClass(text, at + 1) !== LOWER);
      } else {
        const rest = kind === UPPER ? LOWER : kind;
        do hash = mix(hash, text.charCodeAt(at++) | 0x20);
        while (getClass(text, at) === rest);
      }
      hash >>>= 0;
      visit(vocabulary.find(text, start, at, hash), hash, at, start);
      words++;
    }
    return words;
  };
}

/** Creates a reader for any pattern. */
export function createPatternReader(
  vocabulary: Vocabulary,
  pattern: string,
  lowercase: boolean,
): WordReader {
  return (text, limit, visit) => {
    let words = 0;
    for (const match of text.matchAll(new RegExp(pattern, 'gu'))) {
      if (words === limit) break;
      const word = lowercase ? match[0].toLowerCase() : match[0];
      visit(vocabulary.id(word), fnv1a32(word), match.index + match[0].length, match.index);
      words++;
    }
    return words;
  };
}

/** The words of a bag model, in a hash table with open addressing that is at most a quarter full. */
export class Vocabulary {
  readonly size: number;
  readonly #words: readonly string[];
  readonly #mask: number;
  /** Word id + 1 by slot; 0 is an empty slot. */
  readonly #ids: Uint32Array;
  readonly #hashes: Uint32Array;

  /** @param words words by id */
  constructor(words: readonly string[]) {
    this.size = words.length;
    this.#words = words;
    const slots = 2 ** Math.ceil(Math.log2(4 * words.length + 1));
    this.#mask = slots - 1;
    this.#ids = new Uint32Array(slots);
    this.#hashes = new Uint32Array(slots);
    words.forEach((word, id) => {
      const hash = fnv1a32(word);
      let slot = hash & this.#mask;
      while (this.#ids[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#ids[slot] = id + 1;
      this.#hashes[slot] = hash;
    });
  }

  /** Returns the id of a word that is already in lower case, or -1. */
  id(word: string): number {
    const hash = fnv1a32(word);
    for (let slot = hash & this.#mask; this.#ids[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const id = this.#ids[slot]! - 1;
      if (this.#words[id] === word) return id;
    }
    return -1;
  }

  /** Returns the id of the ASCII word `text[start..end)` in lower case, whose hash is `hash`; -1 if unknown. */
  find(text: string, start: number, end: number, hash: number): number {
    const ids = this.#ids;
    for (let slot = hash & this.#mask; ids[slot] !== 0; slot = (slot + 1) & this.#mask) {
      if (this.#hashes[slot] !== hash) continue;
      const id = ids[slot]! - 1;
      if (equalsLowerCase(text, start, end, this.#words[id]!)) return id;
    }
    return -1;
  }
}

const utf8 = new TextEncoder();

/** Returns the 32-bit FNV-1a hash (Fowler, Noll, Vo) of a text's UTF-8 bytes. */
export function fnv1a32(word: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code > 0x7f) return hashBytes(utf8.encode(word));
    hash = mix(hash, code);
  }
  return hash >>> 0;
}

function hashBytes(bytes: Uint8Array): number {
  let hash = FNV_OFFSET;
  for (const byte of bytes) hash = mix(hash, byte);
  return hash >>> 0;
}

export function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, FNV_PRIME), second) >>> 0;
}

/** Maximum number of characters between the words of a pair. */
const MAX_JOINT = 2;

/** Returns true if two words form a pair: only one or two of `_`, `.`, `/` and `-` are between them. */
export function isPair(text: string, from: number, to: number): boolean {
  if (to - from > MAX_JOINT) return false;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // The codes of hyphen, dot and slash are consecutive.
    if (code !== 0x5f && (code < 0x2d || code > 0x2f)) return false;
  }
  return true;
}

function mix(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, FNV_PRIME);
}

function equalsLowerCase(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let i = start; i < end; i++) {
    if ((text.charCodeAt(i) | 0x20) !== word.charCodeAt(i - start)) return false;
  }
  return true;
}

function getClass(text: string, at: number): number {
  return at < text.length ? CHARACTER_CLASSES[text.charCodeAt(at)]! : OTHER;
}

function classifyCharacters(): Uint8Array {
  const classes = new Uint8Array(0x10000);
  classes.fill(DIGIT, 0x30, 0x3a);
  classes.fill(UPPER, 0x41, 0x5b);
  classes.fill(LOWER, 0x61, 0x7b);
  return classes;
}
