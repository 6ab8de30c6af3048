import type { FileRole } from '../../shared/chunk.ts';
import { parentOf } from '../../shared/parent-of.ts';
import { present } from '../../shared/present.ts';
import type { ResolvedEdge } from '../graph/types.ts';
import { HistoryIndex } from '../history/history-index.ts';
import { languageOf } from '../languages/index.ts';
import { LexicalIndex } from '../lexical/lexical-index.ts';
import { type DeclaredPackage, declaredIn } from '../packages/declared.ts';
import { packageKindOf } from '../packages/kinds.ts';
import { Packages } from '../packages/packages.ts';
import { type AttributeRule, declaredBy } from '../source/attributes.ts';
import { roleOf } from '../source/role.ts';
import type { ChunkRow, StoredTermCounts } from '../store/file-versions.ts';
import type { Store } from '../store/store.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { inCallOrder } from './graph-context.ts';
import type { IndexedChunk, Neighbor, SearchIndex } from './types.ts';

/** Which version of a file is in the index. */
export interface FileIdentity {
  path: string;
  versionId: number;
  hash: string;
  parser: string;
  /** Its text says that a tool wrote it: 1 or 0. */
  generated: number;
  /** The package that its folder is, by what it says as a manifest; null for what is none. */
  declares: DeclaredPackage | null;
}

/** A file in memory, with the slots of its chunks in order of position. */
export interface IndexedFile extends FileIdentity {
  role: FileRole;
  slots: number[];
}

const NONE: readonly never[] = [];

/** One snapshot of a repository in memory: what `SearchIndex` promises, and the changes that keep it current. */
export class RepositoryIndex implements SearchIndex {
  readonly snapshotId: number;
  readonly chunks: (IndexedChunk | null)[] = [];
  readonly lexical: LexicalIndex;
  readonly vectors: VectorTable;
  history: HistoryIndex | null = null;
  live = 0;
  /** Stored edges, of those it was loaded with, that begin or end at a chunk that the snapshot does not have. */
  strayEdges = 0;
  #declared = declaredBy([]);
  /** Null after a change of files. */
  #languages: Set<string> | null = null;
  #packages: Packages | null = null;
  readonly #files = new Map<string, IndexedFile>();
  /** Files without a chunk: they say something of others, and are nothing that a search finds. */
  readonly #manifests = new Set<string>();
  readonly #slotOfId = new Map<number, number>();
  readonly #slotsByName = new Map<string, number[]>();
  readonly #callees: (Neighbor[] | undefined)[] = [];
  readonly #callers: (Neighbor[] | undefined)[] = [];

  constructor(store: Store, snapshotId: number, dimensions: number) {
    this.snapshotId = snapshotId;
    this.lexical = new LexicalIndex(store.terms);
    this.vectors = new VectorTable(dimensions);
  }

  /** Reads a snapshot from the store. `model` names the embeddings to load (id and version). */
  static load(
    store: Store,
    snapshotId: number,
    model: string,
    dimensions: number,
  ): RepositoryIndex {
    const index = new RepositoryIndex(store, snapshotId, dimensions);
    index.declare(store.snapshots.attributes(snapshotId));
    const rows = new Map<number, ChunkRow[]>();
    for (const row of store.versions.chunksOfSnapshot(snapshotId)) {
      const ofVersion = rows.get(row.versionId);
      if (ofVersion) ofVersion.push(row);
      else rows.set(row.versionId, [row]);
    }
    const termCounts = new Map<number, StoredTermCounts>();
    for (const stored of store.versions.termCountsOfSnapshot(snapshotId))
      termCounts.set(stored.versionId, stored);
    for (const file of store.snapshots.files(snapshotId)) {
      const counts = present(termCounts.get(file.versionId), `the term counts of ${file.path}`);
      const declares = declaredIn(file.path, () => store.versions.content(file.versionId));
      index.putFile({ ...file, declares }, rows.get(file.versionId) ?? [], counts);
    }
    index.putEdges(store.edges.ofSnapshot(snapshotId));
    for (const { chunkId, vector } of store.embeddings.ofSnapshot(snapshotId, model)) {
      index.putVector(chunkId, vector);
    }
    if (store.history.linked(snapshotId)) {
      index.history = new HistoryIndex(store.history.ofSnapshot(snapshotId));
    }
    return index;
  }

  /** Adds a file or replaces the one at its path. `rows` in order of position, `termCounts` parallel to them. */
  putFile(identity: FileIdentity, rows: readonly ChunkRow[], termCounts: StoredTermCounts): void {
    this.removeFile(identity.path);
    this.#languages = null;
    this.#packages = null;
    const { path } = identity;
    const role = this.#roleOf(identity);
    const traits = { path, language: languageOf(path)?.name ?? '', role };
    const first = this.chunks.length;
    const slots = rows.map((row, position) => {
      const slot = this.#addChunk(row, traits, row.parent < 0 ? -1 : first + row.parent);
      this.lexical.add(
        slot,
        termCounts.entries.subarray(termCounts.offsets[position], termCounts.offsets[position + 1]),
      );
      return slot;
    });
    this.#files.set(identity.path, { ...identity, role, slots });
    if (slots.length === 0) this.#manifests.add(identity.path);
  }

  /** Gives every file the role that it has by these rules of the repository, and those that are put later. */
  declare(rules: readonly AttributeRule[]): void {
    this.#declared = declaredBy(rules);
    this.#packages = null;
    for (const file of this.#files.values()) {
      file.role = this.#roleOf(file);
      for (const slot of file.slots) this.chunk(slot).role = file.role;
    }
  }

  #roleOf({ path, generated }: FileIdentity): FileRole {
    return roleOf(path, { generated: generated === 1, declared: this.#declared(path) });
  }

  removeFile(path: string): void {
    const file = this.#files.get(path);
    if (!file) return;
    this.#files.delete(path);
    this.#manifests.delete(path);
    this.#languages = null;
    this.#packages = null;
    for (const slot of file.slots) this.#removeChunk(slot);
  }

  /** Makes these all edges that leave these chunks. */
  replaceEdges(callers: readonly number[], edges: readonly ResolvedEdge[]): void {
    const byCaller = Map.groupBy(edges, (edge) => edge.caller);
    for (const caller of callers) {
      const slot = this.#slotOfId.get(caller);
      if (slot === undefined) continue;
      const next = this.#neighbors(byCaller.get(caller) ?? []);
      const before = this.callees(slot);
      if (sameNeighbors(before, next)) continue;
      for (const neighbor of before) this.#dropCaller(neighbor.slot, slot, neighbor.kind);
      this.#callees[slot] = next.length > 0 ? next : undefined;
      for (const neighbor of next) this.#addCaller(neighbor.slot, { ...neighbor, slot });
    }
  }

  /** Adds the edges of a store to chunks that have none so far. */
  putEdges(edges: Iterable<ResolvedEdge>): void {
    for (const [caller, group] of Map.groupBy(edges, (edge) => edge.caller)) {
      const known = this.#slotOfId.has(caller)
        ? group.filter((edge) => this.#slotOfId.has(edge.callee))
        : [];
      this.strayEdges += group.length - known.length;
      this.replaceEdges([caller], known);
    }
  }

  /** Gives a chunk its embedding; ignored when the chunk is gone by now. */
  putVector(chunkId: number, vector: Float32Array): void {
    const slot = this.#slotOfId.get(chunkId);
    if (slot !== undefined) this.vectors.set(slot, vector);
  }

  /** Takes away the embedding of a chunk whose encoder input changed; until the new one is made, the old one would mislead. */
  removeVector(chunkId: number): void {
    const slot = this.#slotOfId.get(chunkId);
    if (slot !== undefined) this.vectors.remove(slot);
  }

  file(path: string): IndexedFile | undefined {
    return this.#files.get(path);
  }

  chunk(slot: number): IndexedChunk {
    return present(this.chunks[slot], 'the chunk in a slot');
  }

  get edgeCount(): number {
    return this.#callees.reduce((sum, callees) => sum + (callees?.length ?? 0), 0);
  }

  get guessedEdgeCount(): number {
    return this.#callees.reduce(
      (sum, callees) => sum + (callees?.filter((callee) => callee.guess).length ?? 0),
      0,
    );
  }

  /** Manifests aside, as of `paths`. */
  get fileCount(): number {
    return this.#files.size - this.#manifests.size;
  }

  slotOf(chunkId: number): number | undefined {
    return this.#slotOfId.get(chunkId);
  }

  slotsByName(name: string): readonly number[] {
    return this.#slotsByName.get(name) ?? NONE;
  }

  slotsByPath(path: string): readonly number[] {
    return this.#files.get(path)?.slots ?? NONE;
  }

  paths(): Iterable<string> {
    return this.#files.keys().filter((path) => !this.#manifests.has(path));
  }

  /** All file paths, those of manifests too. */
  allPaths(): string[] {
    return [...this.#files.keys()];
  }

  languages(): ReadonlySet<string> {
    this.#languages ??= new Set(
      Array.from(this.#files.keys()).flatMap((path) => languageOf(path)?.name ?? []),
    );
    return this.#languages;
  }

  /** Manifests of tests, examples and copies make no packages. */
  get packages(): Packages {
    const files = () => this.#files.values();
    this.#packages ??= new Packages(
      files().flatMap((file) =>
        this.#isPackage(file) ? [{ path: file.path, ...file.declares }] : [],
      ),
      files().map(({ path, slots }) => ({ path, chunks: slots.length })),
    );
    return this.#packages;
  }

  #isPackage(file: IndexedFile): file is IndexedFile & { declares: DeclaredPackage } {
    if (!file.declares || file.role !== 'source') return false;
    // What a folder is for may depend on the language of what is in it.
    const source = `${parentOf(file.path)}/${packageKindOf(file.path)?.source}`.replace(/^\//, '');
    return roleOf(source, { declared: this.#declared(file.path) }) === 'source';
  }

  callers(slot: number): readonly Neighbor[] {
    return this.#callers[slot] ?? NONE;
  }

  /** Certain ones first, then in order of their first call site. */
  callees(slot: number): readonly Neighbor[] {
    return this.#callees[slot] ?? NONE;
  }

  #addChunk(
    row: ChunkRow,
    { path, language, role }: Pick<IndexedChunk, 'path' | 'language' | 'role'>,
    parent: number,
  ): number {
    const { id, qualifiedName, ordinal, name, kind, startLine, endLine, length } = row;
    const slot = this.chunks.length;
    this.chunks.push({
      id,
      path,
      qualifiedName,
      ordinal,
      name,
      kind,
      language,
      role,
      startLine,
      endLine,
      parent,
      length,
    });
    this.#slotOfId.set(id, slot);
    if (kind !== 'module') {
      const sameName = this.#slotsByName.get(name);
      if (sameName) sameName.push(slot);
      else this.#slotsByName.set(name, [slot]);
    }
    this.live++;
    return slot;
  }

  #removeChunk(slot: number): void {
    const chunk = this.chunks[slot];
    if (!chunk) return;
    for (const callee of this.callees(slot)) this.#dropCaller(callee.slot, slot, callee.kind);
    for (const caller of this.callers(slot)) {
      const left = this.callees(caller.slot).filter((neighbor) => neighbor.slot !== slot);
      this.#callees[caller.slot] = left.length > 0 ? left : undefined;
    }
    this.#callees[slot] = undefined;
    this.#callers[slot] = undefined;
    this.lexical.remove(slot);
    this.vectors.remove(slot);
    this.#slotOfId.delete(chunk.id);
    if (chunk.kind !== 'module') {
      const others = this.slotsByName(chunk.name).filter((other) => other !== slot);
      if (others.length > 0) this.#slotsByName.set(chunk.name, others);
      else this.#slotsByName.delete(chunk.name);
    }
    this.chunks[slot] = null;
    this.live--;
  }

  /** Edges of one caller as neighbours in the order that `callees` promises; those to chunks that are gone are left out. */
  #neighbors(edges: readonly ResolvedEdge[]): Neighbor[] {
    const known = edges.filter((edge) => this.#slotOfId.has(edge.callee));
    return inCallOrder(known).map(({ callee, kind, guess }) => ({
      slot: present(this.#slotOfId.get(callee), 'the slot of a chunk'),
      kind,
      guess,
    }));
  }

  #addCaller(slot: number, caller: Neighbor): void {
    const callers = this.#callers[slot];
    if (callers) callers.push(caller);
    else this.#callers[slot] = [caller];
  }

  #dropCaller(slot: number, caller: number, kind: Neighbor['kind']): void {
    const left = this.callers(slot).filter(
      (neighbor) => neighbor.slot !== caller || neighbor.kind !== kind,
    );
    this.#callers[slot] = left.length > 0 ? left : undefined;
  }
}

function sameNeighbors(a: readonly Neighbor[], b: readonly Neighbor[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ slot, kind, guess }, i) => {
      const other = b[i];
      return slot === other?.slot && kind === other.kind && guess === other.guess;
    })
  );
}
