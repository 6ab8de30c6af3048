import { enlarge } from '../../columns/enlarge.ts';
import type { EncoderRow } from '../types.ts';
import { hashPair, isPair, type WordReader } from '../words.ts';
import { HashCounter } from './hash-counter.ts';

/** Weights of counts up to the number of words that a field usually has at most. */
const WEIGHTS = Float32Array.from({ length: 512 }, (_, count) => Math.log1p(count));

/** Token ids by kind: those of words, then buckets of unknown words, then buckets of pairs. */
export interface TokenRanges {
  words: number;
  buckets: number;
  pairBuckets: number;
}

/** Collects the tokens of one row, field by field. Everything but the finished rows is in memory that is used again. */
export class TokenBag {
  readonly #read: WordReader;
  readonly #ranges: TokenRanges;
  /** Counts in the current field: of each known word, by id. */
  readonly #known: Uint32Array;
  /** The same of each unknown word, by hash. */
  readonly #unknown = new HashCounter();
  /** The same of each pair, by hash. */
  readonly #pairs = new HashCounter();
  #text = '';
  #lastHash = 0;
  #lastEnd = -1;
  /** Ids of known words in the current field, by first occurrence. */
  #order = new Int32Array(256);
  #orderSize = 0;
  #ids = new Int32Array(512);
  #types = new Int32Array(512);
  #weights = new Float32Array(512);
  #size = 0;

  constructor(read: WordReader, ranges: TokenRanges) {
    this.#read = read;
    this.#ranges = ranges;
    this.#known = new Uint32Array(ranges.words);
  }

  /** Adds a field's tokens: known words, then unknown ones, then pairs, each by first occurrence. Returns the number of words. */
  add(text: string, type: number, limit: number): number {
    this.#text = text;
    this.#lastEnd = -1;
    const words = this.#read(text, limit, this.#count);
    for (let i = 0; i < this.#orderSize; i++) {
      const id = this.#order[i]!;
      this.#push(id, type, this.#known[id]!);
      this.#known[id] = 0;
    }
    this.#orderSize = 0;
    const { words: known, buckets, pairBuckets } = this.#ranges;
    this.#pushBuckets(this.#unknown, known, buckets, type);
    this.#pushBuckets(this.#pairs, known + buckets, pairBuckets, type);
    return words;
  }

  addMark(id: number, type: number): void {
    this.#push(id, type, 1);
  }

  /** Returns the collected row, and starts a new one. */
  takeRow(): EncoderRow {
    const length = this.#size;
    this.#size = 0;
    // One block of memory, since each one takes longer than its numbers.
    const block = new ArrayBuffer(3 * length * Int32Array.BYTES_PER_ELEMENT);
    const inputIds = new Int32Array(block, 0, length);
    const tokenTypeIds = new Int32Array(block, inputIds.byteLength, length);
    const tokenWeights = new Float32Array(block, 2 * inputIds.byteLength, length);
    inputIds.set(this.#ids.subarray(0, length));
    tokenTypeIds.set(this.#types.subarray(0, length));
    tokenWeights.set(this.#weights.subarray(0, length));
    return { inputIds, tokenTypeIds, tokenWeights };
  }

  readonly #count = (id: number, hash: number, end: number, start: number): void => {
    if (this.#ranges.pairBuckets > 0) {
      if (this.#lastEnd >= 0 && isPair(this.#text, this.#lastEnd, start))
        this.#pairs.add(hashPair(this.#lastHash, hash));
      this.#lastHash = hash;
      this.#lastEnd = end;
    }
    if (id < 0) {
      if (this.#ranges.buckets > 0) this.#unknown.add(hash);
    } else if (this.#known[id]!++ === 0) {
      if (this.#orderSize === this.#order.length)
        this.#order = enlarge(this.#order, this.#orderSize);
      this.#order[this.#orderSize++] = id;
    }
  };

  #pushBuckets(counter: HashCounter, first: number, buckets: number, type: number): void {
    for (let i = 0; i < counter.size; i++)
      this.#push(first + (counter.getHash(i) % buckets), type, counter.getCount(i));
    counter.clear();
  }

  #push(id: number, type: number, count: number): void {
    const at = this.#size++;
    if (at === this.#ids.length) {
      this.#ids = enlarge(this.#ids, this.#size);
      this.#types = enlarge(this.#types, this.#size);
      this.#weights = enlarge(this.#weights, this.#size);
    }
    this.#ids[at] = id;
    this.#types[at] = type;
    this.#weights[at] = WEIGHTS[count] ?? Math.log1p(count);
  }
}
