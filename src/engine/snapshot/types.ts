import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import type { Registration } from '../../shared/registration.ts';
import type { HistoryIndex } from '../history/history-index.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { Packages } from '../packages/packages.ts';
import type { VectorTable } from '../vectors/vector-table.ts';

/** Chunk in memory: everything except its text. */
export interface IndexedChunk extends Readonly<Omit<ChunkSummary, 'address'>> {
  readonly id: number;
  /** Another name, such as the inner one of a wrapped function; of a section, the keys in it, one a line. Undefined without one. */
  readonly alias?: string | undefined;
  /** Slot of the enclosing class chunk, or -1. */
  readonly parent: number;
  /** Length of its text in UTF-16 units. */
  readonly length: number;
}

/** All chunks in order of slot; null for removed ones. */
export interface ChunkList extends Iterable<IndexedChunk | null> {
  /** Last slot + 1. */
  readonly length: number;
}

/** Neighbor in the call graph. */
export interface Neighbor {
  slot: number;
  kind: EdgeKind;
  guess: boolean;
}

/** Function that a program registers under a key. */
export interface RegisteredChunk extends Registration {
  /** Slot of the chunk that registers it; the same as `slot` for a decorator. */
  caller: number;
  slot: number;
}

/**
 * Everything that a search reads of one snapshot, in memory. Chunks are numbered by slots: small integers that are never
 * reused. After an edit, old slots are empty and new ones are appended.
 */
export interface SearchIndex {
  readonly chunks: ChunkList;
  /** Returns the chunk in a slot; null if it was removed or never existed. */
  getChunkOrNull(slot: number): IndexedChunk | null;
  /** Returns the chunk in a slot. @throws Error if it was removed; for callers who know that it wasn't. */
  getChunk(slot: number): IndexedChunk;
  /** Number of chunks, without removed ones and without sections. */
  readonly liveCount: number;
  /** Number of sections, without removed ones. */
  readonly sectionCount: number;
  /** Number of times that files were added, removed or given other roles. Lets a caller that waited notice changes. */
  readonly edits: number;
  /** Returns the slots of the chunks with this simple name, without module code and sections. */
  getSlotsByName(name: string): readonly number[];
  /** Returns the slots of the chunks with this alias. */
  getSlotsByAlias(alias: string): readonly number[];
  /** Returns the slots of a file's chunks, in order of start line; empty for unknown paths. */
  getSlotsByPath(path: string): readonly number[];
  /** Returns the paths of the files with code. */
  getPaths(): Iterable<string>;
  /** Returns the paths of the files with sections. */
  getSectionPaths(): Iterable<string>;
  getLanguages(): ReadonlySet<string>;
  /** Packages of the repository. */
  readonly packages: Packages;
  /** Words of all chunks except sections. */
  readonly lexical: LexicalIndex;
  /** Words of the sections, whose slots are those of chunks. They have statistics of their own. */
  readonly sections: LexicalIndex;
  readonly vectors: VectorTable;
  /** Commits in the history of the snapshot; null if there are none, or if they have not been read yet. */
  readonly history: HistoryIndex | null;
  getCallers(slot: number): readonly Neighbor[];
  /** Returns the callees. A chunk that registers itself is left out. */
  getCallees(slot: number): readonly Neighbor[];
  /** Returns what the program registers under a key, without removed chunks. */
  getRegistered(): Iterable<RegisteredChunk>;
}
