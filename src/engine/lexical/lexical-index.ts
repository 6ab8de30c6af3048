/**
 * BM25F in memory (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section 3.6).
 *
 * A term's count in a field is divided by the field's relative length and weighted, the fields are added, and only then
 * does the sum saturate: score(chunk) = sum over terms of weight * idf * tf / (k1 + tf).
 *
 * Every chunk's counts are kept in a log, by term, and an inverted list for each term, by chunk, is built over the log; both
 * packed (`packed-counts.ts`), since they are most of what an index keeps in memory. Chunks added afterwards are scored from the log until there are enough of them to build the lists again. All statistics (number
 * of chunks, chunks with a term, field lengths) are exact for the chunks that are in the index now, so the scores
 * depend on what it holds and not on how it came to hold it.
 */
import { badInput } from '../../shared/errors.ts';
import { enlarged } from '../columns/growing.ts';
import {
  bytesOfCode,
  bytesOfCount,
  CountReader,
  codeAt,
  FIELD_MASK,
  FIELD_SHIFT,
  MAX_BYTES,
  putCount,
  SMALL,
  STEP_SHIFT,
} from './packed-counts.ts';
import { FIELD_COUNT, FIELD_NAMES, FIELDS, type FieldName } from './tokenize.ts';

/** What the index must know of the store's dictionary of terms. */
export interface TermIds {
  idOf(term: string): number | undefined;
  termOf(id: number): string | undefined;
}

export interface LexicalOptions {
  /** How fast a term's weight saturates with its count. */
  k1: number;
  /** Weight of a count in a field. */
  weights: Record<FieldName, number>;
  /** How far a field's length counts, 0 to 1. */
  lengthNorms: Record<FieldName, number>;
  /** A query keeps its most informative terms: this many at most, ... */
  maxTerms: number;
  /** ... and no more than occur in this many chunks, added up over the terms. */
  maxMatches: number;
  /** What the index holds a part of, where that is known: how rare a term is, is meant there. */
  collection?: Collection;
}

/** Chunks that are elsewhere, these among them. */
export interface Collection {
  readonly chunks: number;
  /** How many have a term, as far as is known. */
  matches(term: string): number;
}

/** Usual values; on real issues neither finer ones nor stemming gave a difference beyond chance. */
const DEFAULT_OPTIONS: LexicalOptions = {
  k1: 2,
  weights: { path: 2, name: 3, signature: 1, docstring: 1, body: 1 },
  lengthNorms: { path: 0.75, name: 0.75, signature: 0.75, docstring: 0.75, body: 0.75 },
  maxTerms: 512,
  maxMatches: 1_000_000,
};

/** A query's chosen terms, the most informative first. Valid until the index changes. */
export interface LexicalQuery {
  readonly terms: readonly string[];
  readonly ids: Uint32Array;
  /** Weight in the query times inverse document frequency. */
  readonly weights: Float64Array;
}

/** The counts of chunks as they are written to a file, in order of slot. */
export interface LexicalColumns {
  /** Of each chunk by term, packed. */
  log: Uint8Array;
  /** How many bytes of it each chunk has. */
  sizes: Uint32Array;
  /** How long its fields are, `FIELD_COUNT` numbers for each chunk. */
  lengths: Uint32Array;
  /** How many chunks have each term, by its id. */
  frequencies: Uint32Array;
  /** The inverted lists, of each term by slot, packed; and where each term's begins and the last one ends. */
  postings: Uint8Array;
  listStarts: Uint32Array;
}

/** What made up a chunk's score, each list with the largest first. */
export interface LexicalDetail {
  total: number;
  fields: { field: FieldName; score: number }[];
  terms: { term: string; score: number }[];
}

/** How counts are packed: an imported constant is loaded at each use, which the loops below are a third slower by. */
const [STEP, FIELD, FIELDS_MASK, SMALL_COUNT] = [STEP_SHIFT, FIELD_SHIFT, FIELD_MASK, SMALL];
const MAX_SLOT = (1 << 24) - 1;
/** A larger count says no more than this one. */
const MAX_TF = 31;
/** Norms and lengths lie by slot, then by field. */
const STRIDE = FIELD_COUNT;
/** The lists are built again when the log's tail has more bytes than this and than a quarter of what they cover. */
const MIN_TAIL = 150_000;

export class LexicalIndex {
  readonly #dictionary: TermIds;
  readonly #options: LexicalOptions;

  #log: Uint8Array = new Uint8Array(1 << 17);
  #logSize = 0;
  /** By slot: where its counts are in the log, how many bytes, and whether it is in the index. */
  #starts = new Uint32Array(1024);
  #sizes: Uint32Array = new Uint32Array(1024);
  #alive = new Uint8Array(1024);
  #slotEnd = 0;
  #live = 0;
  #lengths: Uint32Array = new Uint32Array(1024 * STRIDE);
  #totals = new Float64Array(FIELD_COUNT);

  /** By term: chunks that contain it. */
  #frequencies: Uint32Array = new Uint32Array(1 << 15);

  /** The inverted lists: `postings[listStarts[term] .. listStarts[term + 1])`. */
  #listStarts: Uint32Array = new Uint32Array(1);
  #postings: Uint8Array = new Uint8Array(0);
  /** Slots that the lists do not cover. */
  #tail: number[] = [];
  #tailBytes = 0;

  /** By slot and field: weight / relative length; 0 for slots that are gone. Made when needed. */
  #norms = new Float32Array(0);
  #normsValid = false;

  #places = new Uint16Array(0);

  constructor(dictionary: TermIds, options: Partial<LexicalOptions> = {}) {
    this.#dictionary = dictionary;
    this.#options = { ...DEFAULT_OPTIONS, ...options };
  }

  get live(): number {
    return this.#live;
  }

  /** Adds a chunk. `entries` are packed as in `TermCounts`, with the dictionary's ids; they are copied. */
  add(slot: number, entries: Uint32Array): void {
    if (slot > MAX_SLOT)
      throw badInput(
        `more than ${MAX_SLOT} functions were added to the index since it was opened`,
        'open the repository again',
      );
    this.#reserve(slot, entries.length * MAX_BYTES);
    if (this.#alive[slot]) throw new Error(`slot ${slot} is already in the lexical index`);
    const end = putEntries(this.#log, this.#logSize, entries);
    this.#starts[slot] = this.#logSize;
    this.#sizes[slot] = end - this.#logSize;
    this.#alive[slot] = 1;
    this.#live++;
    this.#tail.push(slot);
    this.#tailBytes += end - this.#logSize;
    this.#logSize = end;
    this.#count(slot, 1);
  }

  /** A chunk's counts, in order of term and field, as `add` was given them. */
  entries(slot: number): Uint32Array {
    const entries: number[] = [];
    for (const counts = this.#countsOf(slot); counts.next(); )
      entries.push((counts.key << 11) | (counts.field << 8) | counts.count);
    return Uint32Array.from(entries);
  }

  /** All that it holds, as if the chunks of these slots, which are all, had just been added from slot 0 on, and lists built. */
  columns(slots: Uint32Array): LexicalColumns {
    const sizes = slots.map((slot) => this.#sizes[slot]!);
    const all = new LexicalIndex(this.#dictionary, this.#options);
    all.#log = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
    all.#starts = new Uint32Array(slots.length);
    all.#sizes = sizes;
    all.#alive = new Uint8Array(slots.length).fill(1);
    all.#slotEnd = slots.length;
    all.#frequencies = this.#frequencies;
    const lengths = new Uint32Array(slots.length * STRIDE);
    for (const [place, slot] of slots.entries()) {
      const start = this.#starts[slot]!;
      all.#log.set(this.#log.subarray(start, start + this.#sizes[slot]!), all.#logSize);
      all.#starts[place] = all.#logSize;
      all.#logSize += this.#sizes[slot]!;
      lengths.set(this.#lengths.subarray(slot * STRIDE, (slot + 1) * STRIDE), place * STRIDE);
    }
    all.build();
    const [log, postings, listStarts] = [all.#log, all.#postings, all.#listStarts];
    return { log, sizes, lengths, frequencies: this.#frequencies, postings, listStarts };
  }

  /** Takes these for what it holds; nothing was added before. The columns are not copied. */
  adopt(columns: LexicalColumns): void {
    const { log, sizes, lengths, frequencies } = columns;
    this.#log = log;
    this.#logSize = log.length;
    this.#sizes = sizes;
    this.#slotEnd = sizes.length;
    this.#live = sizes.length;
    this.#alive = new Uint8Array(sizes.length).fill(1);
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
    this.#count(slot, -1);
    this.#alive[slot] = 0;
    this.#live--;
  }

  /** Builds the inverted lists. Scoring does so when it pays; after a bulk load, this spares the first search the wait. */
  build(): void {
    this.#compactLog();
    this.#listStarts = this.#listStartsNow();
    this.#postings = new Uint8Array(this.#listStarts.at(-1)!);
    this.#fillPostings();
    this.#tail = [];
    this.#tailBytes = 0;
  }

  matches(term: string): number {
    const id = this.#dictionary.idOf(term);
    return id === undefined ? 0 : (this.#frequencies[id] ?? 0);
  }

  /** A term's inverse document frequency, in nats; 0 for one that no chunk has. */
  idf(term: string): number {
    const matches = this.matches(term);
    return matches === 0 ? 0 : this.#idf(matches, term);
  }

  /** Chooses the terms to score with. `terms` maps a term to its weight in the query. */
  query(terms: ReadonlyMap<string, number>): LexicalQuery {
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
   * The terms that say most about these chunks, as a query: those with the largest mean BM25F weight in them, which is
   * each one's weight there. Terms of one chunk alone can find nothing else and are left out.
   * @param shares parts of the mean, parallel to `slots`, that add up to 1; equal ones when left out.
   */
  termsOf(
    slots: readonly number[],
    count: number,
    shares: readonly number[] = slots.map(() => 1 / slots.length),
  ): LexicalQuery {
    this.#updateNorms();
    const weights = new Map<number, number>();
    for (const [i, slot] of slots.entries()) {
      for (const [term, tf] of this.#frequenciesIn(slot)) {
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

  /** BM25F of all chunks, by slot; 0 where nothing matches. */
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

  /** BM25F of some chunks, parallel to `slots`, over all fields or one: for few chunks far quicker than scoring all. */
  scoreSome(slots: readonly number[], query: LexicalQuery, field?: FieldName): Float64Array {
    this.#updateNorms();
    const scores = new Float64Array(slots.length);
    if (query.ids.length === 0) return scores;
    const only = field === undefined ? -1 : FIELDS[field];
    const places = this.#placesOf(query);
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
        const code = codeAt(log, at);
        at += bytesOfCode(code);
        const count = code & SMALL_COUNT || log[at++]!;
        term += code >>> STEP;
        if (term > last) break;
        const place = places[term]!;
        if (place === 0) continue;
        const f = (code >>> FIELD) & FIELDS_MASK;
        if (only < 0 || f === only)
          tfs[place - 1]! += norms[slot * STRIDE + f]! * Math.min(count, MAX_TF);
      }
      for (let i = 0; i < tfs.length; i++) {
        scores[s]! += (query.weights[i]! * tfs[i]!) / (this.#options.k1 + tfs[i]!);
        tfs[i] = 0;
      }
    }
    for (const id of query.ids) places[id] = 0;
    return scores;
  }

  /** Calls back for each chunk with a term of the query and the term's place in it, maybe more than once. */
  eachChunkWith(query: LexicalQuery, found: (slot: number, term: number) => void): void {
    for (const [term, id] of query.ids.entries())
      for (const counts = this.#listOf(id); counts.next(); )
        if (this.#alive[counts.key]) found(counts.key, term);
    const places = positions(query);
    for (const slot of this.#tail) this.#eachMatch(slot, places, (term) => found(slot, term));
  }

  /** By term id: 1 + its place in the query, or 0. To be set to 0 again after use. */
  #placesOf(query: LexicalQuery): Uint16Array {
    if (this.#places.length < this.#frequencies.length) {
      this.#places = new Uint16Array(this.#frequencies.length);
    }
    for (const [i, id] of query.ids.entries()) this.#places[id] = i + 1;
    return this.#places;
  }

  /** Takes a chunk's score apart by field and by term. */
  detail(slot: number, query: LexicalQuery): LexicalDetail {
    this.#updateNorms();
    const tfs = new Float64Array(query.ids.length);
    const byField = new Float64Array(query.ids.length * FIELD_COUNT);
    this.#eachMatch(slot, positions(query), (i, tf, field) => {
      tfs[i]! += tf;
      byField[i * FIELD_COUNT + field]! += tf;
    });
    const k1 = this.#options.k1;
    const fields = new Float64Array(FIELD_COUNT);
    const terms: LexicalDetail['terms'] = [];
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
      return Math.log(1 + (this.#live - matches + 0.5) / (matches + 0.5));
    const all = Math.max(this.#live, collection.chunks);
    const known = Math.min(all, Math.max(matches, collection.matches(term)));
    return Math.log(1 + (all - known + 0.5) / (known + 0.5));
  }

  /** A chunk's normalised, weighted count of each of its terms, the fields added. */
  #frequenciesIn(slot: number): Map<number, number> {
    const tfs = new Map<number, number>();
    for (const counts = this.#countsOf(slot); counts.next(); ) {
      const { key: term, field, count } = counts;
      const tf = this.#norms[slot * STRIDE + field]! * Math.min(count, MAX_TF);
      tfs.set(term, (tfs.get(term) ?? 0) + tf);
    }
    return tfs;
  }

  /** A chunk's counts, by term; none where it is gone. */
  #countsOf(slot: number): CountReader {
    const start = this.#alive[slot] ? this.#starts[slot]! : 0;
    return new CountReader(this.#log, start, this.#alive[slot] ? start + this.#sizes[slot]! : 0);
  }

  #listOf(term: number): CountReader {
    const end = this.#listStarts[term + 1] ?? 0;
    return new CountReader(this.#postings, this.#listStarts[term] ?? 0, end);
  }

  /** Adds (`sign` 1) or takes away (-1) a chunk, which the log has, in the statistics. */
  #count(slot: number, sign: 1 | -1): void {
    let last = -1;
    for (const counts = this.#countsOf(slot); counts.next(); ) {
      const { key: term, field, count } = counts;
      this.#lengths[slot * STRIDE + field]! += sign * count;
      this.#totals[field]! += sign * count;
      if (term === last) continue;
      last = term;
      if (term >= this.#frequencies.length)
        this.#frequencies = enlarged(this.#frequencies, term + 1);
      this.#frequencies[term]! += sign;
    }
    this.#normsValid = false;
  }

  /** Closes the gaps that removed chunks left in the log. */
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

  /** Where each term's list begins, and the last one ends, over what the log has now. */
  #listStartsNow(): Uint32Array {
    const terms = this.#frequencies.length;
    const starts = new Uint32Array(terms + 1);
    const last = new Uint32Array(terms);
    for (let slot = 0; slot < this.#slotEnd; slot++) {
      for (const counts = this.#countsOf(slot); counts.next(); ) {
        const { key: term, count } = counts;
        starts[term + 1]! += bytesOfCount(slot - last[term]!, Math.min(count, MAX_TF));
        last[term] = slot;
      }
    }
    for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
    return starts;
  }

  /** Writes each term's list where it begins, in order of slot. */
  #fillPostings(): void {
    const next = this.#listStarts.slice();
    const last = new Uint32Array(this.#frequencies.length);
    const postings = this.#postings;
    for (let slot = 0; slot < this.#slotEnd; slot++) {
      for (const counts = this.#countsOf(slot); counts.next(); ) {
        const { key: term, field, count } = counts;
        const tf = Math.min(count, MAX_TF);
        next[term] = putCount(postings, next[term]!, slot - last[term]!, field, tf);
        last[term] = slot;
      }
    }
  }

  /** `codeAt` is written out here, where a search reads most of what it reads: called, it takes twice the time. */
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
      // A chunk's counts of a term, one for each field, are neighbours.
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
    const where = positions(query);
    const tfs = new Float64Array(query.ids.length);
    const k1 = this.#options.k1;
    for (const slot of this.#tail) {
      tfs.fill(0);
      this.#eachMatch(slot, where, (i, tf) => {
        tfs[i]! += tf;
      });
      for (let i = 0; i < tfs.length; i++) {
        scores[slot]! += (query.weights[i]! * tfs[i]!) / (k1 + tfs[i]!);
      }
    }
  }

  /** Calls back with the place in the query, the normalised, weighted count and the field of a chunk's entries. */
  #eachMatch(
    slot: number,
    where: ReadonlyMap<number, number>,
    found: (i: number, tf: number, field: number) => void,
  ): void {
    for (const counts = this.#countsOf(slot); counts.next(); ) {
      const i = where.get(counts.key);
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
      const average = this.#totals[f]! / this.#live || 1;
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
      this.#log = enlarged(this.#log, this.#logSize + bytes);
    }
    if (slot >= this.#starts.length) {
      this.#starts = enlarged(this.#starts, slot + 1);
      this.#sizes = enlarged(this.#sizes, slot + 1);
      this.#alive = enlarged(this.#alive, slot + 1);
      this.#lengths = enlarged(this.#lengths, this.#starts.length * STRIDE);
    }
    this.#slotEnd = Math.max(this.#slotEnd, slot + 1);
  }
}

/** Writes entries in order of term and field; returns where the next ones go. */
function putEntries(log: Uint8Array, at: number, entries: Uint32Array): number {
  let end = at;
  let last = 0;
  const sorted = entries.toSorted();
  for (let i = 0; i < sorted.length; i++) {
    const entry = sorted[i]!;
    const term = entry >>> 11;
    end = putCount(log, end, term - last, (entry >>> 8) & 7, entry & 255);
    last = term;
  }
  return end;
}

function packQuery(terms: readonly { term: string; id: number; weight: number }[]): LexicalQuery {
  return {
    terms: terms.map(({ term }) => term),
    ids: Uint32Array.from(terms, ({ id }) => id),
    weights: Float64Array.from(terms, ({ weight }) => weight),
  };
}

function positions(query: LexicalQuery): Map<number, number> {
  return new Map(Array.from(query.ids, (id, i) => [id, i]));
}
