import type { HistoryIndex } from '../../src/engine/history/history-index.ts';
import { getLanguageName } from '../../src/engine/languages/index.ts';
import { LexicalIndex } from '../../src/engine/lexical/lexical-index.ts';
import { countTerms } from '../../src/engine/lexical/tokenize.ts';
import { Packages } from '../../src/engine/packages/packages.ts';
import type { ParsedChunk } from '../../src/engine/parse/types.ts';
import { explain } from '../../src/engine/search/explain/explain.ts';
import type { QueryVectors } from '../../src/engine/search/gather/query.ts';
import { type LinearModel, LinearRanker } from '../../src/engine/search/rank/linear.ts';
import { rankChunks } from '../../src/engine/search/search.ts';
import type {
  IndexedChunk,
  Neighbor,
  RegisteredChunk,
  SearchIndex,
} from '../../src/engine/snapshot/types.ts';
import { inferRole } from '../../src/engine/source/role.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { ChunkKind } from '../../src/shared/chunk-kind.ts';
import type { Registration } from '../../src/shared/registration.ts';
import type { SearchRequest } from '../../src/shared/search.ts';

/** A chunk for a test. `name` is the qualified name. */
export interface ChunkSpec {
  name: string;
  alias?: string;
  kind?: ChunkKind;
  lines?: [first: number, last: number];
  text?: string;
  /** Qualified names of chunks anywhere in the index; ending in `?` for a guess. */
  calls?: string[];
  /** Qualified names of a class's bases. */
  bases?: string[];
  /** Keys that its own code registers it under. */
  registered?: Registration[];
  vector?: number[];
}

/** Chunks by path of their file. The module chunk of each file is added, unless it has sections. */
export type FileSpecs = Record<string, ChunkSpec[]>;

/** A `SearchIndex` over the chunks of a test. */
export class MemoryIndex implements SearchIndex {
  packages = new Packages([], []);
  readonly chunks: (IndexedChunk | null)[] = [];
  readonly vectors = new VectorTable(3);
  history: HistoryIndex | null = null;
  readonly lexical: LexicalIndex;
  readonly sections: LexicalIndex;
  readonly #specs: ChunkSpec[] = [];
  readonly #terms = new Map<string, number>();

  constructor(files: FileSpecs = {}) {
    const lookup = {
      idOf: (term: string) => this.#terms.get(term),
      termOf: (id: number) => [...this.#terms.keys()][id],
    };
    this.lexical = new LexicalIndex(lookup);
    this.sections = new LexicalIndex(lookup);
    for (const [path, chunks] of Object.entries(files)) this.addFile(path, chunks);
  }

  addFile(path: string, specs: ChunkSpec[]): void {
    const last = Math.max(1, ...specs.map(({ lines }) => lines?.[1] ?? 1));
    const module: ChunkSpec = { name: '<module>', kind: 'module', lines: [1, last] };
    const isWhole = specs.some(({ kind }) => kind === 'module' || kind === 'section');
    const own = isWhole ? specs : [module, ...specs];
    const parsed = own.map((spec) => parsedChunk(spec, own));
    const counts = countTerms(path, parsed);
    const first = this.chunks.length;
    for (const [i, spec] of own.entries()) {
      const { text, parent, signatureEnd: _, doc: __, ...rest } = parsed[i];
      const place = {
        id: first + i,
        path,
        language: getLanguageName(path),
        role: inferRole(path),
      };
      const length = text.length;
      this.chunks.push({ ...rest, ...place, length, parent: parent < 0 ? -1 : first + parent });
      this.#specs.push(spec);
      const entries = counts.entries.subarray(counts.offsets[i], counts.offsets[i + 1]);
      const words = spec.kind === 'section' ? this.sections : this.lexical;
      words.add(
        first + i,
        entries.map((entry) => this.#globalEntry(entry, counts.terms)),
      );
      if (spec.vector) this.vectors.set(first + i, unit(spec.vector));
    }
  }

  removeFile(path: string): void {
    for (const slot of this.getSlotsByPath(path)) {
      this.chunks[slot] = null;
      this.lexical.remove(slot);
      this.sections.remove(slot);
      this.vectors.remove(slot);
    }
  }

  getChunkOrNull(slot: number): IndexedChunk | null {
    return this.chunks[slot] ?? null;
  }

  getChunk(slot: number): IndexedChunk {
    return assertPresent(this.chunks[slot], 'the chunk in a slot');
  }

  get edits(): number {
    return this.chunks.filter((chunk) => chunk === null).length;
  }

  get liveCount(): number {
    return this.chunks.filter((chunk) => chunk && chunk.kind !== 'section').length;
  }

  get sectionCount(): number {
    return this.chunks.filter((chunk) => chunk?.kind === 'section').length;
  }

  getSlotsByName(name: string): number[] {
    return this.#slots(
      (chunk) => chunk.kind !== 'module' && chunk.kind !== 'section' && chunk.name === name,
    );
  }

  getSlotsByAlias(alias: string): number[] {
    return this.#slots((chunk) => chunk.alias === alias);
  }

  getSlotsByPath(path: string): number[] {
    return this.#slots((chunk) => chunk.path === path);
  }

  getLanguages(): Set<string> {
    return new Set(this.#code().map(({ language }) => language));
  }

  getPaths(): Set<string> {
    return new Set(this.#code().map(({ path }) => path));
  }

  getSectionPaths(): Set<string> {
    return new Set(
      this.#slots(({ kind }) => kind === 'section').map((slot) => this.getChunk(slot).path),
    );
  }

  #code(): IndexedChunk[] {
    return this.chunks.flatMap((chunk) => (chunk && chunk.kind !== 'section' ? [chunk] : []));
  }

  getCallees(slot: number): Neighbor[] {
    const { calls = [], bases = [] } = this.#specs[slot];
    return [
      ...calls.map((call): Neighbor => {
        const callee = this.#named(call.replace('?', ''));
        return { slot: callee, kind: 'call', guess: call.endsWith('?') };
      }),
      ...bases.map(
        (base): Neighbor => ({ slot: this.#named(base), kind: 'inherit', guess: false }),
      ),
    ];
  }

  getRegistered(): RegisteredChunk[] {
    return this.#slots(() => true).flatMap((slot) =>
      (this.#specs[slot].registered ?? []).map((one) => ({ ...one, slot, caller: slot })),
    );
  }

  getCallers(slot: number): Neighbor[] {
    return this.#slots(() => true).flatMap((caller) =>
      this.getCallees(caller).flatMap((edge) =>
        edge.slot === slot ? [{ ...edge, slot: caller }] : [],
      ),
    );
  }

  #named(name: string): number {
    return this.#slots((chunk) => chunk.qualifiedName === name)[0];
  }

  #slots(accepts: (chunk: IndexedChunk) => boolean): number[] {
    return this.chunks.flatMap((chunk, slot) => (chunk && accepts(chunk) ? [slot] : []));
  }

  #globalEntry(entry: number, terms: string[]): number {
    const term = terms[entry >>> 11];
    const id = this.#terms.get(term) ?? this.#terms.size;
    this.#terms.set(term, id);
    return (id << 11) | (entry & 0x7ff);
  }
}

function parsedChunk(spec: ChunkSpec, file: ChunkSpec[]): ParsedChunk {
  const { name: qualifiedName, lines = [1, 1], text = '' } = spec;
  const dot = qualifiedName.lastIndexOf('.');
  const owner = qualifiedName.slice(0, Math.max(0, dot));
  return {
    qualifiedName,
    ordinal: 0,
    name: qualifiedName.slice(dot + 1),
    ...(spec.alias !== undefined && { alias: spec.alias }),
    kind: spec.kind ?? (dot < 0 ? 'function' : 'method'),
    startLine: lines[0],
    endLine: lines[1],
    parent: file.findIndex(({ name }) => name === owner),
    text,
    signatureEnd: 0,
    doc: null,
  };
}

/** A ranker that weighs only words, so that no other signal changes the order. */
export const WORDS_ALONE: LinearModel = {
  id: 'test',
  version: '1',
  kind: 'linear',
  origin: 'by hand',
  weights: { bm25: 1 },
};

/** Returns query vectors of an issue whose parts all have the same direction. */
export function queryVectors(vector: Float32Array): QueryVectors {
  return { issue: vector, prose: vector };
}

/** Ranks the chunks of an index for an issue, and explains the list. */
export function search(
  index: SearchIndex,
  queryVectors: QueryVectors | null,
  request: SearchRequest,
  { ranker, once }: { ranker?: LinearModel; once?: boolean } = {},
) {
  const options = { once, ...(ranker && { ranker: new LinearRanker(ranker) }) };
  return explain(rankChunks(index, queryVectors, request, options));
}

export function unit(vector: number[]): Float32Array {
  return Float32Array.from(vector, (x) => x / Math.hypot(...vector));
}
