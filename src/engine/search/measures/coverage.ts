/** How many of the title's words the chunks of a group (a file, a folder) have between them. */

import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import type { Candidates } from '../candidates.ts';

export type GroupOf = (chunk: IndexedChunk) => string;

/** The coverage of one search's candidates, made once for each way to group them. */
export function coverageBy(groupOf: GroupOf): (candidates: Candidates) => Coverage {
  const known = new WeakMap<Candidates, Coverage>();
  return (candidates) => {
    const made = known.get(candidates) ?? new Coverage(candidates, groupOf);
    known.set(candidates, made);
    return made;
  };
}

/** Which of the title's words the candidates' groups of chunks have. */
export class Coverage {
  readonly #groups: Map<string, number>;
  readonly #terms: { term: string; score: number }[];
  /** By group and term: 1 where it has it. */
  readonly #has: Uint8Array;

  constructor({ index, slots, words: { title } }: Candidates, groupOf: GroupOf) {
    const wanted = new Set(slots.map((slot) => groupOf(index.chunks[slot]!)));
    this.#groups = new Map(Array.from(wanted, (group, g) => [group, g]));
    this.#terms = title.terms.map((term, t) => ({ term, score: title.weights[t] }));
    const has = new Uint8Array(this.#groups.size * this.#terms.length);
    const groups = groupsBySlot(index, groupOf, this.#groups);
    index.lexical.eachChunkWith(title, (slot, t) => {
      if (groups[slot] >= 0) has[groups[slot] * title.terms.length + t] = 1;
    });
    this.#has = has;
  }

  weightOf(group: string): number {
    return this.wordsOf(group).reduce((sum, { score }) => sum + score, 0);
  }

  /** The most telling first. */
  wordsOf(group: string): { term: string; score: number }[] {
    const start = this.#groups.get(group)! * this.#terms.length;
    return this.#terms.filter((_, t) => this.#has[start + t]);
  }
}

/** The number of each chunk's group, -1 for groups without one. Sees every chunk of the repository. */
function groupsBySlot(
  { chunks }: SearchIndex,
  groupOf: GroupOf,
  numbers: ReadonlyMap<string, number>,
): Int32Array {
  const groups = new Int32Array(chunks.length).fill(-1);
  // A file's chunks, which are in one group, mostly have slots next to one another.
  let path = '';
  let group = -1;
  for (let slot = 0; slot < chunks.length; slot++) {
    const chunk = chunks[slot];
    if (!chunk) continue;
    if (chunk.path !== path) {
      path = chunk.path;
      group = numbers.get(groupOf(chunk)) ?? -1;
    }
    groups[slot] = group;
  }
  return groups;
}
