/**
 * Splits text into terms for the lexical index, in the same way for code and for issues.
 *
 * An identifier gives its parts and, if it has several, itself: `parse_http_date` gives parse, http, date and
 * parse_http_date; `HTTPResponse` gives http, response and httpresponse. A dotted name gives the terms of its segments.
 * In code of languages that ask for it, a single letter and the plural of an acronym also give a term with their neighbor:
 * `isIPv6` ipv, `OAuthClient` oauth, `parseURLs` urls. Terms are lower-case; letters of any script are letters. Left out are
 * numbers of more than 6 digits, terms of more than 64 characters, and runs of more than 256 without a break (encoded data).
 *
 * Chinese, Japanese and Korean have no spaces between words, or endings after them. A run of their characters gives each two
 * neighbors, and itself if it may be an identifier: `寻路服务` gives 寻路, 路服, 服务 and 寻路服务. So a name is found in a sentence.
 * Bigrams retrieve Chinese about as well as words do (Nie et al., "On the use of words and n-grams for Chinese information
 * retrieval", IRAL 2000).
 *
 * It reads every byte of a repository, so terms are hashed while they are scanned, and each becomes a string only once.
 */
import type { ChunkKind } from '../../shared/chunk-kind.ts';
import { findLanguage } from '../languages/index.ts';

/**
 * Finds words in texts, splitting both as the lexical index does.
 * @param path file of the texts, which decides the language; null for prose
 * @returns for each text the occurrences, by start
 */
export function findTerms(
  texts: readonly string[],
  words: readonly string[],
  path: string | null,
): TermOccurrence[][] {
  const initials = path !== null && (findLanguage(path)?.names.initials ?? false);
  return texts.map((text) => locateTerms(text, words, initials));
}

/** Field numbers, as packed into the entries of `TermCounts`. */
export const FIELDS = { path: 0, name: 1, signature: 2, docstring: 3, body: 4 } as const;
export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];
export const FIELD_COUNT = FIELD_NAMES.length;

const MAX_TERM = 64;
const MAX_RUN = 256;
const MAX_DIGITS = 6;
/** Maximum length of a run of ideographs, kana or hangul that may be an identifier, not a sentence. */
const MAX_CJK_NAME = 16;
/** An entry has 21 bits for the term's index. */
export const MAX_TERMS = 1 << 21;
const MAX_COUNT = 255;

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const UNDERSCORE = 4;
/** Ideograph, kana or hangul. */
const CJK = 5;

/** Maximum length of a part, by its class. */
const MAX_LENGTHS = [0, MAX_TERM, MAX_TERM, MAX_DIGITS, 0, MAX_CJK_NAME];

/**
 * Class and lower-case form of every UTF-16 unit; those beyond ASCII when a text has them. Letters outside the basic plane are
 * separators.
 */
const unitClasses = new Uint8Array(65536);
const lowerUnits = Uint16Array.from(unitClasses.keys());
/** Letters and marks of scripts without spaces between words, or with endings after them; numbers in circles are none. */
const CJK_LETTER = /(?=[\p{L}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;

for (const [first, last, unitClass] of [
  ['0', '9', DIGIT],
  ['A', 'Z', UPPER],
  ['_', '_', UNDERSCORE],
  ['a', 'z', LOWER],
] as const) {
  unitClasses.fill(unitClass, first.charCodeAt(0), last.charCodeAt(0) + 1);
}
for (let code = 'A'.charCodeAt(0); code <= 'Z'.charCodeAt(0); code++)
  lowerUnits[code] = code | 0x20;

const isClassified = new Uint8Array(65536).fill(1, 0, 128);

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Classifies the units of a text. The tables of all units, and of patterns for them, take 20 ms, which texts in ASCII need not wait for. */
function classifyUnits(text: string): void {
  if (!BEYOND_ASCII.test(text)) return;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isClassified[code] === 0) classify(code);
  }
}

/** Classifies a unit beyond ASCII. */
function classify(code: number): void {
  isClassified[code] = 1;
  const char = String.fromCharCode(code);
  const lower = char.toLowerCase();
  if (lower.length === 1) lowerUnits[code] = lower.charCodeAt(0);
  if (lower !== char && /\p{Lu}/u.test(char)) unitClasses[code] = UPPER;
  else if (CJK_LETTER.test(char)) unitClasses[code] = CJK;
  else if (/[\p{L}\p{M}\p{N}]/u.test(char)) unitClasses[code] = LOWER;
}

/** True while scanning code of a language that asks for terms with single letters. */
let withInitials = false;

interface TermSink {
  /** Adds `text[start, end)` in a field; `hash` is the hash of its lower-case units. */
  add(text: string, start: number, end: number, hash: number, field: number): void;
}

/** Numbers distinct terms in order of first appearance, and counts them by term and field for the current chunk. */
class TermCounter implements TermSink {
  size = 0;
  /** Keys `term << 3 | field` with a count, in order of first appearance. */
  touched = new Uint32Array(1024);
  touchedSize = 0;
  counts = new Uint8Array(8 * 1024);
  private slots = new Int32Array(4096).fill(-1);
  private hashes = new Int32Array(1024);
  private ends = new Uint32Array(1024);
  private chars = new Uint16Array(16384);

  /** Clears terms and counts; keeps the memory. */
  reset(): void {
    this.clearCounts();
    // For few terms in a large table, removing each one is faster than clearing the table.
    if (this.size * 8 < this.slots.length) this.clearSlots();
    else this.slots.fill(-1);
    this.size = 0;
  }

  /** Clears the run of slots that begins at each term's hash: every term is in such a run. */
  private clearSlots(): void {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      for (let at = mixHash(hashes[term]!) & mask; slots[at]! >= 0; at = (at + 1) & mask) {
        slots[at] = -1;
      }
    }
  }

  clearCounts(): void {
    for (let i = 0; i < this.touchedSize; i++) this.counts[this.touched[i]!] = 0;
    this.touchedSize = 0;
  }

  /** Counts `text[start, end)`; `hash` is the hash of its lower-case units. */
  add(text: string, start: number, end: number, hash: number, field: number): void {
    const term = this.intern(text, start, end, hash);
    if (term < 0) return;
    const key = (term << 3) | field;
    const count = this.counts[key]!;
    if (count === 0) {
      if (this.touchedSize === this.touched.length) this.touched = doubleArray(this.touched);
      this.touched[this.touchedSize++] = key;
    }
    if (count < MAX_COUNT) this.counts[key] = count + 1;
  }

  terms(): string[] {
    const terms = new Array<string>(this.size);
    let start = 0;
    for (let i = 0; i < this.size; i++) {
      const end = this.ends[i]!;
      terms[i] = String.fromCharCode.apply(null, this.chars.subarray(start, end) as never);
      start = end;
    }
    return terms;
  }

  private intern(text: string, start: number, end: number, hash: number): number {
    const { slots, hashes, ends, chars } = this;
    const mask = slots.length - 1;
    let at = mixHash(hash) & mask;
    for (let term = slots[at]!; term >= 0; at = (at + 1) & mask, term = slots[at]!) {
      if (hashes[term] !== hash) continue;
      let c = term === 0 ? 0 : ends[term - 1]!;
      if (ends[term]! - c !== end - start) continue;
      let i = start;
      while (i < end && chars[c] === lowerUnits[text.charCodeAt(i)]) {
        i++;
        c++;
      }
      if (i === end) return term;
    }
    if (this.size === MAX_TERMS) return -1;
    slots[at] = this.size;
    return this.append(text, start, end, hash);
  }

  private append(text: string, start: number, end: number, hash: number): number {
    const term = this.size++;
    if (term === this.hashes.length) {
      this.hashes = doubleArray(this.hashes);
      this.ends = doubleArray(this.ends);
      this.counts = doubleArray(this.counts);
    }
    let c = term === 0 ? 0 : this.ends[term - 1]!;
    if (c + end - start > this.chars.length) this.chars = doubleArray(this.chars);
    for (let i = start; i < end; i++) this.chars[c++] = lowerUnits[text.charCodeAt(i)]!;
    this.hashes[term] = hash;
    this.ends[term] = c;
    if (this.size * 2 > this.slots.length) this.rehash();
    return term;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      let at = mixHash(this.hashes[term]!) & mask;
      while (this.slots[at]! >= 0) at = (at + 1) & mask;
      this.slots[at] = term;
    }
  }
}

function doubleArray<A extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(array: A): A {
  const copy = new (array.constructor as new (length: number) => A)(array.length * 2);
  copy.set(array);
  return copy;
}

/** Mixes the high bits into the low bits, which are poor in a multiplicative hash. */
function mixHash(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** Counts the terms of `text[from, to)` under a field. Call `learnUnitsOf(text)` before. */
function scan(counter: TermSink, text: string, from: number, to: number, field: number): void {
  let i = from;
  while (i < to) {
    if (unitClasses[text.charCodeAt(i)] === SEPARATOR) {
      i++;
      continue;
    }
    let end = i + 1;
    while (end < to && unitClasses[text.charCodeAt(end)] !== SEPARATOR) end++;
    const isSentence = unitClasses[text.charCodeAt(i)] === CJK;
    if (end - i <= MAX_RUN || isSentence) countIdentifier(counter, text, i, end, field);
    i = end;
  }
}

/** Counts the parts of the identifier `text[start, end)`, and the whole of it without outer underscores. */
function countIdentifier(
  counter: TermSink,
  text: string,
  start: number,
  end: number,
  field: number,
): void {
  while (start < end && text.charCodeAt(start) === 95) start++;
  while (end > start && text.charCodeAt(end - 1) === 95) end--;
  if (start === end || isHexLiteral(text, start, end)) return;
  let whole = 0;
  let part = 0;
  let partStart = start;
  let parts = 0;
  let previous = SEPARATOR;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const kind = unitClasses[code]!;
    if (i > partStart && startsPart(text, i, end, previous, kind)) {
      parts++;
      addPart(counter, text, partStart, i, part, previous, field);
      partStart = i;
      part = 0;
    }
    const lower = lowerUnits[code]!;
    whole = (Math.imul(whole, 31) + lower) | 0;
    if (kind === UNDERSCORE) partStart = i + 1;
    else part = (Math.imul(part, 31) + lower) | 0;
    previous = kind;
  }
  addPart(counter, text, partStart, end, part, previous, field);
  if (parts > 0 && end - start <= MAX_TERM) counter.add(text, start, end, whole, field);
  if (withInitials && parts > 1) countInitials(counter, text, start, end, field);
}

/** Counts neighboring parts of an identifier that people write as one word, unless they are the whole identifier. */
function countInitials(
  counter: TermSink,
  text: string,
  start: number,
  end: number,
  field: number,
): void {
  let before = start;
  let at = start;
  for (let i = start + 1; i <= end; i++) {
    const kind = i < end ? getClass(text, i) : SEPARATOR;
    if (i < end && !startsPart(text, i, end, getClass(text, i - 1), kind)) continue;
    const isWhole = before === start && i === end;
    if (before < at && !isWhole && isOneWord(text, before, at, i)) {
      counter.add(text, before, i, hashUnits(text, before, i), field);
    }
    before = at;
    at = i;
  }
}

/** Returns true if `text[before, at)` is one letter followed by letters, or the two parts are like `UR` and `Ls`. */
function isOneWord(text: string, before: number, at: number, end: number): boolean {
  const isLetters = (i: number) => getClass(text, i) === LOWER || getClass(text, i) === UPPER;
  if (!isLetters(before) || !isLetters(at)) return false;
  const isPlural = end - at === 2 && getClass(text, at - 1) === UPPER && text[end - 1] === 's';
  return at - before === 1 || isPlural;
}

function getClass(text: string, i: number): number {
  return unitClasses[text.charCodeAt(i)]!;
}

function hashUnits(text: string, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) {
    hash = (Math.imul(hash, 31) + lowerUnits[text.charCodeAt(i)]!) | 0;
  }
  return hash;
}

/** Returns true if a new part begins at `i`: around digits, at aB, at the B of AABb, at an underscore. */
function startsPart(text: string, i: number, end: number, previous: number, kind: number): boolean {
  if (kind === previous) {
    return kind === UPPER && i + 1 < end && unitClasses[text.charCodeAt(i + 1)] === LOWER;
  }
  return !(previous === UPPER && kind === LOWER);
}

function addPart(
  counter: TermSink,
  text: string,
  start: number,
  end: number,
  hash: number,
  kind: number,
  field: number,
): void {
  if (kind === CJK && end - start > 2) {
    for (let i = start; i + 2 <= end; i++)
      counter.add(text, i, i + 2, hashUnits(text, i, i + 2), field);
  }
  if (end - start > MAX_LENGTHS[kind]!) return;
  counter.add(text, start, end, hash, field);
}

function isHexLiteral(text: string, start: number, end: number): boolean {
  return (
    end - start > 2 && text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120
  );
}

const counter = new TermCounter();

/** The text of a chunk, with the ranges of its fields. */
export interface CountedText {
  kind: ChunkKind;
  qualifiedName: string;
  text: string;
  /** End offset in `text` of the signature. */
  signatureEnd: number;
  /** `[start, end)` offsets in `text` of the docstring, or null. */
  doc: [number, number] | null;
}

/**
 * Counts the terms of a file's chunks by field, for the lexical index. Entries of a chunk are in order of first appearance; a
 * term in two fields has two entries.
 * @param initials true if the language asks for terms with single letters
 */
export function countTerms(
  path: string,
  chunks: readonly CountedText[],
  initials = false,
): TermCounts {
  counter.reset();
  withInitials = initials;
  classifyUnits(path);
  const pathEnd = getExtensionStart(path);
  const offsets = new Uint32Array(chunks.length + 1);
  let entries = new Uint32Array(256 * chunks.length + 256);
  let size = 0;
  for (const [i, chunk] of chunks.entries()) {
    scan(counter, path, 0, pathEnd, FIELDS.path);
    scanChunk(chunk);
    while (size + counter.touchedSize > entries.length) entries = doubleArray(entries);
    for (let t = 0; t < counter.touchedSize; t++) {
      const key = counter.touched[t]!;
      entries[size++] = (key << 8) | counter.counts[key]!;
    }
    offsets[i + 1] = size;
    counter.clearCounts();
  }
  withInitials = false;
  return { terms: counter.terms(), offsets, entries: entries.slice(0, size) };
}

function scanChunk({ kind, qualifiedName, text, signatureEnd, doc }: CountedText): void {
  classifyUnits(qualifiedName);
  classifyUnits(text);
  if (kind !== 'module') scan(counter, qualifiedName, 0, qualifiedName.length, FIELDS.name);
  scan(counter, text, 0, signatureEnd, FIELDS.signature);
  const [docStart, docEnd] = doc ?? [signatureEnd, signatureEnd];
  scan(counter, text, signatureEnd, docStart, FIELDS.body);
  scan(counter, text, docStart, docEnd, FIELDS.docstring);
  scan(counter, text, docEnd, text.length, FIELDS.body);
}

function getExtensionStart(path: string): number {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? dot : path.length;
}

/** Returns the terms of a text with their counts (at most 255 each), in order of first appearance. */
export function countQueryTerms(text: string): Map<string, number> {
  const counts = listTerms(text).map((term, i) => [term, counter.counts[i << 3]!] as const);
  return new Map(counts);
}

/** Returns the distinct terms of a text, in order of first appearance. */
export function listTerms(text: string): string[] {
  classifyUnits(text);
  counter.reset();
  scan(counter, text, 0, text.length, 0);
  return counter.terms();
}

/** An occurrence of a term in a text, `[start, end)` in UTF-16 units. `word` is its index among the words searched for. */
export interface TermOccurrence {
  start: number;
  end: number;
  word: number;
}

/**
 * Finds words in a text, splitting both as the lexical index does: `delay` in `max_delay`, but not in `delayed`. Returns
 * occurrences by start; they may be nested.
 * @param initials as for `countTerms`
 */
export function locateTerms(
  text: string,
  words: readonly string[],
  initials = false,
): TermOccurrence[] {
  // The term of a whole identifier comes after its parts.
  const numbers = new Map(words.map((word, number) => [listTerms(word).at(-1) ?? '', number]));
  const places: TermOccurrence[] = [];
  const sink: TermSink = {
    add(_text, start, end) {
      const word = numbers.get(text.slice(start, end).toLowerCase());
      if (word !== undefined) places.push({ start, end, word });
    },
  };
  classifyUnits(text);
  withInitials = initials;
  scan(sink, text, 0, text.length, FIELDS.body);
  withInitials = false;
  return places.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Distinct terms of a file's chunks with their counts, for the lexical index.
 * `entries[offsets[i] .. offsets[i+1])` belong to chunk i; an entry packs `index in terms << 11 | field << 8 | min(count, 255)`.
 */
export interface TermCounts {
  terms: string[];
  offsets: Uint32Array;
  entries: Uint32Array;
}
