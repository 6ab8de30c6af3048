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
  const ofSearch = new WeakMap<Candidates, Coverage>();
  const coverage = (candidates: Candidates) => {
    const made = ofSearch.get(candidates) ?? new Coverage(candidates, groupOf);
    ofSearch.set(candidates, made);
    return made;
  };
  return {
    measure(candidates: Candidates) {
      const made = coverage(candidates);
      const weights = new Map<string, number>();
      return measureEach(candidates, (chunk) => {
        const group = groupOf(chunk);
        const weight = weights.get(group) ?? made.weightOf(group);
        weights.set(group, weight);
        return weight;
      });
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

  constructor(candidates: Candidates, groupOf: GroupOf) {
    const { index, slots, words } = candidates;
    const { title } = words;
    const wanted = new Set(slots.map((slot) => groupOf(index.chunk(slot))));
    this.#groups = new Map(Array.from(wanted, (group, g) => [group, g]));
    this.#terms = title.terms.map((term, t) => {
      return { term, score: present(title.weights[t], `the weight of “${term}”`) };
    });
    const count = this.#terms.length;
    const ofFiles = titleInFiles(candidates);
    this.#has = new Uint8Array(this.#groups.size * count);
    for (const { file, first } of filesBeside(slots, index)) {
      const group = this.#groups.get(groupOf(index.chunk(first)));
      if (group === undefined) continue;
      for (let t = 0; t < count; t++)
        if (ofFiles[file * count + t]) this.#has[group * count + t] = 1;
    }
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

const known = new WeakMap<Candidates, Uint8Array>();

/** By file and term of the title: 1 where a chunk of the file has it. Looked up once for a search. */
function titleInFiles(candidates: Candidates): Uint8Array {
  const before = known.get(candidates);
  if (before) return before;
  const { index, words } = candidates;
  const { fileOf, files } = filesIn(index);
  const count = words.title.terms.length;
  const has = new Uint8Array(files.length * count);
  index.lexical.eachChunkWith(words.title, (slot, t) => {
    has[(fileOf[slot] ?? 0) * count + t] = 1;
  });
  known.set(candidates, has);
  return has;
}

interface File {
  /** Its place among the files that have chunks. */
  file: number;
  /** The slot of its first chunk. All of its chunks are in the group of this one. */
  first: number;
  folder: number;
}

/** The files of an index, and the place of each slot's. */
const filesIn = untilEdited((index: SearchIndex) => {
  const fileOf = new Uint32Array(index.chunks.length);
  const folders = new Map<string, number>();
  const files: File[] = [];
  for (const path of index.paths()) {
    const [first, ...others] = index.slotsByPath(path);
    if (first === undefined) continue;
    const name = path.slice(0, path.lastIndexOf('/') + 1);
    const folder = folders.get(name) ?? folders.size;
    folders.set(name, folder);
    for (const slot of [first, ...others]) fileOf[slot] = files.length;
    files.push({ file: files.length, first, folder });
  }
  return { fileOf, files };
});

/** The files in the folders that these chunks are in: all of a group are in one folder. */
function filesBeside(slots: readonly number[], index: SearchIndex): File[] {
  const { fileOf, files } = filesIn(index);
  const folders = new Set(slots.map((slot) => files[fileOf[slot] ?? 0]?.folder));
  return files.filter(({ folder }) => folders.has(folder));
}
