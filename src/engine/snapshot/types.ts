import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ChunkSummary } from '../../shared/chunk.ts';
import type { HistoryIndex } from '../history/history-index.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { Packages } from '../packages/packages.ts';
import type { VectorTable } from '../vectors/vector-table.ts';

/** A chunk in memory: everything about it but its text. */
export interface IndexedChunk extends Readonly<Omit<ChunkSummary, 'address'>> {
  readonly id: number;
  /** Slot of the enclosing class chunk, or -1. */
  readonly parent: number;
  /** UTF-16 units of its text. */
  readonly length: number;
}

/** All chunks in order of slot; null where one is gone. */
export interface ChunkList extends Iterable<IndexedChunk | null> {
  /** One more than the last slot. */
  readonly length: number;
}

/** A neighbour in the call graph. */
export interface Neighbor {
  slot: number;
  kind: EdgeKind;
  guess: boolean;
}

/**
 * Everything a search reads, for one snapshot of a repository, in memory. A chunk's place in it is its
 * slot: a small integer that is never reused; after an edit, old slots are empty and new ones appended.
 */
export interface SearchIndex {
  readonly chunks: ChunkList;
  /** The chunk in a slot; null where it is gone, or there never was one. */
  chunkAt(slot: number): IndexedChunk | null;
  /** The chunk in a slot; throws an `Error` when it is gone, for whoever knows that it is not. */
  chunk(slot: number): IndexedChunk;
  /** Chunks that are not null. */
  readonly live: number;
  /** How often files were put, taken out or given other roles: whoever waited sees whether it is another index now. */
  readonly edits: number;
  /** Slots of the chunks that have this simple name (`ChunkKind` module excluded). */
  slotsByName(name: string): readonly number[];
  /** Slots of a file's chunks, in order of start line; empty for unknown paths. */
  slotsByPath(path: string): readonly number[];
  paths(): Iterable<string>;
  languages(): ReadonlySet<string>;
  /** Which of the repository's packages a file is of. */
  readonly packages: Packages;
  readonly lexical: LexicalIndex;
  readonly vectors: VectorTable;
  /** The commits behind the snapshot; null where there are none, or none were read yet. */
  readonly history: HistoryIndex | null;
  callers(slot: number): readonly Neighbor[];
  callees(slot: number): readonly Neighbor[];
}
