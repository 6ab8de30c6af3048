/** How many of the title's words the chunks of a group (a file, a folder) have between them. */
import { present } from '../../../shared/present.ts';
import type { IndexedChunk, SearchIndex } from '../../snapshot/types.ts';
import type { Candidates } from '../candidates.ts';
import { untilEdited } from '../until-edited.ts';
import { measureEach } from './candidates.ts';
import { asNumber } from './format.ts';
import { inSentence, tellingWords } from './words.ts';

type GroupOf = (chunk: IndexedChunk) => string;

/** What a signal measures and says of such groups; their coverage is made once for a search. `group`: what people call them. */
export function coverageOf(group: string, groupOf: GroupOf) {
  const groupsIn = untilEdited((index) => groupsOf(index, groupOf));
  const ofSearch = new WeakMap<Candidates, Coverage>();
  const coverage = (candidates: Candidates) => {
    const made = ofSearch.get(candidates) ?? new Coverage(candidates, groupsIn(candidates.index));
    ofSearch.set(candidates, made);
    return made;
  };
  return {
    measure(candidates: Candidates) {
      const made = coverage(candidates);
      return measureEach(candidates, (_, slot) => made.weightOf(slot));
    },
    format: asNumber(1),
    explain({ slot, candidates }: { slot: number; candidates: Candidates }) {
      const words = tellingWords(coverage(candidates).wordsOf(slot));
      return { sentence: `its ${group} has the title's ${inSentence(words, 'words')}`, words };
    },
  };
}

/** Which of the title's words the candidates' groups of chunks have. */
class Coverage {
  readonly #groups: Groups;
  readonly #terms: { term: string; score: number }[];
  /** By group and term: 1 where it has it. */
  readonly #has: Uint8Array;
  /** By group; NaN until it is asked for. */
  readonly #weights: Float64Array;

  constructor(candidates: Candidates, groups: Groups) {
    const { title } = candidates.words;
    this.#groups = groups;
    this.#terms = title.terms.map((term, t) => {
      return { term, score: present(title.weights[t], `the weight of “${term}”`) };
    });
    const count = this.#terms.length;
    const ofFiles = titleInFiles(candidates);
    const has = new Uint8Array(groups.count * count);
    for (const [file, group] of groups.ofFile.entries())
      for (let t = 0; t < count; t++) if (ofFiles[file * count + t]) has[group * count + t] = 1;
    this.#has = has;
    this.#weights = new Float64Array(groups.count).fill(Number.NaN);
  }

  /** Of the group of a chunk. */
  weightOf(slot: number): number {
    const group = this.#groupOf(slot);
    const known = this.#weights[group] ?? Number.NaN;
    if (!Number.isNaN(known)) return known;
    const weight = this.wordsOf(slot).reduce((sum, { score }) => sum + score, 0);
    this.#weights[group] = weight;
    return weight;
  }

  /** Those of the group of a chunk, the most telling first. */
  wordsOf(slot: number): { term: string; score: number }[] {
    const start = this.#groupOf(slot) * this.#terms.length;
    return this.#terms.filter((_, t) => this.#has[start + t]);
  }

  #groupOf(slot: number): number {
    const { fileOf, ofFile } = this.#groups;
    return ofFile[fileOf[slot] ?? 0] ?? 0;
  }
}

const known = new WeakMap<Candidates, Uint8Array>();

/** By file and term of the title: 1 where a chunk of the file has it. Looked up once for a search. */
function titleInFiles(candidates: Candidates): Uint8Array {
  const before = known.get(candidates);
  if (before) return before;
  const { index, words } = candidates;
  const { fileOf, firsts } = filesIn(index);
  const count = words.title.terms.length;
  const has = new Uint8Array(firsts.length * count);
  index.lexical.eachChunkWith(words.title, (slot, t) => {
    has[(fileOf[slot] ?? 0) * count + t] = 1;
  });
  known.set(candidates, has);
  return has;
}

/** The files of an index, by number: that of each slot's, and the slot of the first chunk of each. */
const filesIn = untilEdited((index: SearchIndex) => {
  const fileOf = new Uint32Array(index.chunks.length);
  const firsts: number[] = [];
  for (const path of index.paths()) {
    const slots = index.slotsByPath(path);
    const [first] = slots;
    if (first === undefined) continue;
    for (const slot of slots) fileOf[slot] = firsts.length;
    firsts.push(first);
  }
  return { fileOf, firsts };
});

/** All chunks of a file are in the group of its first one. */
interface Groups {
  /** The file of each slot, and the group of each file. */
  fileOf: Uint32Array;
  ofFile: Uint32Array;
  count: number;
}

function groupsOf(index: SearchIndex, groupOf: GroupOf): Groups {
  const { fileOf, firsts } = filesIn(index);
  const numbers = new Map<string, number>();
  const ofFile = Uint32Array.from(firsts, (slot) => {
    const group = groupOf(index.chunk(slot));
    const number = numbers.get(group) ?? numbers.size;
    numbers.set(group, number);
    return number;
  });
  return { fileOf, ofFile, count: numbers.size };
}
