/** What of an issue a chunk explains, and what it leaves for others. */

import type { LexicalIndex, LexicalQuery } from '../../src/engine/lab.ts';

/** An issue's words parted by a chunk: each weighs in the one as far as the chunk has it, in the other as far as not. */
export interface PartedWords {
  explained: LexicalQuery;
  rest: LexicalQuery;
}

/** A word counts as explained by how near its BM25F in the chunk is to the most that it can be. */
export function partedBy(slot: number, query: LexicalQuery, index: LexicalIndex): PartedWords {
  const scores = new Map(index.detail(slot, query).terms.map(({ term, score }) => [term, score]));
  const explained = query.weights.map((_, t) => scores.get(query.terms[t] ?? '') ?? 0);
  return {
    explained: { ...query, weights: explained },
    rest: { ...query, weights: query.weights.map((weight, t) => weight - (explained[t] ?? 0)) },
  };
}
