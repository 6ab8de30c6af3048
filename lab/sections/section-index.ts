import {
  countTerms,
  createSections,
  findSectionForm,
  inferRole,
  LexicalIndex,
  Packages,
  type SearchIndex,
  type SourceFile,
  VectorTable,
} from '../../src/engine/lab.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { getOrAdd } from '../../src/shared/get-or-add.ts';

type Chunk = ReturnType<SearchIndex['getChunk']>;

/** Index that has only sections, and no code. It is made in a second. */
export class SectionIndex implements SearchIndex {
  readonly packages = new Packages([], []);
  readonly chunks: Chunk[] = [];
  readonly edits = 0;
  readonly liveCount = 0;
  readonly vectors = new VectorTable(1);
  readonly history = null;
  readonly lexical: LexicalIndex;
  readonly sections: LexicalIndex;
  readonly #slots = new Map<string, number[]>();
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];

  private constructor() {
    const lookup = {
      idOf: (term: string) => this.#ids.get(term),
      termOf: (id: number) => this.#terms[id],
    };
    this.lexical = new LexicalIndex(lookup);
    this.sections = new LexicalIndex(lookup);
  }

  /** @param sources files that are split into sections */
  static create(sources: readonly SourceFile[]): SectionIndex {
    const index = new SectionIndex();
    for (const { path, text } of sources.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
      index.#add(path, text);
    return index;
  }

  #add(path: string, text: string): void {
    const sections = createSections(path, text);
    const { terms, offsets, entries } = countTerms(path, sections);
    const ids = terms.map((term) => getOrAdd(this.#ids, term, () => this.#terms.push(term) - 1));
    for (const [i, { text: own, ...section }] of sections.entries()) {
      const slot = this.chunks.length;
      const counts = entries.subarray(offsets[i], offsets[i + 1]).map((entry) => {
        return (assertPresent(ids[entry >>> 11], 'the id of a term') << 11) | (entry & 0x7ff);
      });
      this.sections.add(slot, counts.toSorted());
      const language = findSectionForm(path)?.name ?? '';
      this.chunks.push({
        ...section,
        path,
        language,
        role: inferRole(path),
        id: slot,
        length: own.length,
      });
      getOrAdd(this.#slots, path, () => []).push(slot);
    }
  }

  get sectionCount(): number {
    return this.chunks.length;
  }

  getChunkOrNull(slot: number): Chunk | null {
    return this.chunks[slot] ?? null;
  }

  getChunk(slot: number): Chunk {
    return assertPresent(this.chunks[slot], 'a section');
  }

  getSlotsByPath(path: string): readonly number[] {
    return this.#slots.get(path) ?? [];
  }

  getSectionPaths(): Iterable<string> {
    return this.#slots.keys();
  }

  getSlotsByName = () => [];
  getSlotsByAlias = () => [];
  getPaths = () => [];
  getLanguages = () => new Set<string>();
  getCallers = () => [];
  getCallees = () => [];
  getRegistered = () => [];
}
