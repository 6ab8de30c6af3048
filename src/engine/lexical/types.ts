/**
 * The distinct terms of a file's chunks with their counts, ready for the lexical index.
 * `entries[offsets[i] .. offsets[i+1])` belong to chunk i; an entry packs `term index in terms << 11 | field << 8 | min(count, 255)`.
 */
export interface TermCounts {
  terms: string[];
  offsets: Uint32Array;
  entries: Uint32Array;
}
