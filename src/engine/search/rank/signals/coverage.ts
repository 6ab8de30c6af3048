/** How many of the title's words the chunks of a group (a file, a folder) have between them. */
import { dirname } from 'node:path/posix';
import { present } from '../../../../shared/present.ts';
import type { IndexedChunk, SearchIndex } from '../../../snapshot/types.ts';
import { untilEdited } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import { type ExplainedValue, measureEach, oncePerSearch } from './signal.ts';
import { asNumber, inSentence, tellingWords } from './wording.ts';

/**
 * Sum of the inverse document frequencies of the title's words that the chunk's file has, in any of its chunks. The chunk
 * to edit has some of the words; the code that it works with is often in the same file and has others.
 */
export const FILE_COVERAGE = {
  name: 'fileCoverage' as const,
  title: 'Its file has the title’s words',
  ...measureCoverage('file', ({ path }) => path),
};

/**
 * The same for the chunk's folder. Only chunks of the same role are counted together, so that tests, examples and docs
 * are separate from source.
 */
export const FOLDER_COVERAGE = {
  name: 'folderCoverage' as const,
  title: 'Its folder has the title’s words',
  ...measureCoverage('folder', ({ path, role }) => `${role} ${dirname(path)}`),
};

type GroupOf = (chunk: IndexedChunk) => string;

/** Returns what a signal measures and says of groups of chunks. `group` is the word for one in a sentence. */
function measureCoverage(group: string, groupOf: GroupOf) {
  const groupsIn = untilEdited((index) => groupsOf(index, groupOf));
  const coverage = oncePerSearch(
    (candidates) => new Coverage(candidates, groupsIn(candidates.index)),
  );
  return {
    measure(candidates: Candidates) {
      const made = coverage(candidates);
      return measureEach(candidates, (_, slot) => made.weightOf(slot));
    },
    format: asNumber(1),
    explain({ slot, candidates }: ExplainedValue) {
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

/** By file and term of the title: 1 where a chunk of the file has it. */
const titleInFiles = oncePerSearch(({ index, words }: Candidates): Uint8Array => {
  const { fileOf, firsts } = filesIn(index);
  const count = words.title.terms.length;
  const has = new Uint8Array(firsts.length * count);
  index.lexical.eachChunkWith(words.title, (slot, t) => {
    has[(fileOf[slot] ?? 0) * count + t] = 1;
  });
  return has;
});

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
