/**
 * BM25F in memory (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.6).
 *
 * A term's count in a field is divided by the field's relative length and weighted. The sum over fields then saturates:
 * score(chunk) = sum over terms of weight * idf * tf / (k1 + tf).
 *
 * The counts of each chunk, by term, are in a log. Postings of each term, by chunk, are built from the log. Both are packed
 * (`packed-counts.ts`), since they are most of an index in memory. Chunks that are added later are the tail: they are scored
 * from the log, until there are enough of them to build the postings again. All statistics (number of chunks, chunks with a
 * term, field lengths) are exact for the current chunks, so scores do not depend on the order of edits.
 */
import { badInput } from '../../shared/errors.ts';
import { enlarge } from '../columns/enlarge.ts';
import {
  CountReader,
  FIELD_MASK,
  FIELD_SHIFT,
  getCodeBytes,
  getCountBytes,
  MAX_SMALL_COUNT,
  packEntries,
  readCode,
  STEP_SHIFT,
  unpackEntries,
  writeCount,
} from './packed-counts.ts';
import { FIELD_COUNT, FIELD_NAMES, FIELDS, type FieldName } from './tokenize.ts';

/** The part of the store's dictionary of terms that the index needs. */
export interface TermLookup {
  idOf(term: string): number | undefined;
  termOf(id: number): string | undefined;
}

export interface LexicalOptions {
  /** Saturation of a term's weight: the larger, the slower it saturates with the count. */
  k1: number;
  /** Weight of a count in a field. */
  weights: Record<FieldName, number>;
  /** Influence of a field's length, 0 to 1. */
  lengthNorms: Record<FieldName, number>;
  /** Maximum terms of a query; the most informative ones are used. */
  maxTerms: number;
  /** Maximum matches of a query: the sum over its terms of the chunks with the term. */
  maxMatches: number;
  /** Larger collection that the index is a part of. If set, the rarity of a term is computed over it. */
  collection?: LexicalCollection;
}

/** Chunks of several indexes together. */
export interface LexicalCollection {
  readonly chunks: number;
  /** Returns how many chunks have a term, as far as is known. */
  countMatches(term: string): number;
}

/** Usual values. On real issues, neither tuning nor stemming made a significant difference. */
const DEFAULT_OPTIONS: LexicalOptions = {
  k1: 2,
  weights: { path: 2, name: 3, signature: 1, docstring: 1, body: 1 },
  lengthNorms: { path: 0.75, name: 0.75, signature: 0.75, docstring: 0.75, body: 0.75 },
  maxTerms: 512,
  maxMatches: 1_000_000,
};

/** Terms of a query, the most informative first. Valid until the index changes. */
export interface LexicalQuery {
  readonly terms: readonly string[];
  readonly ids: Uint32Array;
  /** Weight in the query times inverse document frequency. */
  readonly weights: Float64Array;
}

/** An index as arrays, for writing to a file; chunks are in order of slot. */
export interface LexicalColumns {
  /** Packed counts of each chunk, by term. */
  log: Uint8Array;
  /** Bytes of each chunk in the log. */
  sizes: Uint32Array;
  /** 1 for each slot whose chunk is in the index, else 0. */
  alive: Uint8Array;
  /** Lengths of fields, `FIELD_COUNT` numbers for each chunk. */
  lengths: Uint32Array;
  /** Number of chunks with each term, by the term's id. */
  frequencies: Uint32Array;
  /** Packed postings of each term, by slot; and the start of each term's postings, with the end of the last. */
  postings: Uint8Array;
  listStarts: Uint32Array;
}

/** Contributions to a chunk's score, the largest first in each list. */
export interface LexicalScoreDetail {
  total: number;
  fields: { field: FieldName; score: number }[];
  terms: { term: string; score: number }[];
}

/** Local copies of the packing constants: the loops below are a third slower with imported ones. */
const [STEP, FIELD, FIELDS_MASK, SMALL_COUNT] = [
  STEP_SHIFT,
  FIELD_SHIFT,
  FIELD_MASK,
  MAX_SMALL_COUNT,
];
const MAX_SLOT = (1 << 24) - 1;
/** Larger counts are treated like this one. */
const MAX_TF = 31;
/** Norms and lengths are ordered by slot, then by field. */
const STRIDE = FIELD_COUNT;
/** Postings are rebuilt if the tail of the log has more bytes than this, and than a quarter of the postings. */
const MIN_TAIL = 150_000;

export class LexicalIndex {
  readonly #dictionary: TermLookup;
  readonly #options: LexicalOptions;

  #log: Uint8Array = new Uint8Array(1 << 17);
  #logSize = 0;
  /** By slot: start and bytes of its counts in the log, and whether it is in the index. */
  #starts = new Uint32Array(1024);
  #sizes: Uint32Array = new Uint32Array(1024);
  #alive: Uint8Array = new Uint8Array(1024);
  #slotEnd = 0;
  #chunkCount = 0;
  #lengths: Uint32Array = new Uint32Array(1024 * STRIDE);
  #totals = new Float64Array(FIELD_COUNT);

  /** Number of chunks with a term, by its id. */
  #frequencies: Uint32Array = new Uint32Array(1 << 15);

  /** Postings of a term: `postings[listStarts[term] .. listStarts[term + 1])`. */
  #listStarts: Uint32Array = new Uint32Array(1);
  #postings: Uint8Array = new Uint8Array(0);
  /** Slots that the postings do not cover. */
  #tail: number[] = [];
  #tailBytes = 0;

  /** Weight / relative length by slot and field; 0 for removed slots. Computed when needed. */
  #norms = new Float32Array(0);
  #normsValid = false;

  #termIndexes = new Uint16Array(0);

  constructor(dictionary: TermLookup, options: Partial<LexicalOptions> = {}) {
    this.#dictionary = dictionary;
    this.#options = { ...DEFAULT_OPTIONS, ...options };
  }

  get chunkCount(): number {
    return this.#chunkCount;
  }

  /**
   * Adds a chunk.
   * @param entries packed as in `TermCounts`, with the dictionary's ids; they are copied
   * @throws LocusError `bad-input` if too many chunks were added
   */
  add(slot: number, entries: Uint32Array): void {
    this.addPacked(slot, packEntries(entries));
  }

  /** Adds a chunk whose entries `packEntries` has packed. They are copied. Throws as `add` does. */
  addPacked(slot: number, counts: Uint8Array): void {
    if (slot > MAX_SLOT)
      throw badInput(
        `More than ${MAX_SLOT} functions were added to the index since the repository was opened.`,
        'Open the repository again.',
      );
    this.#reserve(slot, counts.length);
    if (this.#alive[slot]) throw new Error(`slot ${slot} is already in the lexical index`);
    this.#log.set(counts, this.#logSize);
    this.#starts[slot] = this.#logSize;
    this.#sizes[slot] = counts.length;
    this.#alive[slot] = 1;
    this.#chunkCount++;
    this.#tail.push(slot);
    this.#tailBytes += counts.length;
    this.#logSize += counts.length;
    this.#updateStatistics(slot, 1);
  }

  /** Returns a chunk's counts as they were added, sorted by term and field. */
  getEntries(slot: number): Uint32Array {
    const start = this.#starts[slot] ?? 0;
    return unpackEntries(
      this.#log.subarray(start, this.#alive[slot] ? start + this.#sizes[slot]! : start),
    );
  }

  /**
   * Returns the index as arrays, as if its chunks had just been added from slot 0 on.
   * @param slots all slots of the index, and maybe others, whose chunks are not in it
   */
  toColumns(slots: Uint32Array): LexicalColumns {
    const alive = Uint8Array.from(slots, (slot) => this.#alive[slot] ?? 0);
    const sizes = slots.map((slot, index) => (alive[index] ? this.#sizes[slot]! : 0));
    const all = new LexicalIndex(this.#dictionary, this.#options);
    all.#log = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
    all.#starts = new Uint32Array(slots.length);
    all.#sizes = sizes;
    all.#alive = alive;
    all.#slotEnd = slots.length;
    all.#frequencies = this.#frequencies;
    const lengths = new Uint32Array(slots.length * STRIDE);
    for (const [index, slot] of slots.entries()) {
      all.#starts[index] = all.#logSize;
      if (!alive[index]) continue;
      const start = this.#starts[slot]!;
      all.#log.set(this.#log.subarray(start, start + this.#sizes[slot]!), all.#logSize);
      all.#logSize += this.#sizes[slot]!;
      lengths.set(this.#lengths.subarray(slot * STRIDE, (slot + 1) * STRIDE), index * STRIDE);
    }
    all.build();
    const [log, postings, listStarts] = [all.#log, all.#postings, all.#listStarts];
    return { log, sizes, alive, lengths, frequencies: this.#frequencies, postings, listStarts };
  }

  /** Loads an empty index from arrays, which are not copied. */
  loadColumns(columns: LexicalColumns): void {
    const { log, sizes, alive, lengths, frequencies } = columns;
    this.#log = log;
    this.#logSize = log.length;
    this.#sizes = sizes;
    this.#slotEnd = sizes.length;
    this.#chunkCount = alive.reduce((sum, one) => sum + one, 0);
    this.#alive = alive;
    this.#starts = new Uint32Array(sizes.length);
    for (let slot = 1; slot < sizes.length; slot++)
      this.#starts[slot] = this.#starts[slot - 1]! + sizes[slot - 1]!;
    this.#frequencies = frequencies;
    this.#lengths = lengths;
    for (let at = 0; at < lengths.length; at++) this.#totals[at % STRIDE]! += lengths[at]!;
    this.#listStarts = columns.listStarts;
    this.#postings = columns.postings;
  }

  /** Removes a chunk; unknown slots are ignored. */
  remove(slot: number): void {
    if (!this.#alive[slot]) return;
    this.#updateStatistics(slot, -1);
    this.#alive[slot] = 0;
    this.#chunkCount--;
  }

  /** Builds the postings. Scoring does so when it pays off; after a bulk load, calling this makes the first search faster. */
  build(): void {
    this.#compactLog();
    this.#listStarts = this.#computeListStarts();
    this.#postings = new Uint8Array(this.#listStarts.at(-1)!);
    this.#fillPostings();
    this.#tail = [];
    this.#tailBytes = 0;
  }

  countMatches(term: string): number {
    const id = this.#dictionary.idOf(term);
    return id === undefined ? 0 : (this.#frequencies[id] ?? 0);
  }

  /** Returns a term's inverse document frequency in nats; 0 if no chunk has it. */
  getIdf(term: string): number {
    const matches = this.countMatches(term);
    return matches === 0 ? 0 : this.#idf(matches, term);
  }

  /**
   * Chooses the terms to score with.
   * @param terms terms with their weights in the query
   */
  createQuery(terms: ReadonlyMap<string, number>): LexicalQuery {
    const known: { term: string; id: number; matches: number; weight: number }[] = [];
    for (const [term, weight] of terms) {
      const id = this.#dictionary.idOf(term);
      if (id === undefined || weight <= 0) continue;
      const matches = this.#frequencies[id] ?? 0;
      if (matches === 0) continue;
      known.push({ term, id, matches, weight: weight * this.#idf(matches, term) });
    }
    known.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
    let left = this.#options.maxMatches;
    const chosen = known.filter(({ matches }) => {
      if (matches > left) return false;
      left -= matches;
      return true;
    });
    chosen.splice(this.#options.maxTerms);
    return packQuery(chosen);
  }

  /**
   * Creates a query of the most characteristic terms of these chunks: those with the largest mean BM25F weight, which is
   * their weight in the query. Terms that only one chunk has are left out, since they find nothing else.
   * @param shares weights of the slots in the mean, with sum 1; equal by default
   */
  createQueryOf(
    slots: readonly number[],
    count: number,
    shares: readonly number[] = slots.map(() => 1 / slots.length),
  ): LexicalQuery {
    this.#updateNorms();
    const weights = new Map<number, number>();
    for (const [i, slot] of slots.entries()) {
      for (const [term, tf] of this.#computeFrequencies(slot)) {
        const weight = this.#idf(this.#frequencies[term]!) * (tf / (this.#options.k1 + tf));
        weights.set(term, (weights.get(term) ?? 0) + weight * shares[i]!);
      }
    }
    const best = [...weights]
      .filter(([term]) => this.#frequencies[term]! > 1)
      .map(([id, weight]) => ({ id, weight, term: this.#dictionary.termOf(id) ?? '' }))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, count);
    return packQuery(best);
  }

  /** Returns the BM25F scores of all chunks, by slot; 0 without a match. */
  score(query: LexicalQuery): Float32Array {
    if (this.#tailBytes > Math.max(MIN_TAIL, this.#postings.length / 4)) this.build();
    this.#updateNorms();
    const scores = new Float32Array(this.#slotEnd);
    for (let i = 0; i < query.ids.length; i++) {
      this.#scoreList(query.ids[i]!, query.weights[i]!, scores);
    }
    if (this.#tail.length > 0) this.#scoreTail(query, scores);
    return scores;
  }

  /** Returns the BM25F scores of some slots, over all fields or one. Much faster for few chunks than scoring all. */
  scoreSome(slots: readonly number[], query: LexicalQuery, field?: FieldName): Float64Array {
    this.#updateNorms();
    const scores = new Float64Array(slots.length);
    if (query.ids.length === 0) return scores;
    const only = field === undefined ? -1 : FIELDS[field];
    const termIndexes = this.#indexTerms(query);
    const tfs = new Float64Array(query.ids.length);
    const last = query.ids.reduce((most, id) => Math.max(most, id));
    const log = this.#log;
    const norms = this.#norms;
    for (let s = 0; s < slots.length; s++) {
      const slot = slots[s]!;
      if (!this.#alive[slot]) continue;
      const end = this.#starts[slot]! + this.#sizes[slot]!;
      let term = 0;
      for (let at = this.#starts[slot]!; at < end; ) {
        const code = readCode(log, at);
        at += getCodeBytes(code);
        const count = code & SMALL_COUNT || log[at++]!;
        term += code >>> STEP;
        if (term > last) break;
        const index = termIndexes[term]!;
        if (index === 0) continue;
        const f = (code >>> FIELD) & FIELDS_MASK;
        if (only < 0 || f === only)
          tfs[index - 1]! += norms[slot * STRIDE + f]! * Math.min(count, MAX_TF);
      }
      for (let i = 0; i < tfs.length; i++) {
        scores[s]! += (query.weights[i]! * tfs[i]!) / (this.#options.k1 + tfs[i]!);
        tfs[i] = 0;
      }
    }
    for (const id of query.ids) termIndexes[id] = 0;
    return scores;
  }

  /** Calls back with each chunk that has a term, and the term's index in the query; maybe more than once. */
  forEachMatch(query: LexicalQuery, found: (slot: number, term: number) => void): void {
    for (const [term, id] of query.ids.entries())
      for (const counts = this.#readPostings(id); counts.next(); )
        if (this.#alive[counts.key]) found(counts.key, term);
    const termIndexes = mapTermIndexes(query);
    for (const slot of this.#tail)
      this.#forEachMatch(slot, termIndexes, (term) => found(slot, term));
  }

  /** Returns 1 + the index in the query by term id, or 0. The caller must reset it to 0 after use. */
  #indexTerms(query: LexicalQuery): Uint16Array {
    if (this.#termIndexes.length < this.#frequencies.length) {
      this.#termIndexes = new Uint16Array(this.#frequencies.length);
    }
    for (const [i, id] of query.ids.entries()) this.#termIndexes[id] = i + 1;
    return this.#termIndexes;
  }

  /** Splits a chunk's score by field and by term. */
  explainScore(slot: number, query: LexicalQuery): LexicalScoreDetail {
    this.#updateNorms();
    const tfs = new Float64Array(query.ids.length);
    const byField = new Float64Array(query.ids.length * FIELD_COUNT);
    this.#forEachMatch(slot, mapTermIndexes(query), (i, tf, field) => {
      tfs[i]! += tf;
      byField[i * FIELD_COUNT + field]! += tf;
    });
    const k1 = this.#options.k1;
    const fields = new Float64Array(FIELD_COUNT);
    const terms: LexicalScoreDetail['terms'] = [];
    let total = 0;
    for (const [i, tf] of tfs.entries()) {
      if (tf === 0) continue;
      const score = (query.weights[i]! * tf) / (k1 + tf);
      total += score;
      terms.push({ term: query.terms[i]!, score });
      for (let f = 0; f < FIELD_COUNT; f++) {
        fields[f]! += (score * byField[i * FIELD_COUNT + f]!) / tf;
      }
    }
    return {
      total,
      fields: FIELD_NAMES.map((field, f) => ({ field, score: fields[f]! }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score),
      terms: terms.sort((a, b) => b.score - a.score),
    };
  }

  #idf(matches: number, term?: string): number {
    const { collection } = this.#options;
    if (!collection || term === undefined)
      return Math.log(1 + (this.#chunkCount - matches + 0.5) / (matches + 0.5));
    const all = Math.max(this.#chunkCount, collection.chunks);
    const known = Math.min(all, Math.max(matches, collection.countMatches(term)));
    return Math.log(1 + (all - known + 0.5) / (known + 0.5));
  }

  /** Returns a chunk's normalized, weighted count of each term, summed over fields. */
  #computeFrequencies(slot: number): Map<number, number> {
    const tfs = new Map<number, number>();
    for (const counts = this.#readCounts(slot); counts.next(); ) {
      const { key: term, field, count } = counts;
      const tf = this.#norms[slot * STRIDE + field]! * Math.min(count, MAX_TF);
      tfs.set(term, (tfs.get(term) ?? 0) + tf);
    }
    return tfs;
  }

  /** Reads a chunk's counts, by term; none if it was removed. */
  #readCounts(slot: number): CountReader {
    const start = this.#alive[slot] ? this.#starts[slot]! : 0;
    return new CountReader(this.#log, start, this.#alive[slot] ? start + this.#sizes[slot]! : 0);
  }

  #readPostings(term: number): CountReader {
    const end = this.#listStarts[term + 1] ?? 0;
    return new CountReader(this.#postings, this.#listStarts[term] ?? 0, end);
  }

  /** Adds a chunk of the log to the statistics (`sign` 1), or subtracts it (-1). */
  #updateStatistics(slot: number, sign: 1 | -1): void {
    let last = -1;
    for (const counts = this.#readCounts(slot); counts.next(); ) {
      const { key: term, field, count } = counts;
      this.#lengths[slot * STRIDE + field]! += sign * count;
      this.#totals[field]! += sign * count;
      if (term === last) continue;
      last = term;
      if (term >= this.#frequencies.length)
        this.#frequencies = enlarge(this.#frequencies, term + 1);
      this.#frequencies[term]! += sign;
    }
    this.#normsValid = false;
  }

  /** Removes the gaps of removed chunks from the log. */
  #compactLog(): void {
    const slots: number[] = [];
    for (let slot = 0; slot < this.#slotEnd; slot++) if (this.#alive[slot]) slots.push(slot);
    slots.sort((a, b) => this.#starts[a]! - this.#starts[b]!);
    let size = 0;
    for (const slot of slots) {
      const start = this.#starts[slot]!;
      const length = this.#sizes[slot]!;
      if (start !== size) this.#log.copyWithin(size, start, start + length);
      this.#starts[slot] = size;
      size += length;
    }
    this.#logSize = size;
  }

  /** Computes the start of each term's postings, and the end of the last, for the current log. */
  #computeListStarts(): Uint32Array {
    const terms = this.#frequencies.length;
    const starts = new Uint32Array(terms + 1);
    const last = new Uint32Array(terms);
    for (let slot = 0; slot < this.#slotEnd; slot++) {
      for (const counts = this.#readCounts(slot); counts.next(); ) {
        const { key: term, count } = counts;
        starts[term + 1]! += getCountBytes(slot - last[term]!, Math.min(count, MAX_TF));
        last[term] = slot;
      }
    }
    for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
    return starts;
  }

  /** Writes the postings of each term in order of slot. */
  #fillPostings(): void {
    const next = this.#listStarts.slice();
    const last = new Uint32Array(this.#frequencies.length);
    const postings = this.#postings;
    for (let slot = 0; slot < this.#slotEnd; slot++) {
      for (const counts = this.#readCounts(slot); counts.next(); ) {
        const { key: term, field, count } = counts;
        const tf = Math.min(count, MAX_TF);
        next[term] = writeCount(postings, next[term]!, slot - last[term]!, field, tf);
        last[term] = slot;
      }
    }
  }

  /** Scores the postings of a term. `readCode` is inlined: a search spends most of its time here, and a call doubles it. */
  #scoreList(term: number, weight: number, scores: Float32Array): void {
    const postings = this.#postings;
    const norms = this.#norms;
    const k1 = this.#options.k1;
    const end = this.#listStarts[term + 1] ?? 0;
    let slot = 0;
    let tf = 0;
    for (let at = this.#listStarts[term] ?? 0; at < end; ) {
      let code = postings[at++]!;
      if (code > 127) {
        let byte = postings[at++]!;
        code = (code & 127) | ((byte & 127) << 7);
        for (let shift = 14; byte > 127; shift += 7) {
          byte = postings[at++]!;
          code |= (byte & 127) << shift;
        }
      }
      const step = code >>> STEP;
      // A chunk's counts of a term, one for each field, are neighbors.
      if (step > 0) {
        scores[slot]! += (weight * tf) / (k1 + tf);
        slot += step;
        tf = 0;
      }
      const field = (code >>> FIELD) & FIELDS_MASK;
      const count = code & SMALL_COUNT || postings[at++]!;
      tf += norms[slot * STRIDE + field]! * count;
    }
    scores[slot]! += (weight * tf) / (k1 + tf);
  }

  #scoreTail(query: LexicalQuery, scores: Float32Array): void {
    const termIndexes = mapTermIndexes(query);
    const tfs = new Float64Array(query.ids.length);
    const k1 = this.#options.k1;
    for (const slot of this.#tail) {
      tfs.fill(0);
      this.#forEachMatch(slot, termIndexes, (i, tf) => {
        tfs[i]! += tf;
      });
      for (let i = 0; i < tfs.length; i++) {
        scores[slot]! += (query.weights[i]! * tfs[i]!) / (k1 + tfs[i]!);
      }
    }
  }

  /** Calls back for a chunk's entries with the index in the query, the normalized, weighted count and the field. */
  #forEachMatch(
    slot: number,
    termIndexes: ReadonlyMap<number, number>,
    found: (i: number, tf: number, field: number) => void,
  ): void {
    for (const counts = this.#readCounts(slot); counts.next(); ) {
      const i = termIndexes.get(counts.key);
      if (i === undefined) continue;
      const { field, count } = counts;
      found(i, this.#norms[slot * STRIDE + field]! * Math.min(count, MAX_TF), field);
    }
  }

  #updateNorms(): void {
    if (this.#normsValid) return;
    this.#normsValid = true;
    if (this.#norms.length < this.#slotEnd * STRIDE) {
      this.#norms = new Float32Array(this.#lengths.length);
    }
    const { weights, lengthNorms } = this.#options;
    for (const [f, field] of FIELD_NAMES.entries()) {
      const average = this.#totals[f]! / this.#chunkCount || 1;
      const weight = weights[field];
      const b = lengthNorms[field];
      for (let slot = 0; slot < this.#slotEnd; slot++) {
        const at = slot * STRIDE + f;
        const norm = weight / (1 - b + (b * this.#lengths[at]!) / average);
        this.#norms[at] = this.#alive[slot] ? norm : 0;
      }
    }
  }

  #reserve(slot: number, bytes: number): void {
    if (this.#logSize + bytes > this.#log.length) {
      this.#log = enlarge(this.#log, this.#logSize + bytes);
    }
    if (slot >= this.#starts.length) {
      this.#starts = enlarge(this.#starts, slot + 1);
      this.#sizes = enlarge(this.#sizes, slot + 1);
      this.#alive = enlarge(this.#alive, slot + 1);
      this.#lengths = enlarge(this.#lengths, this.#starts.length * STRIDE);
    }
    this.#slotEnd = Math.max(this.#slotEnd, slot + 1);
  }
}

function packQuery(terms: readonly { term: string; id: number; weight: number }[]): LexicalQuery {
  return {
    terms: terms.map(({ term }) => term),
    ids: Uint32Array.from(terms, ({ id }) => id),
    weights: Float64Array.from(terms, ({ weight }) => weight),
  };
}

function mapTermIndexes(query: LexicalQuery): Map<number, number> {
  return new Map(Array.from(query.ids, (id, i) => [id, i]));
}
