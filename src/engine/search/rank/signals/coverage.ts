/** Signals that measure how many of the title's words occur in a chunk's file or folder. */
import { dirname } from 'node:path/posix';
import { assertPresent } from '../../../../shared/assert-present.ts';
import type { IndexedChunk, SearchIndex } from '../../../snapshot/types.ts';
import { cacheUntilEdited } from '../../gather/chunks.ts';
import type { Candidates } from '../../gather/gather.ts';
import { cachePerSearch, type ExplainedValue, measureEach } from './signal.ts';
import { describeMention, formatIdf, pickInformativeWords } from './wording.ts';

/**
 * Sum of the inverse document frequencies of the title's words that occur in the chunk's file. The chunk to edit has some
 * of the words. The code that it works with is often in the same file and has others.
 */
export const FILE_COVERAGE = {
  name: 'fileCoverage' as const,
  title: "Its file mentions the title's words",
  ...measureCoverage('file', ({ path }) => path),
};

/** The same for the chunk's folder. Only chunks of the same role count, so tests, examples and docs are separate from source. */
export const FOLDER_COVERAGE = {
  name: 'folderCoverage' as const,
  title: "Its folder mentions the title's words",
  ...measureCoverage('folder', ({ path, role }) => `${role} ${dirname(path)}`),
};

type GetGroup = (chunk: IndexedChunk) => string;

/**
 * Returns the members of a signal that measures groups of chunks.
 * @param noun word for a group in a sentence
 */
function measureCoverage(noun: string, getGroup: GetGroup) {
  const getGroups = cacheUntilEdited((index) => groupFiles(index, getGroup));
  const getCoverage = cachePerSearch(
    (candidates) => new Coverage(candidates, getGroups(candidates.index)),
  );
  return {
    measure(candidates: Candidates) {
      const coverage = getCoverage(candidates);
      return measureEach(candidates, (_, slot) => coverage.getWeight(slot));
    },
    format: formatIdf,
    explain({ slot, candidates }: ExplainedValue) {
      const words = pickInformativeWords(getCoverage(candidates).listWords(slot));
      return { sentence: describeMention(`its ${noun}`, words, 'the title'), words };
    },
  };
}

/** The words of the title that occur in each group of chunks. */
class Coverage {
  readonly #groups: Groups;
  readonly #terms: { term: string; score: number }[];
  /** By group and term: 1 if the group has the term. */
  readonly #has: Uint8Array;
  /** By group: sum of the scores of its terms; NaN until it is needed. */
  readonly #weights: Float64Array;

  constructor(candidates: Candidates, groups: Groups) {
    const { title } = candidates.words;
    this.#groups = groups;
    this.#terms = title.terms.map((term, t) => {
      return { term, score: assertPresent(title.weights[t], `the weight of “${term}”`) };
    });
    const count = this.#terms.length;
    const inFiles = findTitleWordsInFiles(candidates);
    const has = new Uint8Array(groups.count * count);
    for (const [file, group] of groups.byFile.entries())
      for (let t = 0; t < count; t++) if (inFiles[file * count + t]) has[group * count + t] = 1;
    this.#has = has;
    this.#weights = new Float64Array(groups.count).fill(Number.NaN);
  }

  getWeight(slot: number): number {
    const group = this.#getGroup(slot);
    const cached = this.#weights[group] ?? Number.NaN;
    if (!Number.isNaN(cached)) return cached;
    const weight = this.listWords(slot).reduce((sum, { score }) => sum + score, 0);
    this.#weights[group] = weight;
    return weight;
  }

  /** Lists the words of a chunk's group, the rarest first. */
  listWords(slot: number): { term: string; score: number }[] {
    const start = this.#getGroup(slot) * this.#terms.length;
    return this.#terms.filter((_, t) => this.#has[start + t]);
  }

  #getGroup(slot: number): number {
    const { fileBySlot, byFile } = this.#groups;
    return byFile[fileBySlot[slot] ?? 0] ?? 0;
  }
}

/** Returns, by file and term of the title: 1 if a chunk of the file has the term. */
const findTitleWordsInFiles = cachePerSearch(({ index, words }: Candidates): Uint8Array => {
  const { fileBySlot, firstSlots } = numberFiles(index);
  const count = words.title.terms.length;
  const has = new Uint8Array(firstSlots.length * count);
  index.lexical.forEachMatch(words.title, (slot, t) => {
    has[(fileBySlot[slot] ?? 0) * count + t] = 1;
  });
  return has;
});

/** Numbers the files of an index. Returns the file of each slot, and the slot of the first chunk of each file. */
const numberFiles = cacheUntilEdited((index: SearchIndex) => {
  const fileBySlot = new Uint32Array(index.chunks.length);
  const firstSlots: number[] = [];
  for (const path of index.getPaths()) {
    const slots = index.getSlotsByPath(path);
    const [first] = slots;
    if (first === undefined) continue;
    for (const slot of slots) fileBySlot[slot] = firstSlots.length;
    firstSlots.push(first);
  }
  return { fileBySlot, firstSlots };
});

/** Groups of chunks. All chunks of a file are in the group of its first chunk. */
interface Groups {
  /** Number of the file of each slot. */
  fileBySlot: Uint32Array;
  /** Number of the group of each file. */
  byFile: Uint32Array;
  count: number;
}

function groupFiles(index: SearchIndex, getGroup: GetGroup): Groups {
  const { fileBySlot, firstSlots } = numberFiles(index);
  const numbers = new Map<string, number>();
  const byFile = Uint32Array.from(firstSlots, (slot) => {
    const group = getGroup(index.getChunk(slot));
    const number = numbers.get(group) ?? numbers.size;
    numbers.set(group, number);
    return number;
  });
  return { fileBySlot, byFile, count: numbers.size };
}
