/** How many of the title's words the chunks of a group (a file, a folder) have between them. */
import { present } from '../../../shared/present.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach } from './candidates.ts';
import { asNumber } from './format.ts';
import { inSentence, tellingWords } from './words.ts';

type GroupOf = (chunk: IndexedChunk) => string;

/** What a signal measures and says of such groups; their coverage is made once for a search. `group`: what people call them. */
export function coverageOf(group: string, groupOf: GroupOf) {
  const known = new WeakMap<Candidates, Coverage>();
  const coverage = (candidates: Candidates) => {
    const made = known.get(candidates) ?? new Coverage(candidates, groupOf);
    known.set(candidates, made);
    return made;
  };
  return {
    measure(candidates: Candidates) {
      const made = coverage(candidates);
      return measureEach(candidates, (chunk) => made.weightOf(groupOf(chunk)));
    },
    format: asNumber(1),
    explain({ slot, candidates }: { slot: number; candidates: Candidates }) {
      const has = coverage(candidates).wordsOf(groupOf(candidates.index.chunk(slot)));
      const words = tellingWords(has);
      return { sentence: `its ${group} has the title's ${inSentence(words, 'words')}`, words };
    },
  };
}

/** Which of the title's words the candidates' groups of chunks have. */
class Coverage {
  readonly #groups: Map<string, number>;
  readonly #terms: { term: string; score: number }[];
  /** By group and term: 1 where it has it. */
  readonly #has: Uint8Array;

  constructor({ index, slots, words: { title } }: Candidates, groupOf: GroupOf) {
    const wanted = new Set(slots.map((slot) => groupOf(index.chunk(slot))));
    this.#groups = new Map(Array.from(wanted, (group, g) => [group, g]));
    this.#terms = title.terms.map((term, t) => {
      return { term, score: present(title.weights[t], `the weight of “${term}”`) };
    });
    const has = new Uint8Array(this.#groups.size * this.#terms.length);
    const folders = new Set(slots.map((slot) => folderOf(index.chunk(slot).path)));
    const groups = groupsBySlot(index, groupOf, this.#groups, folders);
    index.lexical.eachChunkWith(title, (slot, t) => {
      const group = groups[slot] ?? -1;
      if (group >= 0) has[group * title.terms.length + t] = 1;
    });
    this.#has = has;
  }

  weightOf(group: string): number {
    return this.wordsOf(group).reduce((sum, { score }) => sum + score, 0);
  }

  /** The most telling first. */
  wordsOf(group: string): { term: string; score: number }[] {
    const start = present(this.#groups.get(group), 'the group of a chunk') * this.#terms.length;
    return this.#terms.filter((_, t) => this.#has[start + t]);
  }
}

/** The number of each chunk's group, -1 for those of other groups. All chunks of a file are in one, and all of a group in one folder. */
function groupsBySlot(
  index: SearchIndex,
  groupOf: GroupOf,
  numbers: ReadonlyMap<string, number>,
  folders: ReadonlySet<string>,
): Int32Array {
  const groups = new Int32Array(index.chunks.length).fill(-1);
  for (const path of index.paths()) {
    if (!folders.has(folderOf(path))) continue;
    const slots = index.slotsByPath(path);
    const first = slots[0] === undefined ? null : index.chunkAt(slots[0]);
    const group = first ? numbers.get(groupOf(first)) : undefined;
    if (group !== undefined) for (const slot of slots) groups[slot] = group;
  }
  return groups;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
